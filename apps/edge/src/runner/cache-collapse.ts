import * as semaphores from 'ngx.semaphore';
import { readFacts } from './cache-object.ts';
import { addNote, ageOfNote, dropNote, noteOf, setNote, textOf } from './cache-under-way.ts';
import { isProcessAlive } from './native.ts';

/**
 * Collapsed forwarding (RFC 9111 4): of requests for what is not stored, one at a time is sent to the origin, and the others look
 * again once its answer is stored. What turns out not to be for others, each fetches by itself, at once.
 */
/** After so long without an answer's head another one asks the origin, too; an answer that has begun is waited for no longer. */
const WAIT_SECONDS = 5;
const POLL_SECONDS = 0.005;
/** Who polls for others is taken for gone when it has not for so long. */
const POLL_SECONDS_MAX = 1;
/** As long as it takes to say that an answer is not to be shared, so that those who come after need not wait for it. */
const UNSHARED_SECONDS = 2;
/** A note of who leads stands no longer. */
const LEAD_SECONDS = 60;

const leadKey = (name: string): string => `lead ${name}`;
/** More than any process has (`PID_MAX_LIMIT` of Linux). */
const PIDS = 4_194_304;
/** A note of who leads: by which number, and in which worker, with which it ends. */
const leaderOf = (number: number): number => number * PIDS + ngx.worker.pid();
const numberOf = (leader: number): number => Math.floor(leader / PIDS);
const isLiving = (leader: number): boolean => isProcessAlive(leader % PIDS);

const unsharedKey = (name: string): string => `each ${name}`;
/** The answer that a leader waited for has begun, and is stored when it has ended. */
const begunKey = (name: string): string => `begun ${name}`;
const takenOverKey = (name: string): string => `taken over ${name}`;
const failedKey = (name: string): string => `failed ${name}`;
/** The origin has answered a leader with a failure, or not at all; else the note is of the leader that it keeps waiting. */
const FAILED = 0;
/** So soon it is not asked anew by who may have what is stale. */
const FAILED_SECONDS = 5;
const arrivingKey = (name: string): string => `arriving ${name}`;
/** nginx puts an answer in its place after it has passed it on, on a busy machine not at once. */
const ARRIVING_SECONDS = 2;

/** A request that may have to wait for another. */
export interface Waiter {
  /** Requests with the same name get the same answer. */
  readonly name: string;
  /** Of the URL, whichever variant is asked for; the same as the name where there is one only. */
  readonly key: string;
  /** By which it leads: how much had been cleared of its route before it, or its own number of a refresh. */
  readonly number: number;
  /** Facts of what was stored when it came, and does not do; empty: nothing was. */
  readonly known: string;
  readonly cameAt: number;
}

/** Those of this worker that wait for the same; one of them looks whether it is over. */
interface Group {
  readonly semaphore: import('ngx.semaphore').Semaphore;
  waiting: number;
  lookedAt: number;
  outcome: Outcome | undefined;
}
const groups = new LuaTable<string, Group>();

/** `look`: there may be something else to do now. */
type Outcome = 'look' | 'lead' | 'each';
/** What to do: lead, ask for itself alone, look for what is stored by now, serve what is stale, or fail as the leader did. */
export type Turn = 'lead' | 'each' | 'again' | 'stale' | 'failed';

const isUnshared = ({ name, key }: Waiter): boolean =>
  noteOf(unsharedKey(name)) !== undefined || (key !== name && noteOf(unsharedKey(key)) !== undefined);

/** Whether one request leads for all others with the same name: it is the first, or the one before it has no claim any more. */
function tryLead({ name, number }: Waiter, isOutdated: (leader: number, number: number) => boolean): Turn | undefined {
  const noted = addNote(leadKey(name), leaderOf(number), LEAD_SECONDS);
  if (noted === 'noted') return 'lead';
  if (noted === 'full') return 'each';
  const leader = noteOf(leadKey(name));
  const isOver = leader !== undefined && (isOutdated(leader, number) || !isLiving(leader));
  return isOver && setNote(leadKey(name), leaderOf(number), LEAD_SECONDS) ? 'lead' : undefined;
}

/** What was asked for before a clear is nothing for who has come after it. */
const isBeforeClear = (leader: number, number: number): boolean => numberOf(leader) < number;

/** What a leader has brought, as it will stand in its place; undefined: nothing that serves, or what was cleared since, which never arrives. */
function arrivingOf({ name, number, known, cameAt }: Waiter): string | undefined {
  const note = textOf(arrivingKey(name));
  if (note === undefined) return undefined;
  const [space = 0] = string.find(note, ' ', 1, true);
  const text = string.sub(note, space + 1);
  if (text === known && (tonumber(string.sub(note, 1, space - 1)) ?? 0) < cameAt) return undefined;
  const facts = readFacts(text);
  if (facts === undefined || facts.clears < number) return undefined;
  return facts.freshUntil + facts.staleWhileRevalidateSeconds > ngx.now() ? text : undefined;
}

