import type { TrafficOverview } from '@cordon/contract';
import { expect, it } from 'vitest';
import { beginningOf, courseOf, isWithinHour, pointsSinceFirst, withPointsOf } from './first-data';

const overviewOf = (counts: readonly number[], before = 0) =>
  ({ series: counts.map((requests) => ({ requests })), previous: { requests: before } }) as TrafficOverview;
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const countsOf = (overview: TrafficOverview) => pointsSinceFirst(overview).points.map(({ requests }) => requests);

it('begins with the first request of a domain that had none before', () => {
  const since = [3, ...zeros(10), 7, 1];
  expect(countsOf(overviewOf([...zeros(80), ...since]))).toEqual(since);
});

it('keeps four points, so that the first minutes have a chart', () => {
  expect(countsOf(overviewOf([...zeros(94), 3, 7]))).toEqual([...zeros(2), 3, 7]);
  expect(countsOf(overviewOf([0, 1, 2]))).toEqual([0, 1, 2]);
});

it('tells which of them are from before there was anything to count', () => {
  const beforeOf = (counts: readonly number[], before = 0) => pointsSinceFirst(overviewOf(counts, before)).before;
  expect([beforeOf([...zeros(94), 3, 7]), beforeOf([...zeros(95), 3]), beforeOf([0, 1, 2])]).toEqual([2, 3, 1]);
  expect([beforeOf([...zeros(80), 3, 0, 0, 0]), beforeOf([0, 0, 3], 1), beforeOf(zeros(96))]).toEqual([0, 0, 0]);
});

it('draws the course of a number only since there is something to count, in the place where the large charts have it', () => {
  const courseSince = (counts: readonly number[]) => {
    const series = counts.map((requests, minute) => ({
      time: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
      requests,
    }));
    const to = new Date(Date.UTC(2026, 10, 20, 10, counts.length)).toISOString();
    const overview = { series, to, bucket_seconds: 60, previous: { requests: 0 } } as TrafficOverview;
    const { values, before } = courseOf(overview, ({ requests }) => requests);
    return { values, before };
  };
  expect(courseSince([...zeros(9), 3, 7])).toEqual({ values: [3, 7], before: 2 });
  expect(courseSince([...zeros(9), 3])).toEqual({ values: [3], before: 3 });
});

it('knows when all of a range came within its last hour', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString();
  const overview = (first: number, before = 0) =>
    ({
      to: at(90),
      series: [0, 15, 30, 45, 60, 75, 90].map((minutes) => ({ time: at(minutes), requests: minutes >= first ? 1 : 0 })),
      previous: { requests: before },
    }) as TrafficOverview;
  expect([isWithinHour(overview(30)), isWithinHour(overview(15)), isWithinHour(overview(30, 1))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isWithinHour(overview(100))).toBe(false);
});

it('keeps the whole range of what had requests before it, and nothing of what has none at all', () => {
  expect(countsOf(overviewOf([...zeros(80), 3], 1))).toHaveLength(81);
  expect(countsOf(overviewOf(zeros(96), 1))).toHaveLength(96);
  expect(countsOf(overviewOf(zeros(96)))).toEqual([]);
});

const courseAt = (seconds: number, blocked: readonly number[]) => {
  const time = (minute: number, second = 0) => new Date(Date.UTC(2026, 10, 20, 10, minute, second)).toISOString();
  const series = blocked.map((count, minute) => ({ time: time(minute), requests: 5, blocked: count }));
  const to = time(blocked.length - 1, seconds);
  const overview = { series, to, bucket_seconds: 60, previous: { requests: 1 } } as TrafficOverview;
  const { values, isLastPartial } = courseOf(overview, (point) => point.blocked);
  return { values, isLastPartial };
};

it('goes on into what is still being counted from a quarter of it on, as the large charts do: before, it would look like an outage', () => {
  const counts = [3, 4, 1];
  expect(courseAt(14, counts)).toEqual({ values: [3, 4], isLastPartial: false });
  expect(courseAt(15, counts)).toEqual({ values: counts, isLastPartial: true });
  expect(courseAt(60, counts)).toEqual({ values: counts, isLastPartial: false });
});

it('draws the point that has just begun where a number came there alone', () => {
  expect(courseAt(5, [0, 0, 3])).toEqual({ values: [0, 0, 3], isLastPartial: true });
  expect(courseAt(5, [0, 0, 0])).toEqual({ values: [0, 0], isLastPartial: false });
});

it('tells since when there is something, only where the range begins before', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString();
  const overview = (counts: readonly number[], before = 0) =>
    ({
      series: counts.map((requests, minutes) => ({ time: at(minutes), requests })),
      previous: { requests: before },
    }) as TrafficOverview;
  expect(beginningOf(overview([0, 0, 3, 0]))).toBe(at(2));
  expect([overview([3, 0]), overview([0, 3], 1), overview([0, 0])].map(beginningOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('gives a day the finer points of its hour, those of the cache too, and keeps what it counts', () => {
  const of = (requests: number) => {
    const counted = { totals: { requests }, series: [{ requests }] };
    return { ...counted, bucket_seconds: requests, cache: counted } as unknown as TrafficOverview;
  };
  const fine = withPointsOf(of(9), of(4));
  expect(fine).toMatchObject({ totals: { requests: 9 }, series: [{ requests: 4 }], bucket_seconds: 4 });
  expect(fine.cache).toEqual({ totals: { requests: 9 }, series: [{ requests: 4 }] });
});
