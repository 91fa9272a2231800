import * as semaphores from 'ngx.semaphore';
import { clearsSoFar } from './cache-clears.ts';

/**
 * Collapsed forwarding (RFC 9111 4): of requests for what is not stored, one at a time is sent to the origin, and the others look
 * again once its answer is stored. What turns out not to be for others, each fetches by itself, at once.
 */
const fetches = ngx.shared.cordon_fetches as SharedDict;
/** Who waits longer asks the origin too. */
const WAIT_SECONDS = 5;
const POLL_SECONDS = 0.005;
/** As long as it takes to say that an answer is not to be shared, so that those who come after need not wait for it. */
const UNSHARED_SECONDS = 2;
/** A leader that was killed leads no longer than this. */
const LEAD_SECONDS = 60;

const leadKey = (name: string): string => `lead ${name}`;
const unsharedKey = (name: string): string => `each ${name}`;
const arrivingKey = (name: string): string => `arriving ${name}`;
/** nginx puts an answer in its place after it has passed it on: who asks in between finds nothing. */
const ARRIVING_SECONDS = 0.1;

/** Those of this worker that wait for the same; the first looks whether it is over. */
interface Group {
  readonly semaphore: import('ngx.semaphore').Semaphore;
  waiting: number;
}
const groups = new LuaTable<string, Group>();

export type Turn = 'lead' | 'each' | 'again';

/** Whether one request leads for all others with the same name: it is the first, or each has to ask for itself. */
function tryLead(name: string): Turn | undefined {
  if (fetches.get(unsharedKey(name)) !== undefined) return 'each';
  const [isFirst, error] = fetches.add(leadKey(name), 1, LEAD_SECONDS);
  if (isFirst === true) return 'lead';
  return error === 'exists' ? undefined : 'each';
}

function isOver(name: string): boolean {
  return fetches.get(leadKey(name)) === undefined || fetches.get(unsharedKey(name)) !== undefined;
}

function poll(name: string, group: Group): boolean {
  const deadline = ngx.now() + WAIT_SECONDS;
  while (!isOver(name) && ngx.now() < deadline) ngx.sleep(POLL_SECONDS);
  groups.delete(name);
  if (group.waiting > 0) group.semaphore.post(group.waiting);
  return isOver(name);
}

/** False: it took too long. */
function waitForLeader(name: string): boolean {
  const known = groups.get(name) as Group | undefined;
  if (known !== undefined) {
    known.waiting++;
    known.semaphore.wait(WAIT_SECONDS);
    return isOver(name);
  }
  const [semaphore] = semaphores.new(0);
  if (semaphore === undefined) return false;
  const group: Group = { semaphore, waiting: 0 };
  groups.set(name, group);
  return poll(name, group);
}

/** What to do with a request for what is not stored, or not fresh: lead, ask for itself alone, or look again. Waits for a leader. */
export function takeTurn(name: string, hasStored: boolean): Turn {
  const clears = fetches.get(arrivingKey(name)) as number | undefined;
  // What was cleared since then never arrives.
  if (!hasStored && clears !== undefined && clears >= clearsSoFar()) return 'again';
  const turn = tryLead(name);
  if (turn !== undefined) return turn;
  if (!waitForLeader(name)) return 'each';
  return fetches.get(unsharedKey(name)) === undefined ? 'again' : 'each';
}

/** To be called by a leader whose answer is not for the others. */
export function tellUnshared(name: string): void {
  fetches.set(unsharedKey(name), 1, UNSHARED_SECONDS);
}

/** To be called when an exchange is over whose answer is about to be in its place; `clears` there were when it began. */
export function tellArriving(name: string, clears: number): void {
  fetches.set(arrivingKey(name), clears, ARRIVING_SECONDS);
}

/** To be called when a leader's exchange is over. */
export function endLead(name: string): void {
  fetches.delete(leadKey(name));
}
