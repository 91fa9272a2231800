import { randomUUID } from 'node:crypto';
import { type EdgePrefetch, type EdgePrefetchReport, edgePrefetchReport } from '@cordon/contract/edge-config';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ControlError } from './control-client.ts';
import { log } from './log.ts';
import type { OwnVisit, OwnVisitResult } from './own-visits.ts';
import { outcomeOf } from './prefetch-outcome.ts';
import { Prefetches, type PrefetchLimits } from './prefetches.ts';

const KEPT = 'Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=60';
let reports: EdgePrefetchReport[] = [];
let visited: OwnVisit[] = [];
let prefetches: Prefetches;
let answer: (visit: OwnVisit) => Partial<OwnVisitResult> = () => ({});
/** Of each visit. */
let milliseconds = 10;
let refusal: Error | undefined;

function begin(limits: Partial<PrefetchLimits> = {}): void {
  const visit = async (one: OwnVisit) => {
    visited.push(one);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return { status: 200, headers: { 'cache-status': KEPT }, bytes: 1, milliseconds, ...answer(one) };
  };
  const send = async (body: string) => {
    if (refusal) throw refusal;
    const { results } = JSON.parse(body) as { results: EdgePrefetchReport[] };
    for (const one of results) expect(edgePrefetchReport.safeParse(one).error).toBeUndefined();
    reports.push(...results);
  };
  prefetches = new Prefetches({ visit }, send, limits);
  prefetches.isReady = () => true;
}

