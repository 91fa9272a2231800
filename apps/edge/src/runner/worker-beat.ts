import { recur, TICKS_PER_SECOND } from './recurring.ts';

/**
 * Each worker says once a second that it lives: the master sees only those that die, and a worker that hangs keeps its
 * visitors waiting. The agent ends it (nginx-watch.ts).
 */
const meta = ngx.shared.cordon_meta as SharedDict;

function beat(this: void): void {
  const worker = ngx.worker.id();
  // nginx's clock has stood still while it read its configuration, on a slow machine for seconds.
  ngx.update_time();
  // Before the pid: who looks in between must not take a new worker for as silent as the one before.
  meta.set(`beat at ${worker}`, ngx.now());
  meta.set(`beat pid ${worker}`, ngx.worker.pid());
}

/** `init_worker_by_lua`. */
export function startBeat(): void {
  beat();
  recur(TICKS_PER_SECOND, beat);
}

/** How long ago each worker said that it lives, in seconds. */
export function workerSilences(): { pid: number; silent_seconds: number }[] {
  const silences: { pid: number; silent_seconds: number }[] = [];
  for (let worker = 0; worker < ngx.worker.count(); worker++) {
    const pid = meta.get(`beat pid ${worker}`) as number | undefined;
    const at = meta.get(`beat at ${worker}`) as number | undefined;
    if (pid !== undefined && at !== undefined) silences.push({ pid, silent_seconds: ngx.now() - at });
  }
  return silences;
}
