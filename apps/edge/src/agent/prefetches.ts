import {
  type EdgePrefetch,
  type EdgePrefetchProblem,
  type EdgePrefetchReport,
  PREFETCH_PROBLEMS_MAX,
} from '@cordon/contract/edge-config';
import { ControlError } from './control-client.ts';
import { log } from './log.ts';
import type { OwnVisit, OwnVisitResult } from './own-visits.ts';
import { outcomeOf } from './prefetch-outcome.ts';
import { type PlannedVisit, visitsOf } from './prefetch-visits.ts';

export interface PrefetchLimits {
  /** Visits of the node at a time, and the most that the origin of a route has open. */
  readonly atOnce: number;
  /** A visit that takes longer keeps no other domain waiting. */
  readonly briskMs: number;
  readonly visitMs: number;
  readonly prefetchMs: number;
  /** Between two reports, and the longest while without one. */
  readonly reportMs: number;
  readonly beatMs: number;
  /** How long the next part may be away. */
  readonly partMs: number;
  /** Prefetches that the node knows of. */
  readonly prefetches: number;
}

const LIMITS: PrefetchLimits = {
  atOnce: 4,
  briskMs: 3_000,
  visitMs: 60_000,
  prefetchMs: 30 * 60_000,
  reportMs: 500,
  beatMs: 10_000,
  partMs: 15_000,
  prefetches: 100,
};

/** An origin rests as long as it has worked for a visit, a second at the most. */
const REST_MS_MAX = 1_000;
/** What nginx did not answer at all, as while it starts anew, is asked for once more. */
const AGAIN_MS = 1_000;
const READY_MS = 200;
const RETRY_MS = 5_000;
/** Prefetches of one report, of which each may bring 50 problems. */
const REPORTED_AT_ONCE = 5;

/** A prefetch that the node works on, or has yet to report the end of. */
interface Work {
  readonly id: string;
  readonly routeId: string;
  readonly startedAt: number;
  readonly visits: Generator<PlannedVisit>[];
  readonly parts: number;
  arrived: number;
  partAt: number;
  open: number;
  state: EdgePrefetchReport['state'];
  readonly counts: { kept: number; fresh: number; unkept: number; failed: number };
  readonly problems: EdgePrefetchProblem[];
  toldProblems: number;
  isChanged: boolean;
  toldAt: number;
}

/**
 * Fetches URLs into the cache of this node by asking its own nginx. Few at a time, whatever was asked of it: domains take turns, and each
 * origin rests between two requests. What it knows is in memory only: an agent that starts anew knows of none, and the control plane
 * writes them off.
 */
export class Prefetches {
  readonly #visits: { visit(visit: OwnVisit, timeoutMs: number): Promise<OwnVisitResult> };
  readonly #send: (body: string) => Promise<void>;
  readonly #limits: PrefetchLimits;
  /** In the order in which they came. */
  readonly #works = new Map<string, Work>();
  /** Routes whose origins rest, and until when, by performance.now(). */
  readonly #rests = new Map<string, number>();
  /** Requests of a route that are open, also those of prefetches that were ended. */
  readonly #openOf = new Map<string, number>();
  /** Routes, the one whose turn was longest ago first. */
  #turns: string[] = [];
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #reporter: NodeJS.Timeout | undefined;
  #isReporting = false;
  /** By performance.now(): the control plane did not take the last report. */
  #silentUntil = 0;
  #isStopped = false;
  /** Whether nginx knows the key and what it serves. */
  isReady: () => boolean = () => false;

