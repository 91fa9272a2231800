/**
 * What requests hold at once on this node, counted by key and worker process: what a killed worker leaves behind does not
 * count, because only living workers' counts are added up.
 */
const counts = ngx.shared.cordon_connections as SharedDict;

/** Keys that are held in this worker, by who holds them. */
const held = new LuaTable<string, string[]>();

/** Notes which process a worker is now. */
export function registerWorker(this: void): void {
  counts.set(`worker ${ngx.worker.id()}`, ngx.worker.pid());
}

/** Takes a place under a name for a holder; false when `limit` are taken. `releasePlaces` gives it back. */
export function takePlace(holder: string, name: string, limit: number): boolean {
  const pid = ngx.worker.pid();
  const key = `${pid} ${name}`;
  // Counted before the others are asked: of two workers at the last place none may overlook the other.
  let sum = (counts.incr(key, 1, 0) ?? 1) as number;
  for (let worker = 0; worker < ngx.worker.count(); worker++) {
    const other = counts.get(`worker ${worker}`);
    if (other !== undefined && other !== pid) sum += (counts.get(`${other} ${name}`) ?? 0) as number;
  }
  if (sum > limit) {
    giveBack(key);
    return false;
  }
  const keys = held.get(holder) as string[] | undefined;
  if (keys === undefined) held.set(holder, [key]);
  else keys.push(key);
  return true;
}

/** Gives back all that is held. Of a request, in `log_by_lua` of every place where it can end. */
export function releasePlaces(holder: string): void {
  const keys = held.get(holder) as string[] | undefined;
  if (keys === undefined) return;
  held.delete(holder);
  for (const key of keys) giveBack(key);
}

/** Only this worker writes the key, so no other count comes between the two steps. */
function giveBack(key: string): void {
  if ((counts.incr(key, -1) ?? 0) <= 0) counts.delete(key);
}
