import { type AddressInfo, connect } from 'node:net';
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

it('is not upset by who has gone before a slow part has answered', async () => {
  const errors: unknown[] = [];
  const app = Fastify();
  app.addHook('onError', async (_req, _reply, error) => void errors.push(error));
  let answerCheck: (state: string) => void = () => undefined;
  const check = vi.fn(() => new Promise<string>((resolve) => (answerCheck = resolve)));
  mountHealth(app, [{ name: 'database', isEssential: true, check }]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const caller = connect(port, '127.0.0.1', () => caller.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n'));
  await vi.waitFor(() => expect(check).toHaveBeenCalled());
  caller.destroy();
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, open) => resolve(open)));
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  answerCheck('ok');
  await app.close();
  expect(errors).toEqual([]);
});
