/**
 * What goes wrong inside the runner. nginx would write the visitor's request line and referrer beside each message of
 * its log, so that messages go through shared memory, and the agent logs them.
 */
const meta = ngx.shared.cordon_meta as SharedDict;
const TEXT_MAX = 2000;

export function reportFault(text: string): void {
  meta.incr('faults', 1, 0);
  meta.safe_set('fault', string.sub(text, 1, TEXT_MAX));
}

/** How many there were since nginx started, and the newest. */
export function faultsSoFar(): { count: number; last: string } {
  return { count: (meta.get('faults') ?? 0) as number, last: (meta.get('fault') ?? '') as string };
}

/** Sends everything that is logged this way, libraries' messages too. */
export function captureLog(): void {
  ngx.log = (_, ...message) => reportFault(message.join(''));
}

function describeFault(this: void, error: unknown): string {
  reportFault(debug.traceback(tostring(error), 2));
  return '';
}

/** Runs what no request waits for; when it throws, the fault is reported. */
export function attempt(work: (this: void) => void): void {
  xpcall(work, describeFault);
}

/** Runs an entry point; when it throws, the request ends with 500 and the fault is reported. */
export function guarded(work: (this: void, isTls: boolean) => void): (this: void, isTls: boolean) => void {
  return (isTls) => {
    const [isDone] = xpcall(work, describeFault, isTls);
    if (!isDone) ngx.exit(500);
  };
}

const WOULD_WAIT = {};

/** To be called before anything that waits: ends a decision (`set_by_lua`), where nothing can. */
export function needToWait(): void {
  if (ngx.get_phase() === 'set') error(WOULD_WAIT as never);
}

/** The same for a decision: what to do next when it throws, and when it has to wait. */
export function guardedDecision(
  decide: (this: void, isTls: boolean) => string,
  whenFailed: string,
  whenWaiting: (this: void) => string,
): (this: void, isTls: boolean) => string {
  const next = function (this: void, thrown: unknown): string {
    if (thrown === WOULD_WAIT) return whenWaiting();
    describeFault(thrown);
    return whenFailed;
  };
  return (isTls) => {
    const [, step] = xpcall(decide, next, isTls);
    return step;
  };
}
