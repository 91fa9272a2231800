import * as semaphores from 'ngx.semaphore';
import { get_request } from 'resty.core.base';
import { otherWorkers } from './living-workers.ts';
import { visitorDescriptor } from './native.ts';
import { isClosedByPeer } from './socket.ts';

/**
 * What requests hold at once on this node, counted by key and worker process: what a killed worker leaves behind does not
 * count, because only living workers' counts are added up.
 */
const counts = ngx.shared.cordon_connections as SharedDict;

/** Names of places that are held in this worker, by who holds them. */
const held = new LuaTable<string, string[]>();

/** One who waits for a place; `name` is what it is of. */
interface Waiter {
  readonly holder: string;
  readonly name: string;
  readonly semaphore: semaphores.Semaphore;
  readonly visitor: number | undefined;
  /** Unix seconds. */
  readonly since: number;
  next: Waiter | undefined;
}

/** Those who wait in this worker for places of one name, the first first. */
interface Queue {
  first: Waiter | undefined;
  last: Waiter | undefined;
  /** Unix seconds of the last look for those who have left. */
  lookedAt: number;
}

const queues = new LuaTable<string, Queue>();
/** Waiters of this worker by holder. */
const waiters = new LuaTable<string, Waiter>();

/** How often the first of a queue looks for places that other workers have given back: of its own it is told. */
const LOOK_SECONDS = 0.005;
/** A worker's own places go round within it, unless another worker's first has come so much earlier. */
const FAIR_SECONDS = 0.05;
/** How often a queue is looked through for visitors who have left. */
const LEAVERS_SECONDS = 0.1;
/** The least that a wait can take: with less, the cached clock of nginx would never move. */
const WAIT_SECONDS_MIN = 0.001;

/** Counts one more of a name; false when there are `limit`. `giveBack` takes it off again. */
function count(name: string, limit: number): boolean {
  const key = `${ngx.worker.pid()} ${name}`;
  // Counted before the others are asked: of two workers at the last place none may overlook the other.
  let sum = (counts.incr(key, 1, 0) ?? 1) as number;
  for (const other of otherWorkers()) sum += (counts.get(`${other} ${name}`) ?? 0) as number;
  if (sum > limit) giveBack(name);
  return sum <= limit;
}

/** Takes a place under a name for a holder; false when `limit` are taken. `releasePlaces` gives it back. */
export function takePlace(holder: string, name: string, limit: number): boolean {
  if (!count(name, limit)) return false;
  const names = held.get(holder) as string[] | undefined;
  if (names === undefined) held.set(holder, [name]);
  else names.push(name);
  return true;
}

/**
 * Takes a place as `takePlace` does, and waits for one up to `seconds`, where this may wait. Those who came first go first:
 * in a worker always, among workers within 50 ms. `refused` when there was none in time, or when as many wait already as may
 * hold a place: no queue is longer than what its holders are through with in a round. The limit, none at zero, is asked for
 * anew each time: it may be raised meanwhile.
 */
export function waitForPlace(
  holder: string,
  name: string,
  limit: () => number,
  seconds: number,
): 'taken' | 'refused' | 'left' {
  if (queues.get(name) === undefined && takeInTurn(holder, name, limit(), ngx.now())) return 'taken';
  const waiter = enqueue(holder, name, limit());
  if (waiter === undefined) return 'refused';
  const deadline = ngx.now() + seconds;
  let isTaken = false;
  for (let left = seconds; left > 0 && !isTaken; left = deadline - ngx.now()) {
    waiter.semaphore.wait(isFirst(waiter) ? LOOK_SECONDS : Math.max(left, WAIT_SECONDS_MIN));
    if (isFirst(waiter)) dropLeavers(queues.get(name) as Queue);
    if (waiters.get(holder) === undefined) return 'left';
    isTaken = isFirst(waiter) && takeInTurn(holder, name, limit(), waiter.since);
  }
  leaveQueue(holder);
  return isTaken ? 'taken' : 'refused';
}

