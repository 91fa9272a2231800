import { createHmac } from 'node:crypto';
import { isWildcardName } from '@cordon/contract';

const PREVIEW_SECONDS = 3_600;
export const PREVIEW_HEADER = 'Cordon-Preview';

export interface Preview {
  readonly header: string;
  readonly token: string;
  readonly expires_at: string;
  readonly curl: string;
  readonly dig: string | null;
}

/** Asks for the exclusive CNAME. No zone is delegated to an installation on loopback: its own name server is asked. */
function digCommand(cname: string, nameServer: NameServerToAsk): string | null {
  if (nameServer === 'delegated') return `dig +short ${cname}`;
  return nameServer && `dig @${nameServer.address} -p ${nameServer.port} +short ${cname}`;
}

export type NameServerToAsk = 'delegated' | { readonly address: string; readonly port: number } | null;

/** A token that lets its bearer see a route before its name points here (apps/edge/README.md, "The edge"); valid an hour. */
export function signPreview(
  previewKey: Buffer,
  route: { id: string; domain_name: string; cname: string },
  edge: { address: string; httpsPort: number },
  nameServer: NameServerToAsk,
  now = Date.now(),
): Preview {
  const expiry = Math.floor(now / 1000) + PREVIEW_SECONDS;
  const signed = `${route.id}.${expiry}`;
  const token = `${signed}.${createHmac('sha256', previewKey).update(signed).digest('base64url')}`;
  const host = isWildcardName(route.domain_name) ? `www.${route.domain_name.slice(2)}` : route.domain_name;
  const address = edge.address.includes(':') ? `[${edge.address}]` : edge.address;
  const port = edge.httpsPort === 443 ? '' : `:${edge.httpsPort}`;
  return {
    header: PREVIEW_HEADER,
    token,
    expires_at: new Date(expiry * 1000).toISOString(),
    // The edge has no certificate for the name before it points here, hence -k.
    curl: `curl -k --resolve '${host}:${edge.httpsPort}:${address}' -H '${PREVIEW_HEADER}: ${token}' 'https://${host}${port}/'`,
    dig: digCommand(route.cname, nameServer),
  };
}
