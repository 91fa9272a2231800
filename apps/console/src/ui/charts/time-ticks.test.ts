import { expect, it } from 'vitest';
import { createFormat } from '../format';
import { timeTicks } from './plot-options';

const hours = [22, 23, 24, 25].map((hour) => Date.UTC(2026, 10, 25, hour) / 1000);

it.each([
  ['UTC', ['22:00', '23:00', '00:00\nNov 26', '01:00']],
  ['Asia/Shanghai', ['06:00', '07:00', '08:00', '09:00']],
  ['Europe/Berlin', ['23:00', '00:00\nNov 26', '01:00', '02:00']],
])('names a new day where it begins in the time zone of the account: %s', (zone, ticks) => {
  expect(timeTicks(createFormat('en', zone), hours, 3600, zone)).toEqual(ticks);
});
