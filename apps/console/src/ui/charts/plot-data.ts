import type uPlot from 'uplot';
import type { Buckets, TimeSeries } from './chart-types';
import { isPartialShown } from './last-bucket';

/** Series that are drawn again, dashed, for what is still being counted. */
export const hasPartial = (buckets: Buckets | undefined): boolean => buckets?.isLastPartial === true;

/**
 * What uPlot draws. With buckets a last time is added, at which the last bucket ends: a step needs its end, else the
 * newest number would have no width. Where the last bucket still fills, each series comes twice: whole buckets, then
 * the last alone, to be dashed.
 */
export function plotData(
  times: readonly number[],
  series: readonly TimeSeries[],
  buckets: Buckets | undefined,
): uPlot.AlignedData {
  const all = series.map((one) => one.values);
  if (!buckets) return [times as number[], ...all.map((values) => [...values])];
  const newest = times.at(-1) ?? 0;
  // What is still being counted ends now, not in the future.
  const end = Math.max(newest + 1, Math.min(newest + buckets.seconds, buckets.until ?? Infinity));
  const last = times.length - 1;
  const stepped = all.map((values) => [...values, values[last] ?? null]);
  if (!buckets.isLastPartial) return [[...times, end], ...stepped];
  // The last bucket begins twice: where the whole ones end, and, joined to it by an upright line, with its own value.
  const whole = all.map((values) => [...values.slice(0, last), values[last - 1] ?? null, null, null]);
  const partial = all.map((values) => {
    const value = isPartialShown(values, newest, buckets) ? (values[last] ?? null) : null;
    if (value === null) return [...values.map(() => null), null, null];
    return [...values.slice(0, last).map(() => null), values[last - 1] ?? value, value, value];
  });
  return [[...times, newest, end], ...whole, ...partial];
}

/** The bucket that a moment lies in. */
export function bucketAt(times: readonly number[], moment: number): number {
  let index = times.length - 1;
  while (index > 0 && (times[index] ?? 0) > moment) index--;
  return Math.max(0, index);
}
