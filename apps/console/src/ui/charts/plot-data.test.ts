import { expect, it } from 'vitest';
import { bucketAt, plotData } from './plot-data';

const times = [100, 110, 120];
const series = [{ id: 'a', label: 'A', values: [4, 5, 1] }];

it('gives the newest bucket a width', () => {
  expect(plotData(times, series, { seconds: 10, isLastPartial: false })).toEqual([
    [100, 110, 120, 130],
    [4, 5, 1, 1],
  ]);
});

it('keeps what is still being counted out of the line, and draws it apart', () => {
  const [at, whole, partial] = plotData(times, series, { seconds: 10, isLastPartial: true });
  expect(at).toEqual([100, 110, 120, 120, 130]);
  // Two seconds of traffic next to ten must not look like a drop.
  expect(whole).toEqual([4, 5, 5, null, null]);
  // Joined to the line: it does not float.
  expect(partial).toEqual([null, null, 5, 1, 1]);
  // Just begun it would look like an outage.
  const [, begun, nothing] = plotData(times, series, { seconds: 10, isLastPartial: true, until: 122 });
  expect(begun).toEqual([4, 5, 5, null, null]);
  expect(nothing).toEqual([null, null, null, null, null]);
});

it('draws a bucket that has just begun where all of a line came there: no flat line stands for a number that is not zero', () => {
  const alone = [
    { id: 'a', label: 'A', values: [0, 0, 3] },
    { id: 'b', label: 'B', values: [4, 0, 3] },
    { id: 'c', label: 'C', values: [0, 0, 0] },
  ];
  const [, , , , a, b, c] = plotData(times, alone, { seconds: 10, isLastPartial: true, until: 122 });
  expect(a).toEqual([null, null, 0, 3, 3]);
  expect(b).toEqual([null, null, null, null, null]);
  expect(c).toEqual([null, null, null, null, null]);
});

it('joins values by lines where they count no stretch of time', () => {
  expect(plotData(times, series, undefined)).toEqual([times, [4, 5, 1]]);
});

it('reads the bucket that a moment lies in, not the nearest beginning', () => {
  expect([99, 100, 109, 110, 119.9, 120, 200].map((moment) => bucketAt(times, moment))).toEqual([0, 0, 0, 1, 1, 2, 2]);
});
