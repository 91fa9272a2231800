import { recur, TICKS_PER_SECOND } from './recurring.ts';

/**
 * Each worker says once a second that it lives: the master sees only those that die, and a worker that hangs keeps its
 * visitors waiting. The agent ends it (nginx-watch.ts).
 */
const meta = ngx.shared.cordon_meta as SharedDict;

function beat(this: void): void {
  const worker = ngx.worker.id();
  meta.set(`beat pid ${worker}`, ngx.worker.pid());
  meta.set(`beat at ${worker}`, ngx.now());
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
