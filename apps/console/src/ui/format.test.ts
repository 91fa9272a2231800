import { expect, test } from 'vitest';
import { createFormat } from './format';

const en = createFormat('en', 'UTC');
const zh = createFormat('zh', 'Asia/Shanghai');
const moment = '2026-11-20T14:05:09Z';

test('dates are written as the product asks, in the account time zone', () => {
  expect(en.dateTime(moment)).toBe('Nov 20, 2026, 14:05:09');
  expect(zh.dateTime(moment)).toBe('2026年11月20日 22:05:09');
});

test('midnight is 00, never 24, in both languages', () => {
  expect(en.time('2026-11-20T00:00:00Z')).toBe('00:00');
  expect(zh.time('2026-11-19T16:00:00Z', true)).toBe('00:00:00');
});

test('a size never parts from its unit', () => {
  expect(en.bytes(1_840_000_000_000)).toBe('1.84\u00a0TB');
  expect(en.bytes(999)).toBe('999\u00a0B');
  expect(en.bytes(999_999)).toBe('1\u00a0MB');
  expect(en.bitsPerSecond(1_230_000_000)).toBe('1.23\u00a0Gbit/s');
});

test('numbers, shares and changes', () => {
  expect(en.compact(48_200_000)).toBe('48.2M');
  expect(zh.compact(48_200_000)).toBe('4820万');
  expect(en.compact(9876)).toBe('9,876');
  // Beside 1,374 requests 14K would be another way to write a number.
  expect(en.compact(14_312)).toBe('14,312');
  expect([1374, 2_500_000].map((value) => en.compact(value, 2_500_000))).toEqual(['1.4K', '2.5M']);
  expect(en.percent(0.917)).toBe('91.7%');
  expect(en.delta(0.124)).toBe('+12.4%');
  expect(en.delta(-0.006)).toBe('-0.6%');
  expect(en.delta(0)).toBe('0%');
});

test('relative time knows singular and plural', () => {
  const now = '2026-11-20T14:05:00Z';
  expect(en.relative('2026-11-20T14:04:00Z', now)).toBe('1 minute ago');
  expect(en.relative('2026-11-20T14:02:00Z', now)).toBe('3 minutes ago');
  expect(zh.relative('2026-11-20T14:02:00Z', now)).toBe('3 分钟前');
});

test('what has happened is never in the future, whatever the clock here says', () => {
  const now = '2026-11-20T14:05:00Z';
  expect(en.relative('2026-11-20T14:05:06Z', now)).toBe('just now');
  expect(zh.relative('2026-11-20T14:06:00Z', now)).toBe('刚刚');
});

test('durations', () => {
  expect(en.duration(320)).toBe('320\u00a0ms');
  expect(en.duration(4100)).toBe('4.1\u00a0s');
  expect(en.duration(7_500_000)).toBe('2\u00a0h\u00a05\u00a0min');
});

test('regions of China are named alike in Chinese', () => {
  const { country } = createFormat('zh', 'UTC');
  expect(['HK', 'MO', 'TW', 'SG'].map(country)).toEqual(['中国香港', '中国澳门', '中国台湾', '新加坡']);
  expect(createFormat('en', 'UTC').country('SG')).toBe('Singapore');
});

test('formatters are made once', () => {
  expect(createFormat('en', 'UTC')).toBe(en);
});
