import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeClear } from '@cordon/contract/edge-config';
import { type AdminClient, isNotListening, type RunnerClear } from './admin-client.ts';
import { bytesOf, decodedPath } from './byte-path.ts';
import { log } from './log.ts';

/** Lines of one call: it blocks its nginx worker meanwhile, which takes no more of them than it can within milliseconds. */
const LINES_AT_ONCE = 100;
/** Of them, of one domain: accounts take turns, and the domains of each. */
const LINES_PER_TURN = 20;
/** Of those whose storing failed nothing comes again. */
const EARLY_MAX = 10_000;
const RETRY_FIRST_MS = 10;
const RETRY_LAST_MS = 1000;

/** An event of the control plane, or what the agent clears by itself. */
export interface ClearEvent {
  /** Where the stream goes on once nginx has carried it out; undefined: it is the agent's own, or comes once more with one. */
  readonly cursor?: string;
  readonly clears: readonly EdgeClear[];
  /** Everything that is stored on the node. */
  readonly isAll?: boolean;
  /** All of these routes. */
  readonly routeIds?: readonly string[];
}

/** A clear that nginx has carried out. */
export interface ClearDone {
  readonly id: string;
  /** Since the call that asked for it. */
  readonly milliseconds: number;
}

interface Waiting {
  readonly cursor: string | undefined;
  /** By performance.now(). */
  readonly cameAt: number;
  /** Not reported yet, by id. */
  readonly clears: Map<string, EdgeClear>;
  /** Lines that nginx has not carried out. */
  left: number;
}

interface WaitingLine {
  readonly line: RunnerClear;
  readonly of: Waiting;
  readonly account: string;
}

/** Lines by route, the one whose turn is next first. */
type Turns = Map<string, WaitingLine[]>;

const KINDS = { all: 'all', urls: 'url', prefixes: 'prefix', tags: 'tag' } as const;

/** As nginx names it: the path decoded, the query as it is. */
function runnerValue({ kind }: EdgeClear, value: string): string {
  if (kind === 'tags') return bytesOf(value);
  const mark = value.indexOf('?');
  return mark < 0 ? decodedPath(value) : decodedPath(value.slice(0, mark)) + bytesOf(value.slice(mark));
}

function linesOf({ clears, isAll, routeIds = [] }: ClearEvent): RunnerClear[] {
  const all = (route_id: string, soft = false): RunnerClear => ({ route_id, kind: 'all', value: '', soft });
  return [
    ...(isAll ? [all('*')] : []),
    ...routeIds.map((id) => all(id)),
    ...clears.flatMap((clear): RunnerClear[] => {
      const { id, route_id, kind, values, soft } = clear;
      if (kind === 'all') return [{ ...all(route_id, soft), id, last: true }];
      return values.map((value, at) => ({
        route_id,
        kind: KINDS[kind],
        value: runnerValue(clear, value),
        soft,
        id,
        ...(at === values.length - 1 ? { last: true } : {}),
      }));
    }),
  ];
}

/** To be called once for each. */
function reportOf({ clears, cameAt }: Waiting, { id, age_ms: ageMs = 0 }: EdgeClear): ClearDone {
  clears.delete(id);
  return { id, milliseconds: Math.round((ageMs + performance.now() - cameAt) * 1000) / 1000 };
}

/**
 * Has nginx clear its cache, one call at a time, by turns of accounts, and of the domains of each: what one account has cleared, of however many
 * domains, delays what another has by one short call. What nginx has been given survives its restarts.
 */
export class ClearPublisher {
  readonly #admin: Pick<AdminClient, 'postClears'>;
  /** In the order in which they came. */
  readonly #events: Waiting[] = [];
  readonly #accountOf: (routeId: string) => string | undefined;
  /** By account, the one whose turn is next first. */
  readonly #turns = new Map<string, Turns>();
  /** Clears that came without a cursor: with it, they need not be carried out again. */
  readonly #early = new Set<string>();
  #isRunning = false;
  #isStopped = false;
  /** nginx has carried out clears, and all events up to a cursor: no request that it answers gets what they mean. */
  onDone: (cursor: string | undefined, done: readonly ClearDone[]) => void = () => {};

