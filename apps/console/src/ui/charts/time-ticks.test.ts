// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { createFormat } from '../format';
import { plotOptions, timeTicks } from './plot-options';

const hours = [22, 23, 24, 25].map((hour) => Date.UTC(2026, 10, 25, hour) / 1000);

it.each([
  ['UTC', ['22:00', '23:00', '00:00\nNov 26', '01:00']],
  ['Asia/Shanghai', ['06:00', '07:00', '08:00', '09:00']],
  ['Europe/Berlin', ['23:00', '00:00\nNov 26', '01:00', '02:00']],
])('names a new day where it begins in the time zone of the account: %s', (zone, ticks) => {
  expect(timeTicks(createFormat('en', zone), hours, 3600, zone)).toEqual(ticks);
});

const MINUTE = 60;
const DAY = 86_400;
/** How many labels of time fit `width`: the smallest step whose labels have their room, as uPlot takes it. */
function labelsOf(seconds: number, width: number): number {
  const [axis] =
    plotOptions({
      series: [],
      buckets: undefined,
      element: document.createElement('div'),
      height: 200,
      format: createFormat('en', 'UTC'),
      timeZone: 'UTC',
      formatTick: String,
      onCursor: () => undefined,
      onRangeSelect: undefined,
      marksNow: () => [],
      wholeNow: () => undefined,
    }).axes ?? [];
  const steps = axis?.incrs as readonly number[];
  const step = steps.find((one) => (one * width) / seconds >= Number(axis?.space)) ?? Number.POSITIVE_INFINITY;
  return Math.floor(seconds / step);
}

it.each([5, 7, 8, 10, 12, 30, 45, 90, 360, 720, 1440].map((minutes) => [minutes]))(
  'leaves at least three labels of time on a wide screen, and two on a phone: %i min',
  (minutes) => {
    expect(labelsOf(minutes * MINUTE, 440)).toBeGreaterThanOrEqual(3);
    expect(labelsOf(minutes * MINUTE, 290)).toBeGreaterThanOrEqual(2);
  },
);
it.each([2, 7, 30, 90, 365].map((days) => [days]))('labels days as well: %i', (days) => {
  expect(labelsOf(days * DAY, 440)).toBeGreaterThanOrEqual(2);
});
