/**
 * How many rows nginx owes the access log. It drops those that it cannot write, as on a full disk, and says so of none:
 * the agent compares this count with what is in the file (row-audit.ts).
 */
const meta = ngx.shared.cordon_meta as SharedDict;

/** Of this worker, since its last beat. */
let rows = 0;

/** `log_by_lua` of every request of a visitor. */
export function countRow(this: void): void {
  rows++;
}

/** For a request that is not logged. */
export function leaveOutRow(): void {
  rows--;
}

/** Once a second, and at the end of the worker. */
export function publishRows(): void {
  if (rows !== 0) meta.incr('rows', rows, 0);
  rows = 0;
}

export function rowsOwed(): number {
  return (meta.get('rows') ?? 0) as number;
}