  /** @param accountOf The account of a route that the node serves. */
  constructor(admin: Pick<AdminClient, 'postClears'>, accountOf: (routeId: string) => string | undefined) {
    this.#admin = admin;
    this.#accountOf = accountOf;
  }

  /** Events that nginx has not carried out. */
  get waiting(): number {
    return this.#events.length;
  }

  add(given: ClearEvent): void {
    const event = { ...given, clears: this.#withoutKnown(given) };
    const lines = linesOf(event);
    const waiting: Waiting = {
      cursor: event.cursor,
      cameAt: performance.now(),
      clears: new Map(event.clears.map((clear) => [clear.id, clear])),
      left: lines.length,
    };
    this.#events.push(waiting);
    for (const line of lines)
      this.#enqueue({ line, of: waiting, account: this.#accountOf(line.route_id) ?? line.route_id });
    if (!this.#isRunning) void this.#drain();
  }

  #enqueue(waiting: WaitingLine): void {
    const { line, account } = waiting;
    const turns: Turns = this.#turns.get(account) ?? new Map();
    this.#turns.set(account, turns);
    const turn = turns.get(line.route_id);
    if (turn) turn.push(waiting);
    else turns.set(line.route_id, [waiting]);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Those that have not come before, without a cursor. */
  #withoutKnown({ cursor, clears }: ClearEvent): readonly EdgeClear[] {
    if (cursor !== undefined) return clears.filter(({ id }) => !this.#early.delete(id));
    if (this.#early.size + clears.length > EARLY_MAX) this.#early.clear();
    for (const { id } of clears) this.#early.add(id);
    return clears;
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    let waitMs = RETRY_FIRST_MS;
    while (this.#events.length > 0 && !this.#isStopped) {
      const lines = this.#nextLines();
      try {
        let taken = 0;
        if (lines.length > 0) {
          const result = await this.#admin.postClears(lines.map(({ line }) => line));
          if (result.error !== '') throw new Error(result.error);
          taken = result.taken;
        }
        waitMs = RETRY_FIRST_MS;
        this.#note(lines.slice(0, taken));
      } catch (error) {
        if (waitMs >= RETRY_LAST_MS && !isNotListening(error))
          log.warn('nginx does not clear its cache', { waiting: this.#events.length, error });
        await delay(waitMs);
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
    this.#isRunning = false;
  }

  /** Those of a domain stand together, and those of each account's first domain before all others. */
  #nextLines(): WaitingLine[] {
    const lines: WaitingLine[] = [];
    let accounts = [...this.#turns.values()].map((turns) => turns.values());
    while (accounts.length > 0 && lines.length < LINES_AT_ONCE)
      accounts = accounts.filter((turns) => {
        const turn = turns.next().value ?? [];
        lines.push(...turn.slice(0, Math.min(LINES_PER_TURN, LINES_AT_ONCE - lines.length)));
        return turn.length > 0;
      });
    return lines;
  }

  /** These lines are done: accounts and domains that have more of them wait for their next turn. */
  #note(taken: readonly WaitingLine[]): void {
    for (const { account, line } of taken) {
      const turns: Turns = this.#turns.get(account) ?? new Map();
      const turn = turns.get(line.route_id) ?? [];
      turn.shift();
      turns.delete(line.route_id);
      if (turn.length > 0) turns.set(line.route_id, turn);
      this.#turns.delete(account);
      if (turns.size > 0) this.#turns.set(account, turns);
    }
    const done: ClearDone[] = [];
    for (const { line, of } of taken) {
      of.left--;
      const clear = line.last && line.id !== undefined ? of.clears.get(line.id) : undefined;
      if (clear) done.push(reportOf(of, clear));
    }
    let cursor: string | undefined;
    let finished = 0;
    for (const event of this.#events) {
      if (event.left > 0) break;
      finished++;
      cursor = event.cursor ?? cursor;
      for (const clear of event.clears.values()) done.push(reportOf(event, clear));
    }
    this.#events.splice(0, finished);
    if (cursor !== undefined || done.length > 0) this.onDone(cursor, done);
  }
}
