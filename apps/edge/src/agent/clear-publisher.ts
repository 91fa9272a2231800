import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeClear } from '@cordon/contract/edge-config';
import { type AdminClient, isNotListening, type RunnerClear } from './admin-client.ts';
import { bytesOf, decodedPath } from './byte-path.ts';
import { log } from './log.ts';

/** Lines of one call: it blocks its nginx worker meanwhile. */
const LINES_AT_ONCE = 500;
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

interface Waiting extends ClearEvent {
  /** By performance.now(). */
  readonly cameAt: number;
  readonly lines: RunnerClear[];
}

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

/** Has nginx clear its cache, in the order in which it was told, one call at a time; what it has been given survives its restarts. */
export class ClearPublisher {
  readonly #admin: Pick<AdminClient, 'postClears'>;
  readonly #queue: Waiting[] = [];
  /** Clears that came without a cursor: with it, they need not be carried out again. */
  readonly #early = new Set<string>();
  #isRunning = false;
  #isStopped = false;
  /** nginx has carried out events: no request that it answers gets what they mean. */
  onDone: (cursor: string | undefined, done: readonly ClearDone[]) => void = () => {};

  constructor(admin: Pick<AdminClient, 'postClears'>) {
    this.#admin = admin;
  }

  /** Events that nginx has not carried out. */
  get waiting(): number {
    return this.#queue.length;
  }

  add(given: ClearEvent): void {
    const event = { ...given, clears: this.#withoutKnown(given) };
    this.#queue.push({ ...event, cameAt: performance.now(), lines: linesOf(event) });
    if (!this.#isRunning) void this.#drain();
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
    while (this.#queue.length > 0 && !this.#isStopped) {
      const lines: RunnerClear[] = [];
      for (const event of this.#queue) {
        if (lines.length >= LINES_AT_ONCE) break;
        lines.push(...event.lines.slice(0, LINES_AT_ONCE - lines.length));
      }
      try {
        if (lines.length > 0) {
          const { error } = await this.#admin.postClears(lines);
          if (error !== '') throw new Error(error);
        }
        waitMs = RETRY_FIRST_MS;
        this.#note(lines.length);
      } catch (error) {
        if (waitMs >= RETRY_LAST_MS && !isNotListening(error))
          log.warn('nginx does not clear its cache', { waiting: this.#queue.length, error });
        await delay(waitMs);
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
    this.#isRunning = false;
  }

  /** So many lines are done: events that have none left are. */
  #note(count: number): void {
    const now = performance.now();
    const done: ClearDone[] = [];
    let left = count;
    let finished = 0;
    let cursor: string | undefined;
    for (const { lines, ...event } of this.#queue) {
      left -= lines.splice(0, left).length;
      if (lines.length > 0) break;
      finished++;
      cursor = event.cursor ?? cursor;
      for (const { id, age_ms: ageMs = 0 } of event.clears)
        done.push({ id, milliseconds: Math.round((ageMs + now - event.cameAt) * 1000) / 1000 });
    }
    this.#queue.splice(0, finished);
    if (cursor !== undefined || done.length > 0) this.onDone(cursor, done);
  }
}
