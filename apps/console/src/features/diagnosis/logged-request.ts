import type { CallOutput, Operations } from '@cordon/contract';
import { api } from '../../app/api-client';

export type LoggedRequest = CallOutput<Operations['listRecentRequests']>['result'][number];

/** As nodes make them; what is pasted may be the whole line of a block page or a header. */
const REQUEST_ID = /\b[0-9a-f]{32}\b/i;

/** The id of a request in a text. */
export const readRequestId = (text: string): string | undefined => REQUEST_ID.exec(text)?.[0].toLowerCase();

/** A logged request of one of the account's domains; undefined when there is none with this id. */
export async function findLoggedRequest(id: string, signal?: AbortSignal): Promise<LoggedRequest | undefined> {
  const query = { request_id: id, limit: 1 };
  return (await api.listRecentRequests({ query, ...(signal && { signal }) })).result[0];
}
