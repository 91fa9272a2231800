import { type Operation, scopeForQuery, scopesOf } from '@cordon/contract';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { AppError } from './errors.ts';

/**
 * Calls of one account that run at the same time, in this process; others of it wait, before they take one of the pool's
 * connections: however many one account makes, those of others find some.
 */
const CALLS_MAX = 8;
/** Of these at most so many reads: a write finds the others, however much is read. */
const READS_MAX = 6;
/** And of these at most so many of what may hang, so that plain reads go on; beyond the queue they are refused. */
const OUTSIDE_READS_MAX = 4;
const OUTSIDE_WAITING_MAX = 40;
const RETRY_SECONDS = 2;

/** What may hang, as the traffic store and the network do, is apart from what only asks PostgreSQL. */
export type Lane = 'write' | 'read' | 'outside';

/** Asked again, a read is answered with what is so now; nothing of it is kept. */
export function isRead(operation: Operation): boolean {
  const scopes = scopesOf(operation);
  return operation.method === 'GET' || (scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read')));
}

export function laneOf(operation: Operation, query: unknown): Lane {
  const scopes = [...scopesOf(operation), scopeForQuery(operation, query)];
  if (operation.looks || scopes.includes('traffic:read')) return 'outside';
  return isRead(operation) ? 'read' : 'write';
}

export interface AccountLanes {
  /** Throws TOO_MANY_REQUESTS where too many calls of the account's wait for the outside already. */
  run<T>(accountId: string, lane: Lane, work: () => Promise<T>): Promise<T>;
}

/** Each lane lies inside the next wider one. */
export function createAccountLanes(): AccountLanes {
  const calls = createConcurrencyLimit(CALLS_MAX);
  const reads = createConcurrencyLimit(READS_MAX);
  const outside = createConcurrencyLimit(OUTSIDE_READS_MAX, {
    waitingMax: OUTSIDE_WAITING_MAX,
    refusal: () => new AppError('TOO_MANY_REQUESTS', { params: { TOO_MANY_REQUESTS: { seconds: RETRY_SECONDS } } }),
  });
  return {
    run(accountId, lane, work) {
      const call = () => calls.run(accountId, work);
      if (lane === 'write') return call();
      const read = () => reads.run(accountId, call);
      return lane === 'read' ? read() : outside.run(accountId, read);
    },
  };
}
