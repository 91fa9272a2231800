import type { TrafficOverview } from '@cordon/contract';
import { expect, it } from 'vitest';
import { courseOf, finishedPoints, isWithinHour, pointsSinceFirst } from './first-data';

const overviewOf = (counts: readonly number[], before = 0) =>
  ({ series: counts.map((requests) => ({ requests })), previous: { requests: before } }) as TrafficOverview;
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const countsOf = (overview: TrafficOverview) => pointsSinceFirst(overview).map(({ requests }) => requests);

it('begins with the first request of a domain that had none before', () => {
  const since = [3, ...zeros(10), 7, 1];
  expect(countsOf(overviewOf([...zeros(80), ...since]))).toEqual(since);
});

it('keeps four points, so that the first minutes have a chart', () => {
  expect(countsOf(overviewOf([...zeros(94), 3, 7]))).toEqual([...zeros(2), 3, 7]);
  expect(countsOf(overviewOf([0, 1, 2]))).toEqual([0, 1, 2]);
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

it('keeps the whole range of what had requests before it, or has none at all', () => {
  expect(countsOf(overviewOf([...zeros(80), 3], 1))).toHaveLength(81);
  expect(countsOf(overviewOf(zeros(96)))).toHaveLength(96);
});

it('leaves out what is still being counted, which would look like an outage', () => {
  const series = [0, 15, 30].map((second) => ({
    time: new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString(),
    requests: 9,
  }));
  const overview = (to: number) =>
    ({
      to: new Date(Date.UTC(2026, 10, 20, 10, 0, to)).toISOString(),
      bucket_seconds: 15,
      series,
      previous: { requests: 1 },
    }) as TrafficOverview;
  expect(finishedPoints(overview(40))).toEqual(series.slice(0, 2));
  expect(finishedPoints(overview(45))).toEqual(series);
});

it('draws the point that is still being counted where a number came there alone', () => {
  const time = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  const series = [0, 1, 2, 3, 4].map((minute) => ({ time: time(minute), requests: 5, blocked: minute === 4 ? 3 : 0 }));
  const overview = {
    series,
    to: new Date(Date.parse(time(4)) + 30_000).toISOString(),
    bucket_seconds: 60,
    previous: { requests: 1 },
  } as TrafficOverview;
  expect(courseOf(overview, (point) => point.blocked)).toEqual({ values: [0, 0, 0, 0, 3], isLastPartial: true });
  expect(courseOf(overview, (point) => point.requests)).toEqual({ values: [5, 5, 5, 5], isLastPartial: false });
});
