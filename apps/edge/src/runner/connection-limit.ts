/**
 * Requests open at the origins of routes that limit them. Counted by route and worker process: what a killed worker
 * leaves behind does not count, because only living workers' counts are added up (as in websocket-limit.ts).
 */
const counts = ngx.shared.cordon_connections as SharedDict;

/** Keys of what this worker has open, by request id. */
const open = new LuaTable<string, string>();

/** Notes which process a worker is now. */
export function registerConnections(this: void): void {
  counts.set(`worker ${ngx.worker.id()}`, ngx.worker.pid());
}

/** Takes one of the route's places; false when all are taken. What was taken is given back by `closeConnection`. */
export function openConnection(routeId: string, limit: number): boolean {
  const pid = ngx.worker.pid();
  const key = `${pid} ${routeId}`;
  // Counted before the others are asked: of two workers at the last place none may overlook the other.
  let sum = (counts.incr(key, 1, 0) ?? 1) as number;
  for (let worker = 0; worker < ngx.worker.count(); worker++) {
    const other = counts.get(`worker ${worker}`);
    if (other !== undefined && other !== pid) sum += (counts.get(`${other} ${routeId}`) ?? 0) as number;
  }
  if (sum > limit) {
    giveBack(key);
    return false;
  }
  open.set(ngx.var.cordon_request_id ?? '', key);
  return true;
}

/** In `log_by_lua` of every place where a counted request can end. */
export function closeConnection(): void {
  const requestId = ngx.var.cordon_request_id ?? '';
  const key = open.get(requestId) as string | undefined;
  if (key === undefined) return;
  open.delete(requestId);
  giveBack(key);
}

/** Only this worker writes the key, so no other count comes between the two steps. */
function giveBack(key: string): void {
  if ((counts.incr(key, -1) ?? 0) <= 0) counts.delete(key);
}
