import { requestsEnded } from './native.ts';

/**
 * How many rows nginx owes the access log. It drops those that it cannot write, as on a full disk, and says so of none:
 * the agent compares this count with what is in the file (row-audit.ts).
 */
const meta = ngx.shared.cordon_meta as SharedDict;

/** For a request that is not logged, while it has not ended. */
export function leaveOutRow(): void {
  meta.incr('rows left out', 1, 0);
}

/** The request that is being served gets no row. */
export function leaveUnlogged(): void {
  ngx.var.cordon_logged = '0';
  leaveOutRow();
}

/** To be asked by a request that is left out itself: nginx has not counted it yet. */
export function rowsOwed(): number {
  return requestsEnded() + 1 - ((meta.get('rows left out') ?? 0) as number);
}
