import type { Brand } from '@cordon/contract';
import { API_BASE } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { hashOf } from './authorization-request';
import {
  answerIn,
  finishRequest,
  isUnanswered,
  type OpenidClient,
  reachProvider,
  signInSilently,
  type Tokens,
} from './openid';

/** A silent check that takes longer may have lost its provider. */
const SLOW_MS = 2000;

/** Who is here, as the provider says when the page is opened. */
export interface FirstAnswer {
  readonly client: OpenidClient;
  readonly tokens: Tokens | null;
  /** Where the customer was before they left for the provider; undefined when they did not come from there. */
  readonly hash?: string;
  /** Why a redirect to the provider failed. */
  readonly failure?: unknown;
  /** Why the provider gave no answer: who is here is not known. */
  readonly lost?: unknown;
}

export const clientOf = ({ oidc }: Brand, endpoints: OpenidEndpoints): OpenidClient => ({
  endpoints,
  client_id: oidc.client_id,
  resource: `${location.origin}${API_BASE}`,
});

let first: Promise<FirstAnswer> | undefined;

/** Rejects once the silent check takes long because the provider cannot be reached; else it is waited for. */
const providerLost = (client: OpenidClient) =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reachProvider(client).catch(reject), SLOW_MS);
  });

async function ask(client: OpenidClient): Promise<FirstAnswer> {
  const answer = answerIn(location.search);
  const hash = answer && hashOf(answer.get('state') ?? '');
  try {
    if (answer) return { client, ...(await finishRequest(client, answer)) };
    const silent = signInSilently(client, window.pageStart?.silentAnswer);
    return { client, tokens: await Promise.race([silent, providerLost(client)]) };
  } catch (cause) {
    if (isUnanswered(cause)) return { client, tokens: null, hash, lost: cause };
    if (!answer) {
      console.info('No session', cause);
      return { client, tokens: null };
    }
    console.error('Sign-in failed', cause);
    return { client, tokens: null, hash: '', failure: cause };
  }
}

/** Takes the provider's answer from the address, or asks it silently; once, by main.ts before the program has arrived. */
export function requestFirstAnswer(client: Promise<OpenidClient>): Promise<FirstAnswer> {
  first ??= client.then(ask);
  return first;
}
