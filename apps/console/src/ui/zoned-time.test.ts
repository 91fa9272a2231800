import { expect, it } from 'vitest';
import { readTimeOfDay, zonedClock, zonedMoment } from './zoned-time';

it.each([
  ['UTC', '2026-11-30', '03:30', '2026-11-30T03:30:00.000Z'],
  ['Asia/Shanghai', '2026-11-30', '03:30', '2026-11-29T19:30:00.000Z'],
  ['Asia/Kolkata', '2026-11-30', '00:00', '2026-11-29T18:30:00.000Z'],
  ['America/New_York', '2026-10-31', '23:15', '2026-11-01T03:15:00.000Z'],
  // Clocks were put back that night.
  ['America/New_York', '2026-11-01', '03:00', '2026-11-01T08:00:00.000Z'],
])('knows when a clock in %s shows %s %s, and what it shows then', (timeZone, day, time, at) => {
  expect(new Date(zonedMoment(day, time, timeZone)).toISOString()).toBe(at);
  expect(zonedClock(Date.parse(at), timeZone)).toEqual({ day, time });
});

it('takes a time that clocks leave out as that much later', () => {
  const at = zonedMoment('2026-03-29', '02:30', 'Europe/Berlin');
  expect(zonedClock(at, 'Europe/Berlin')).toEqual({ day: '2026-03-29', time: '03:30' });
});

it.each([
  ['03:30', '03:30'],
  ['3:30', '03:30'],
  ['23：59', '23:59'],
])('reads %j as a time of day', (text, time) => expect(readTimeOfDay(text)).toBe(time));

it.each(['24:00', '3:3', '03:60', '0330', '123:00', '', 'noon'])('takes %j for no time of day', (text) =>
  expect(readTimeOfDay(text)).toBe(undefined),
);