/** Whether there may be something else to do than to wait for this leader. */
function isOver(waiter: Waiter, leader: number): boolean {
  if (noteOf(leadKey(waiter.name)) !== leader || isUnshared(waiter) || !isLiving(leader)) return true;
  // Another one, which it has taken over from.
  return arrivingOf(waiter) !== undefined;
}

/** Waits for what was brought to be in its place. */
function awaitArrival<W extends Waiter>(waiter: W, group: Group, isArrived: Arrived<W>): void {
  for (;;) {
    const facts = arrivingOf(waiter);
    if (facts === undefined || isArrived(waiter, facts)) return;
    ngx.sleep(POLL_SECONDS);
    group.lookedAt = ngx.now();
  }
}

const hasBegun = ({ name }: Waiter, leader: number): boolean => noteOf(begunKey(name)) === leader;

/** How long this leader may still be waited for, which has been for so many seconds. */
const patience = (waiter: Waiter, leader: number, waited: number): number =>
  WAIT_SECONDS - (hasBegun(waiter, leader) ? ageOfNote(begunKey(waiter.name), LEAD_SECONDS) : waited);

/** Of those who have waited long enough for a leader without an answer, one asks beside it, until the next has waited as long. */
function takeOver({ name, number }: Waiter): Outcome {
  const isFirst = addNote(takenOverKey(name), 1, WAIT_SECONDS) === 'noted';
  return isFirst && setNote(leadKey(name), leaderOf(number), LEAD_SECONDS) ? 'lead' : 'look';
}

function giveUpWaiting<W extends Waiter>(waiter: W, leader: number, mayServe: MayServe<W>): Outcome {
  if (hasBegun(waiter, leader)) return 'each';
  if (!mayServe(waiter)) return takeOver(waiter);
  setNote(failedKey(waiter.name), leader, LEAD_SECONDS);
  return 'look';
}

/** Whether the origin has just failed a leader, or keeps one waiting. */
function isFailing(name: string): boolean {
  const failed = noteOf(failedKey(name));
  if (failed === undefined || failed === FAILED) return failed === FAILED;
  return failed === noteOf(leadKey(name)) && isLiving(failed);
}

function poll<W extends Waiter>(waiter: W, group: Group, isArrived: Arrived<W>, mayServe: MayServe<W>): Outcome {
  const leader = noteOf(leadKey(waiter.name));
  const beganAt = ngx.now();
  while (leader !== undefined && !isOver(waiter, leader)) {
    if (patience(waiter, leader, ngx.now() - beganAt) <= 0) return giveUpWaiting(waiter, leader, mayServe);
    ngx.sleep(POLL_SECONDS);
    group.lookedAt = ngx.now();
  }
  awaitArrival(waiter, group, isArrived);
  return 'look';
}

function waitForLeader<W extends Waiter>(waiter: W, isArrived: Arrived<W>, mayServe: MayServe<W>): Outcome {
  const { name } = waiter;
  const known = groups.get(name) as Group | undefined;
  if (known !== undefined && ngx.now() - known.lookedAt < POLL_SECONDS_MAX) {
    known.waiting++;
    known.semaphore.wait(WAIT_SECONDS);
    known.waiting--;
    return known.outcome ?? 'look';
  }
  const [semaphore] = semaphores.new(0);
  if (semaphore === undefined) return 'each';
  const group: Group = { semaphore, waiting: 0, lookedAt: ngx.now(), outcome: undefined };
  groups.set(name, group);
  const outcome = poll(waiter, group, isArrived, mayServe);
  if (groups.get(name) === group) groups.delete(name);
  // One leads.
  group.outcome = outcome === 'lead' ? 'look' : outcome;
  if (group.waiting > 0) semaphore.post(group.waiting);
  return outcome;
}

/** Whether an answer with these facts is where nginx finds it for a request, or is none for it. */
export type Arrived<W extends Waiter> = (waiter: W, facts: string) => boolean;
/** Whether what is stored for a request serves though it is stale, where the origin fails. */
export type MayServe<W extends Waiter> = (waiter: W) => boolean;

/**
 * What to do with a request for what is not stored, or not fresh. Waits for a leader, but for one from before the newest clear of the route, and
 * not where the origin has just failed one or does not answer, and what is stored `mayServe`. Who has waited for long fails with the leader:
 * another try would take him as long again, and all of them at once would be too much for an origin that is slow.
 */
export function takeTurn<W extends Waiter>(waiter: W, isArrived: Arrived<W>, mayServe: MayServe<W>): Turn {
  for (;;) {
    const hasWaited = ngx.now() - waiter.cameAt >= WAIT_SECONDS;
    if (hasWaited && sharedFailure(waiter.name) !== undefined) return 'failed';
    if (isUnshared(waiter)) return 'each';
    const facts = arrivingOf(waiter);
    if (facts !== undefined && isArrived(waiter, facts)) return 'again';
    if (isFailing(waiter.name) && mayServe(waiter)) return 'stale';
    const turn = facts === undefined ? tryLead(waiter, isBeforeClear) : undefined;
    if (turn !== undefined) return turn;
    const outcome = waitForLeader(waiter, isArrived, mayServe);
    if (outcome !== 'look') return outcome;
  }
}