/** Takes a place for one who came at `since`, unless another worker has one who has waited longer. */
function takeInTurn(holder: string, name: string, limit: number, since: number): boolean {
  if (limit === 0) return true;
  for (const other of otherWorkers()) {
    const earliest = counts.get(`first ${other} ${name}`) as number | undefined;
    if (earliest !== undefined && earliest < since - FAIR_SECONDS) return false;
  }
  return takePlace(holder, name, limit);
}

const waitingFor = (name: string): string => `waiting ${name}`;

/** Tells the other workers since when the first of this worker's queue has waited. */
function tellFirst(name: string, first: Waiter | undefined): void {
  const key = `first ${ngx.worker.pid()} ${name}`;
  if (first === undefined) counts.delete(key);
  else counts.set(key, first.since);
}

function enqueue(holder: string, name: string, limit: number): Waiter | undefined {
  const [semaphore] = semaphores.new(0);
  if (semaphore === undefined || !count(waitingFor(name), limit)) return undefined;
  const request = get_request();
  const visitor = request === undefined ? undefined : visitorDescriptor(request);
  const waiter: Waiter = { holder, name, semaphore, visitor, since: ngx.now(), next: undefined };
  const queue = queues.get(name) as Queue | undefined;
  if (queue === undefined) {
    queues.set(name, { first: waiter, last: waiter, lookedAt: 0 });
    tellFirst(name, waiter);
  } else {
    (queue.last as Waiter).next = waiter;
    queue.last = waiter;
  }
  waiters.set(holder, waiter);
  return waiter;
}

const isFirst = (waiter: Waiter): boolean => queues.get(waiter.name)?.first === waiter;

/** Takes one out of its queue, wherever it stands; the next one looks for a place at once. */
function leaveQueue(holder: string): void {
  const waiter = waiters.get(holder) as Waiter | undefined;
  if (waiter === undefined) return;
  const queue = queues.get(waiter.name) as Queue;
  let before: Waiter | undefined;
  for (let at = queue.first; at !== undefined && at !== waiter; at = at.next) before = at;
  unlink(queue, before, waiter);
  if (before === undefined) noteFirst(queue, waiter.name);
}

function unlink(queue: Queue, before: Waiter | undefined, waiter: Waiter): void {
  waiters.delete(waiter.holder);
  if (before === undefined) queue.first = waiter.next;
  else before.next = waiter.next;
  if (queue.last === waiter) queue.last = before;
  giveBack(waitingFor(waiter.name));
}

/** Where a queue has another first, or none any more. */
function noteFirst(queue: Queue, name: string): void {
  tellFirst(name, queue.first);
  if (queue.first === undefined) queues.delete(name);
  else queue.first.semaphore.post(1);
}

/** Takes those out of a queue whose connection the visitor has closed: nginx looks for that only once their wait is over. */
function dropLeavers(queue: Queue): void {
  if (ngx.now() - queue.lookedAt < LEAVERS_SECONDS) return;
  queue.lookedAt = ngx.now();
  const first = queue.first as Waiter;
  let before: Waiter | undefined;
  for (let at = queue.first; at !== undefined; at = at.next) {
    if (at.visitor !== undefined && isClosedByPeer(at.visitor)) {
      unlink(queue, before, at);
      at.semaphore.post(1);
    } else before = at;
  }
  if (queue.first !== first) noteFirst(queue, first.name);
}

/** Gives back all that is held, and a place in a queue. Of a request, in `log_by_lua` of every place where it can end. */
export function releasePlaces(holder: string): void {
  leaveQueue(holder);
  const names = held.get(holder) as string[] | undefined;
  if (names === undefined) return;
  held.delete(holder);
  for (const name of names) {
    giveBack(name);
    queues.get(name)?.first?.semaphore.post(1);
  }
}

/** Only this worker writes the key, so no other count comes between the two steps. */
function giveBack(name: string): void {
  const key = `${ngx.worker.pid()} ${name}`;
  if ((counts.incr(key, -1) ?? 0) <= 0) counts.delete(key);
}
