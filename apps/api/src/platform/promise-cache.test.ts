import { expect, it, vi } from 'vitest';
import { createPromiseCache } from './promise-cache.ts';

it('gives one promise to all while it is young, and loads anew afterwards', async () => {
  let now = 1_000;
  const load = vi.fn(async () => now);
  const cache = createPromiseCache<number>({ entriesMax: 10, ttlMs: 500, now: () => now });
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1_000, 1_000]);
  now = 1_500;
  expect(await cache.get('a', load)).toBe(1_000);
  now = 1_501;
  expect(await cache.get('a', load)).toBe(1_501);
  expect(load).toHaveBeenCalledTimes(2);
});

it('keeps no failure, no more than there is room for, and with a time of 0 nothing', async () => {
  const cache = createPromiseCache<string>({ entriesMax: 2, ttlMs: 500 });
  await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', async () => 'up')).toBe('up');
  for (const key of ['b', 'c']) await cache.get(key, async () => key);
  expect(await cache.get('a', async () => 'again')).toBe('again');
  const never = createPromiseCache<number>({ entriesMax: 2, ttlMs: 0 });
  let count = 0;
  expect([await never.get('a', async () => ++count), await never.get('a', async () => ++count)]).toEqual([1, 2]);
});
