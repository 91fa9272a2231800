import { expect, it } from 'vitest';
import { isDay } from '../../ui/zoned-time';
import { boundsOf } from './audit-period';

it.each([
  ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['Asia/Shanghai', '2026-11-20', '2026-11-19T16:00:00.000Z', '2026-11-20T16:00:00.000Z'],
  // Clocks are put back and forward on these days.
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', '2026-01-01T18:30:00.000Z'],
])('takes the whole of a day in %s', (timeZone, day, from, to) => {
  expect(boundsOf({ period: 'custom', from: day, to: day }, timeZone)).toEqual({ from, to });
});

it('leaves out the end that is not given, and days of a period that is another', () => {
  expect(boundsOf({ period: 'custom' }, 'UTC')).toEqual({});
  expect(boundsOf({ from: '2026-11-20' }, 'UTC')).toEqual({});
});

it.each(['2026-02-31', '2026-13-01', '0000-01-01', '9999-12-31', '20.11.2026', '2026-1-1', '', 'yesterday'])(
  'takes %j for no day',
  (text) => expect(isDay(text)).toBe(false),
);