function prefetch(count: number, more: Partial<EdgePrefetch> = {}): string {
  const id = randomUUID();
  const urls = Array.from({ length: count }, (_, at) => ({
    scheme: 'http' as const,
    host: 'a.test',
    target: `/${at}`,
  }));
  const whole = { id, part: 0, parts: 1, refresh: false, hosts: [], devices: [], languages: [], urls };
  prefetches.take({ route_id: ROUTE, ...whole, ...more });
  return id;
}
const ROUTE = randomUUID();
const last = (id: string) => reports.findLast((one) => one.id === id);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  [reports, visited, milliseconds, refusal] = [[], [], 10, undefined];
  answer = () => ({});
});
afterEach(() => {
  prefetches.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('lets an origin rest as long as it has worked, a second at most, and not where the cache has answered', async () => {
  begin({ atOnce: 1 });
  milliseconds = 400;
  prefetch(3);
  await vi.advanceTimersByTimeAsync(399);
  expect(visited).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(395);
  expect(visited).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(visited).toHaveLength(2);
  milliseconds = 5_000;
  await vi.advanceTimersByTimeAsync(800);
  expect(visited).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(5_000);
  answer = () => ({ headers: { 'cache-status': 'Cordon; hit; ttl=5' } });
  prefetch(2);
  await vi.advanceTimersByTimeAsync(1_010);
  expect(visited).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(5_001);
  expect(visited).toHaveLength(5);
});

it('goes on where an origin has rested while the agent was looking, as on a busy machine', async () => {
  begin({ atOnce: 1 });
  milliseconds = 1;
  const clock = performance.now.bind(performance);
  let [calls, lateness] = [0, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => {
    calls++;
    // By another time each, as a busy machine does.
    lateness += (calls * 7) % 11;
    return clock() + lateness;
  });
  const id = prefetch(20);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(last(id)).toMatchObject({ state: 'done', kept: 20 });
});

it('has no more requests open of a domain whose prefetch is ended and begun anew', async () => {
  begin({ atOnce: 4, briskMs: 1_000 });
  milliseconds = 60_000;
  for (let round = 0; round < 4; round++) {
    const id = prefetch(10);
    await vi.advanceTimersByTimeAsync(1_100);
    prefetches.end(id);
  }
  expect(visited).toHaveLength(4);
  prefetch(10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(visited).toHaveLength(8);
});

it('takes turns between domains, whatever was asked first', async () => {
  begin({ atOnce: 1 });
  answer = () => ({ headers: { 'cache-status': 'Cordon; hit; ttl=5' } });
  prefetch(20);
  prefetch(20);
  const other = randomUUID();
  prefetch(20, { route_id: other });
  await vi.advanceTimersByTimeAsync(105);
  expect(visited.slice(2).map(({ routeId }) => routeId === other)).toEqual([
    ...[true, false, true, false, true, false, true, false, true],
  ]);
});

it('ends after half an hour with what there is', async () => {
  begin({ prefetchMs: 1_000, atOnce: 1 });
  milliseconds = 300;
  const id = prefetch(100);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(last(id)).toMatchObject({ state: 'timed_out', kept: 2 });
  expect(prefetches.running).toBe(0);
  const asked = visited.length;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(visited).toHaveLength(asked);
});

it('says that it is there while nothing is new, also of one that waits for its turn', async () => {
  begin({ beatMs: 2_000, atOnce: 1 });
  milliseconds = 60_000;
  prefetch(1);
  const waiting = prefetch(1, { route_id: randomUUID() });
  await vi.advanceTimersByTimeAsync(9_000);
  const told = reports.filter(({ id }) => id === waiting);
  expect(told.length).toBeGreaterThanOrEqual(4);
  expect(told.at(-1)).toMatchObject({ state: 'running', kept: 0 });
});

it('takes so many and no more', async () => {
  begin({ prefetches: 2 });
  const ids = [prefetch(1), prefetch(1), prefetch(1)];
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ids.map((id) => last(id)?.state)).toEqual(['done', 'done', 'busy']);
});

it('gives up one of which a part has got lost, and says no more of it', async () => {
  begin({ partMs: 3_000, beatMs: 1_000 });
  const id = prefetch(1, { parts: 2 });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(last(id)?.state).toBe('running');
  const told = reports.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reports.length).toBeLessThanOrEqual(told + 1);
  expect(prefetches.running).toBe(0);
});

it('tells what the control plane did not take once more, and nothing that it refuses', async () => {
  begin();
  refusal = new Error('unreachable');
  const id = prefetch(1);
  await vi.advanceTimersByTimeAsync(2_000);
  refusal = undefined;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(last(id)).toMatchObject({ state: 'done', kept: 1 });
  refusal = new ControlError(422, 'no');
  prefetch(1);
  await vi.advanceTimersByTimeAsync(6_000);
  refusal = undefined;
  const told = reports.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toHaveLength(told);
});

it('asks once more where nginx has not answered at all, and not where the origin was too slow', async () => {
  begin();
  answer = ({ target }) =>
    visited.filter((one) => one.target === target).length === 1 ? { status: 0, headers: {} } : {};
  const id = prefetch(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([last(id)?.kept, visited.length]).toEqual([2, 4]);
  answer = () => ({ status: 0, headers: {}, milliseconds: 60_000 });
  const slow = prefetch(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([last(slow)?.failed, visited.length]).toEqual([1, 5]);
});

it.each([
  ['Cordon; hit; ttl=5', 200, 'fresh', ''],
  ['Cordon; hit; ttl=-5', 200, 'fresh', ''],
  ['Cordon; fwd=stale; fwd-status=304; stored; ttl=60', 200, 'kept', ''],
  ['Origin; hit, Cordon; fwd=uri-miss; fwd-status=200; detail=set_cookie', 200, 'unkept', 'set_cookie'],
  ['Cordon; hit; ttl=5, Cordon; fwd=bypass; detail="rule"', 200, 'unkept', 'rule'],
  ['Cordon; fwd=method', 200, 'unkept', 'method'],
  [undefined, 200, 'unkept', ''],
  ['Cordon; fwd=uri-miss; fwd-status=404; stored; ttl=60', 404, 'failed', ''],
])('reads %s of an answer with %i as %s %s', (field, status, is, reason) => {
  expect(outcomeOf({ status, headers: field === undefined ? {} : { 'cache-status': field } })).toMatchObject({
    is,
    reason,
  });
});
