import type { CallOutput, Operations } from '@cordon/contract';
import { api } from '../../app/api-client';

export type LoggedRequest = CallOutput<Operations['listRecentRequests']>['result'][number];

/** A node's log is there some 3 s after the request. */
const LOGGED_WITHIN_MS = 8_000;
const ASK_EVERY_MS = 1_000;

/** As nodes make them; what is pasted may be the whole line of a block page or a header. */
const REQUEST_ID = /\b[0-9a-f]{32}\b/i;

/** The id of a request in a text. */
export const readRequestId = (text: string): string | undefined => REQUEST_ID.exec(text)?.[0].toLowerCase();

/** A logged request of one of the account's domains; undefined when there is none with this id. */
export async function findLoggedRequest(id: string, signal?: AbortSignal): Promise<LoggedRequest | undefined> {
  const query = { request_id: id, limit: 1 };
  return (await api.listRecentRequests({ query, ...(signal && { signal }) })).result[0];
}

/** As `findLoggedRequest`, for a request that may have been made just now: asks again until its log can be there. */
export async function awaitLoggedRequest(id: string, signal: AbortSignal): Promise<LoggedRequest | undefined> {
  const end = Date.now() + LOGGED_WITHIN_MS;
  for (;;) {
    const logged = await findLoggedRequest(id, signal);
    if (logged || Date.now() >= end || signal.aborted) return logged;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
