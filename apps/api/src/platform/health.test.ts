import Fastify from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { mountHealth } from './health.ts';

afterEach(() => void vi.useRealTimers());

it('asks its parts at most once a second, however many ask it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const app = Fastify();
  let isUp = true;
  const check = vi.fn(async () => {
    if (!isUp) throw new Error('gone');
    return 'ok';
  });
  mountHealth(app, [{ name: 'database', isEssential: true, check }]);
  const ask = async () => (await app.inject('/readyz')).statusCode;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
  isUp = false;
  expect(await ask()).toBe(200);
  expect(check).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(await ask()).toBe(503);
  expect(check).toHaveBeenCalledTimes(2);
  await app.close();
});
