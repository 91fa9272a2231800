import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCustomer, eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { createIdempotency } from './idempotency.ts';

let test: TestApi;
let accountId: string;
beforeAll(async () => {
  test = await startApi();
  accountId = (await createCustomer(test)).accountId;
});
afterAll(() => test.stop());

const HELD_MS = 1_200;
const DONE = { status: 201, payload: '{"success":true}' };

/** As two processes would: each has its own. */
const newProcess = () => {
  const { db, secrets, log } = test.api.platform;
  return createIdempotency(db, secrets, log, HELD_MS);
};
const requestWith = (key: string) =>
  ({
    method: 'POST',
    url: '/api/v1/domain/routes/',
    headers: { 'idempotency-key': key },
    body: {},
    principal: { kind: 'user', account_id: accountId },
  }) as unknown as FastifyRequest;

/** A request that runs until it is ended. */
function startLong(key: string) {
  let end: (how: typeof DONE | Error) => void = () => undefined;
  const running = new Promise<typeof DONE>((resolve, reject) => {
    end = (how) => (how instanceof Error ? reject(how) : resolve(how));
  });
  const answer = newProcess().run(requestWith(key), () => running);
  return { answer, end };
}
async function heldUntil(key: string): Promise<number | undefined> {
  const { rows } = await test.api.platform.pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM held_until)::float8 * 1000 AS ms FROM idempotency_keys WHERE key = $1',
    [key],
  );
  return rows[0]?.ms;
}

it('a request that takes longer than a claim lasts is not run a second time', async () => {
  const key = randomUUID();
  const first = startLong(key);
  const claimedUntil = await eventually(() => heldUntil(key));
  await eventually(() => Date.now() > claimedUntil);
  const again = vi.fn(async () => DONE);
  await expect(newProcess().run(requestWith(key), again)).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
  first.end(DONE);
  expect(await first.answer).toMatchObject({ ...DONE, isReplay: false });
  expect(await newProcess().run(requestWith(key), again)).toMatchObject({ ...DONE, isReplay: true });
  expect(again).not.toHaveBeenCalled();
});

it('a request whose process died may be sent again once its claim is over', async () => {
  const key = randomUUID();
  const { pool } = test.api.platform;
  // A process that has died renews nothing: as if the claim that is renewed were of another.
  const dead = startLong(key);
  await eventually(() => heldUntil(key));
  await pool.query(`UPDATE idempotency_keys SET claim = gen_random_uuid() WHERE key = $1`, [key]);
  const again = vi.fn(async () => DONE);
  await expect(newProcess().run(requestWith(key), again)).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
  const answer = await eventually(() =>
    newProcess()
      .run(requestWith(key), again)
      .catch(() => undefined),
  );
  expect(answer).toMatchObject({ ...DONE, isReplay: false });
  expect(again).toHaveBeenCalledTimes(1);
  dead.end(new Error('killed'));
  await expect(dead.answer).rejects.toThrow('killed');
  // Its end does not take the answer of the other away.
  expect(await newProcess().run(requestWith(key), again)).toMatchObject({ ...DONE, isReplay: true });
});
