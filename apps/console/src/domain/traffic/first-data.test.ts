import type { TrafficOverview } from '@cordon/contract';
import { expect, it } from 'vitest';
import { pointsSinceFirst } from './first-data';

const overviewOf = (counts: readonly number[], before = 0) =>
  ({ series: counts.map((requests) => ({ requests })), previous: { requests: before } }) as TrafficOverview;
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const countsOf = (overview: TrafficOverview) => pointsSinceFirst(overview).map(({ requests }) => requests);

it('begins with the first request of a domain that had none before', () => {
  const since = [3, ...zeros(10), 7, 1];
  expect(countsOf(overviewOf([...zeros(80), ...since]))).toEqual(since);
});

it('keeps twelve points, so that the first minutes have a chart', () => {
  expect(countsOf(overviewOf([...zeros(94), 3, 7]))).toEqual([...zeros(10), 3, 7]);
  expect(countsOf(overviewOf([...zeros(3), 1, 2]))).toEqual([...zeros(3), 1, 2]);
});

it('keeps the whole range of what had requests before it, or has none at all', () => {
  expect(countsOf(overviewOf([...zeros(80), 3], 1))).toHaveLength(81);
  expect(countsOf(overviewOf(zeros(96)))).toHaveLength(96);
});
