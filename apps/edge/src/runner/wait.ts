import { type ProvingClient, signChallenge, takeSigned } from './challenge.ts';

/**
 * A wait is a challenge whose proof is that its time has passed. Like every challenge it is signed for one client on one route by
 * this node, is taken once, and nothing is kept of it until then.
 */

const WAIT = 'wait.';
export const isWait = (text: string): boolean => text.startsWith(WAIT);

/** What a client that has waited gets. */
export interface WaitTerms {
  readonly waitSeconds: number;
  /** Unix seconds that its pass counts from, where they are later than the end of the wait. */
  readonly since: number;
  readonly passSeconds: number;
}

/** `id` is used for no other challenge. undefined while this node has no keys. */
export function makeWait(
  client: ProvingClient,
  { waitSeconds, since, passSeconds }: WaitTerms,
  id: string,
  now: number,
): string | undefined {
  return signChallenge(client, `${WAIT}${Math.floor(now * 1000)}.${waitSeconds}.${since}.${passSeconds}.${id}`);
}

/** Takes a wait that is over. undefined when it is not, or is none of this client, or was taken before. */
export function takeWait(client: ProvingClient, text: string, now: number): WaitTerms | undefined {
  const [, startedMs, wait, since, passSeconds, id, signature, more] = text.split('.');
  if (signature === undefined || more !== undefined || id === undefined) return undefined;
  const waitSeconds = tonumber(wait) ?? 0;
  const end = (tonumber(startedMs) ?? 0) / 1000 + waitSeconds;
  if (now < end || !takeSigned(client, text, id, end, now)) return undefined;
  return { waitSeconds, since: tonumber(since) ?? 0, passSeconds: tonumber(passSeconds) ?? 0 };
}