  constructor(
    visits: { visit(visit: OwnVisit, timeoutMs: number): Promise<OwnVisitResult> },
    send: (body: string) => Promise<void>,
    limits: Partial<PrefetchLimits> = {},
  ) {
    this.#visits = visits;
    this.#send = send;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Prefetches that are not over. */
  get running(): number {
    return [...this.#works.values()].filter(({ state }) => state === 'running').length;
  }

  /** A part of one, of which the first begins it. */
  take(part: EdgePrefetch): void {
    const known = this.#works.get(part.id);
    if (known) {
      if (known.state === 'running' && known.arrived === part.part) this.#add(known, part);
    } else if (part.part === 0) this.#begin(part);
  }

  #begin(part: EdgePrefetch): void {
    const now = performance.now();
    const work: Work = {
      ...{
        id: part.id,
        routeId: part.route_id,
        startedAt: now,
        visits: [],
        parts: part.parts,
        arrived: 0,
        partAt: now,
      },
      ...{ open: 0, state: this.running < this.#limits.prefetches ? 'running' : 'busy', problems: [], toldProblems: 0 },
      ...{ counts: { kept: 0, fresh: 0, unkept: 0, failed: 0 }, isChanged: true, toldAt: now },
    };
    this.#works.set(work.id, work);
    if (!this.#turns.includes(work.routeId)) this.#turns.push(work.routeId);
    this.#reporter ??= setInterval(() => void this.#report(), this.#limits.reportMs);
    if (work.state === 'running') this.#add(work, part);
  }

  #add(work: Work, part: EdgePrefetch): void {
    work.arrived++;
    work.partAt = performance.now();
    work.visits.push(visitsOf(part));
    this.#run();
  }

  /** It goes on no more; what it asks for now comes to its end. */
  end(id: string): void {
    this.#works.delete(id);
  }

  /** Begins as many visits as there may be, and looks again when an origin has rested. */
  #run(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    if (!this.isReady()) {
      if (this.running > 0) this.#timer = setTimeout(() => this.#run(), READY_MS);
      return;
    }
    const now = performance.now();
    for (const [routeId, until] of this.#rests) if (until <= now) this.#rests.delete(routeId);
    while (this.#open < this.#limits.atOnce) {
      const next = this.#next();
      if (next === undefined) break;
      void this.#visit(next.work, next.planned);
    }
    // Also where it has passed by now: who rested above has not been looked at since.
    const until = Math.min(...this.#rests.values());
    if (until < Infinity) this.#timer = setTimeout(() => this.#run(), Math.max(0, until - now) + 1);
  }

  /** The next visit of the route whose turn it is, of its oldest prefetch. */
  #next(): { work: Work; planned: PlannedVisit } | undefined {
    for (const routeId of this.#turns) {
      if (this.#rests.has(routeId) || (this.#openOf.get(routeId) ?? 0) >= this.#limits.atOnce) continue;
      for (const work of this.#works.values()) {
        const planned = work.routeId === routeId && work.state === 'running' ? takeNext(work) : undefined;
        if (planned === undefined) continue;
        this.#turns = [...this.#turns.filter((id) => id !== routeId), routeId];
        return { work, planned };
      }
    }
    return undefined;
  }

  #count(work: Work, change: 1 | -1): void {
    work.open += change;
    const open = (this.#openOf.get(work.routeId) ?? 0) + change;
    if (open === 0) this.#openOf.delete(work.routeId);
    else this.#openOf.set(work.routeId, open);
  }

  async #visit(work: Work, planned: PlannedVisit): Promise<void> {
    this.#open++;
    this.#count(work, 1);
    let isBrisk = true;
    const letOthersGo = () => {
      if (isBrisk) this.#open--;
      isBrisk = false;
    };
    const slow = setTimeout(() => {
      letOthersGo();
      this.#run();
    }, this.#limits.briskMs);
    const startedAt = performance.now();
    const { visitMs } = this.#limits;
    let result = await this.#visits.visit(planned.visit, visitMs);
    if (result.status === 0 && result.milliseconds < Math.min(visitMs, AGAIN_MS)) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      result = await this.#visits.visit(planned.visit, visitMs);
    }
    const outcome = outcomeOf(result);
    if (outcome.isFetched) {
      const now = performance.now();
      this.#rests.set(work.routeId, now + Math.min(now - startedAt, REST_MS_MAX));
    }
    clearTimeout(slow);
    letOthersGo();
    this.#count(work, -1);
    work.counts[outcome.is]++;
    work.isChanged = true;
    if (outcome.is === 'unkept' || outcome.is === 'failed') this.#noteProblem(work, planned, result, outcome.reason);
    this.#judge(work);
    this.#run();
  }

  #noteProblem(work: Work, { url, device, language }: PlannedVisit, { status }: OwnVisitResult, reason: string): void {
    if (work.problems.length >= PREFETCH_PROBLEMS_MAX) return;
    work.problems.push({ url, device, language, status, reason });
  }

  /** Whether it is over. */
  #judge(work: Work): void {
    if (work.state !== 'running') return;
    if (work.open === 0 && work.visits.length === 0 && work.arrived === work.parts) work.state = 'done';
    else if (performance.now() - work.startedAt > this.#limits.prefetchMs) work.state = 'timed_out';
    else return;
    work.isChanged = true;
  }

  /** Those of which there is something to tell; what has lost a part is forgotten, so that the control plane hears no more of it. */
  #due(): Work[] {
    const now = performance.now();
    const { beatMs, partMs } = this.#limits;
    for (const work of this.#works.values()) {
      this.#judge(work);
      if (work.state !== 'running' || work.arrived === work.parts || now - work.partAt < partMs) continue;
      log.warn('a prefetch has come in part only and is left out', { route_id: work.routeId });
      this.#works.delete(work.id);
    }
    return [...this.#works.values()]
      .filter(({ isChanged, toldAt }) => isChanged || now - toldAt >= beatMs)
      .slice(0, REPORTED_AT_ONCE);
  }

  async #report(): Promise<void> {
    if (this.#isReporting || performance.now() < this.#silentUntil) return;
    const due = this.#due();
    this.#forgetRoutes();
    if (due.length === 0) return;
    this.#isReporting = true;
    const told = due.map((work) => ({ work, state: work.state, problems: work.problems.length }));
    const results = due.map((work): EdgePrefetchReport => {
      work.isChanged = false;
      const hasNew = work.problems.length > work.toldProblems;
      return { id: work.id, state: work.state, ...work.counts, ...(hasNew ? { problems: work.problems } : {}) };
    });
    try {
      await this.#send(JSON.stringify({ results }));
      for (const { work, state, problems } of told) {
        work.toldAt = performance.now();
        work.toldProblems = problems;
        if (state !== 'running') this.#works.delete(work.id);
      }
    } catch (error) {
      this.#noteRefusal(
        told.map(({ work }) => work),
        error,
      );
    }
    this.#isReporting = false;
  }

  #noteRefusal(works: readonly Work[], error: unknown): void {
    // They would be refused again.
    const isRefused = error instanceof ControlError && [400, 413, 422].includes(error.status);
    for (const work of works) {
      if (isRefused) this.#works.delete(work.id);
      else work.isChanged = true;
    }
    this.#silentUntil = performance.now() + RETRY_MS;
    log.warn('how far prefetches are is not with the control plane', { waiting: this.#works.size, error });
  }

  #forgetRoutes(): void {
    const routes = new Set([...this.#works.values()].map(({ routeId }) => routeId));
    this.#turns = this.#turns.filter((id) => routes.has(id));
    if (this.#works.size > 0) return;
    this.#rests.clear();
    clearInterval(this.#reporter);
    this.#reporter = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#reporter);
    this.#works.clear();
  }
}

function takeNext(work: Work): PlannedVisit | undefined {
  for (let visits = work.visits[0]; visits !== undefined; visits = work.visits[0]) {
    const { value, done } = visits.next();
    if (!done) return value;
    work.visits.shift();
  }
  return undefined;
}
