import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { allowInsecureRequests, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi';

/** Asks the provider where its endpoints are (OpenID Connect Discovery 1.0, section 4). Loaded only where the page does not know. */
export async function discover(authority: string): Promise<OpenidEndpoints> {
  const issuer = new URL(authority);
  const metadata = await processDiscoveryResponse(
    issuer,
    await discoveryRequest(issuer, { [allowInsecureRequests]: true }),
  );
  const { authorization_endpoint, token_endpoint } = metadata;
  if (!authorization_endpoint || !token_endpoint) throw new Error('The provider names no endpoints');
  return { ...metadata, authorization_endpoint, token_endpoint };
}
