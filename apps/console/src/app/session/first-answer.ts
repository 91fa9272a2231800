import type { Brand } from '@cordon/contract';
import { API_BASE } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { answerIn, finishRequest, type OpenidClient, signInSilently, type Tokens } from './openid';

/** Who is here, as the provider says when the page is opened. */
export interface FirstAnswer {
  readonly client: OpenidClient;
  readonly tokens: Tokens | null;
  /** Where the customer was before they left for the provider; undefined when they did not come from there. */
  readonly hash?: string;
  /** Why a redirect to the provider failed. */
  readonly failure?: unknown;
}

export const clientOf = ({ oidc }: Brand, endpoints: OpenidEndpoints): OpenidClient => ({
  endpoints,
  client_id: oidc.client_id,
  resource: `${location.origin}${API_BASE}`,
});

let first: Promise<FirstAnswer> | undefined;

async function ask(client: OpenidClient): Promise<FirstAnswer> {
  const answer = answerIn(location.search);
  if (!answer) {
    const tokens = await signInSilently(client, window.pageStart?.silentAnswer).catch((cause: unknown) => {
      console.info('No session', cause);
      return null;
    });
    return { client, tokens };
  }
  try {
    return { client, ...(await finishRequest(client, answer)) };
  } catch (cause) {
    console.error('Sign-in failed', cause);
    return { client, tokens: null, hash: '', failure: cause };
  }
}

/** Takes the provider's answer from the address, or asks it silently; once, by main.ts before the program has arrived. */
export function requestFirstAnswer(client: Promise<OpenidClient>): Promise<FirstAnswer> {
  first ??= client.then(ask);
  return first;
}
