import { isProcessAlive } from './native.ts';
import { recur, TICKS_PER_SECOND } from './recurring.ts';

/**
 * Which processes serve requests: after a reload those of before too, until their last request has ended. Each notes its pid
 * under a number of its own, from `workers from` to `workers`; 0 stands for one that is no more.
 */
const counts = ngx.shared.cordon_connections as SharedDict;

let others: number[] = [];
/** How many had been registered when `others` was found. */
let known = 0;

function look(this: void): void {
  const registered = (counts.get('workers') ?? 0) as number;
  const from = (counts.get('workers from') ?? 1) as number;
  const found: number[] = [];
  let first: number | undefined;
  let isComplete = true;
  for (let number = from; number <= registered; number++) {
    const pid = counts.get(`worker ${number}`) as number | undefined;
    // It is between its two steps.
    if (pid === undefined) isComplete = false;
    else if (pid !== 0 && !isProcessAlive(pid)) counts.set(`worker ${number}`, 0);
    else if (pid !== 0 && pid !== ngx.worker.pid()) found.push(pid);
    if (first === undefined && pid !== 0) first = number;
  }
  // Else each look would go through all that there have ever been.
  if (first !== undefined && first > from) counts.set('workers from', first);
  others = found;
  known = isComplete ? registered : 0;
}

/** `init_worker_by_lua`. */
export function registerWorker(this: void): void {
  const number = counts.incr('workers', 1, 0) ?? 0;
  counts.set(`worker ${number}`, ngx.worker.pid());
  recur(TICKS_PER_SECOND, look);
}

/** Pids of the others: a new one at once, one that is gone for a second still. */
export function otherWorkers(): readonly number[] {
  if (counts.get('workers') !== known) look();
  return others;
}
