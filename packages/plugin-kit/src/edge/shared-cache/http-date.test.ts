import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseHttpDate } from './http-date.ts';
import { NOW } from './testing/clock.ts';
import { DATE_CASES } from './testing/date-cases.ts';

it.each(DATE_CASES)('%s', (_, text, time) => {
  expect(parseHttpDate(text, NOW)).toBe(time === null ? undefined : Date.parse(time) / 1000);
});

it('RFC 9110 5.6.7: is the inverse of how dates are written', () => {
  const seconds = fc.integer({ min: Date.parse('0000-01-01') / 1000, max: Date.parse('9999-12-31') / 1000 });
  fc.assert(fc.property(seconds, (at) => parseHttpDate(new Date(at * 1000).toUTCString(), NOW) === at));
  expect(parseHttpDate(new Date(0).toUTCString(), NOW)).toBe(0);
});

it('RFC 9110 5.6.7: two digits mean another century by the time they are read', () => {
  const text = 'Sunday, 06-Nov-94 08:49:37 GMT';
  const yearIn = (now: string) => new Date((parseHttpDate(text, Date.parse(now) / 1000) ?? 0) * 1000).getUTCFullYear();
  expect(['1999-12-31', '2000-01-01', '2044-11-06', '2044-11-07', '2099-12-31'].map(yearIn)).toEqual([
    ...[1994, 1994, 1994, 2094, 2094],
  ]);
});