const learned = ngx.shared.cordon_learned as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;
/** Of a request to validate, by which it leads. */
export const refreshNumber = (): number => meta.incr('refreshes', 1, 0) ?? 0;

/** A validation that is under way is waited for. */
const isNever = (): boolean => false;

const refreshedKey = (name: string): string => `refreshed ${name}`;
/** Who came during one validation waits for it, and for the next; others may have been quicker. */
const REFRESH_ROUNDS = 5;

/**
 * The same of a request to have validated what is stored and fresh (RFC 9111 5.2.1.4). A validation that is under way does not do for it: its origin may
 * have answered before what the visitor wants to see was changed. So of all who come meanwhile, one asks once that is over, and the others
 * get what it has brought (`refreshedFacts`).
 */
export function takeRefresh(waiter: Waiter): Turn {
  for (let round = 0; round < REFRESH_ROUNDS; round++) {
    const turn = isUnshared(waiter) ? 'each' : tryLead(waiter, isNever);
    if (turn !== undefined) return turn;
    const outcome = waitForLeader(waiter, isRefreshArrived, isNever);
    if (outcome !== 'look') return outcome;
    if (refreshedSince(waiter.name, waiter.cameAt)) return 'again';
  }
  return 'each';
}

/** Who asks for a validation looks by itself for what it has brought. */
const isRefreshArrived = (): boolean => true;

function refreshedSince(name: string, cameAt: number): boolean {
  const [beganAt = ''] = ((learned.get(refreshedKey(name)) ?? '') as string).split(' ');
  return (tonumber(beganAt) ?? 0) >= cameAt;
}

/** To be called by a leader of these before it ends: what is stored was validated, or another is in its place, with these facts (`factsText`). */
export function tellRefreshed(name: string, beganAt: number, facts: string): void {
  learned.set(refreshedKey(name), `${string.format('%.3f', beganAt)} ${facts}`, LEAD_SECONDS);
}

/** Facts of what the last validation of this name has left; empty: none is known. */
export function refreshedFacts(name: string): string {
  const text = (learned.get(refreshedKey(name)) ?? '') as string;
  const [space] = string.find(text, ' ', 1, true);
  return space === undefined ? '' : string.sub(text, space + 1);
}

/** To be called by a leader whose answer is not for the others. */
export function tellUnshared(name: string): void {
  setNote(unsharedKey(name), 1, UNSHARED_SECONDS);
}

const largeKey = (key: string): string => `large ${key}`;
/** So long an answer that had become too large for the cache is not written to it again. */
const LARGE_SECONDS = 3600;

export function tellTooLarge(key: string): void {
  learned.set(largeKey(key), 1, LARGE_SECONDS);
  giveUpLead(key);
}

/** To be called with the key when nothing is stored of a leader's answer that has begun as one for the others: for as long as it may lead. */
export function giveUpLead(key: string): void {
  setNote(unsharedKey(key), 1, LEAD_SECONDS);
}

export const isTooLarge = (key: string): boolean => learned.get(largeKey(key)) !== undefined;

/** To be called when a leader's answer has begun that the others get, too. */
export function tellBegun(name: string, number: number): void {
  setNote(begunKey(name), leaderOf(number), LEAD_SECONDS);
  dropNote(failedKey(name));
  dropNote(sharedFailureKey(name));
}

const sharedFailureKey = (name: string): string => `failure ${name}`;

/** With what a leader has just failed, as it was told. */
export const sharedFailure = (name: string): string | undefined => textOf(sharedFailureKey(name));

/** To be called when a leader gets nothing, and nothing that is stored serves. False: another one that has taken over is being answered. */
export function shareFailure(name: string, failure: string): boolean {
  if (noteOf(begunKey(name)) !== undefined) return false;
  return setNote(sharedFailureKey(name), failure, FAILED_SECONDS);
}

/** To be called when the origin has failed a leader, and what is stored serves. */
export function tellFailed(name: string): void {
  setNote(failedKey(name), FAILED, FAILED_SECONDS);
}

/** To be called when an exchange is over whose answer is about to be in its place, with these facts (`factsText`). */
export function tellArriving(name: string, facts: string): void {
  setNote(arrivingKey(name), `${string.format('%.3f', ngx.now())} ${facts}`, ARRIVING_SECONDS);
}

/** To be called when a leader's exchange is over; another one may have taken its place after a clear. */
export function endLead(name: string, number: number): void {
  if (noteOf(leadKey(name)) !== leaderOf(number)) return;
  dropNote(leadKey(name));
  dropNote(begunKey(name));
}
