import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCustomer, eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { type Executor, runInTransaction } from './database.ts';
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

describe('a request whose process died after its change was made', () => {
  const made = async (name: string) =>
    (await test.api.platform.pool.query('SELECT FROM deployment WHERE name = $1', [name])).rowCount;
  const make = (name: string, executor: Executor) =>
    executor
      .insertInto('deployment')
      .values({ name, value: Buffer.from('') })
      .execute();

  it('is not done again: its answer was lost', async () => {
    const key = randomUUID();
    const { db, pool } = test.api.platform;
    let onMade: () => void = () => undefined;
    const isMade = new Promise<void>((resolve) => {
      onMade = resolve;
    });
    // The change is made, and the answer never comes.
    void newProcess().run(requestWith(key), async () => {
      await runInTransaction(db, (trx) => make(key, trx));
      onMade();
      return new Promise(() => undefined);
    });
    await isMade;
    const again = vi.fn(async () => DONE);
    await expect(newProcess().run(requestWith(key), again)).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
    // A process that has died renews nothing.
    await pool.query(`UPDATE idempotency_keys SET claim = gen_random_uuid() WHERE key = $1`, [key]);
    await eventually(async () => ((await heldUntil(key)) ?? 0) < Date.now());
    await expect(newProcess().run(requestWith(key), again)).rejects.toMatchObject({ code: 'ANSWER_LOST', status: 409 });
    expect(again).not.toHaveBeenCalled();
    expect(await made(key)).toBe(1);
  });

  it('is answered before its answer is kept, and the same to another process that asks meanwhile', async () => {
    const key = randomUUID();
    const { db, pool } = test.api.platform;
    const keeper = await pool.connect();
    try {
      const answer = await newProcess().run(requestWith(key), async () => {
        await runInTransaction(db, (trx) => make(key, trx));
        // Nothing can be kept with it while another holds its row.
        await keeper.query('BEGIN');
        await keeper.query('SELECT FROM idempotency_keys WHERE key = $1 FOR UPDATE', [key]);
        return DONE;
      });
      expect(answer).toMatchObject({ ...DONE, isReplay: false });
      const again = vi.fn(async () => DONE);
      const asked = newProcess().run(requestWith(key), again);
      await eventually(async () => {
        const { rows } = await pool.query('SELECT FROM pg_stat_activity WHERE wait_event_type = $1', ['Lock']);
        return rows.length > 0;
      });
      await keeper.query('COMMIT');
      expect(await asked).toMatchObject({ ...DONE, isReplay: true });
      expect(again).not.toHaveBeenCalled();
      expect(await made(key)).toBe(1);
    } finally {
      keeper.release();
    }
  });

  it('changes nothing once another has its claim', async () => {
    const key = randomUUID();
    const { db, pool } = test.api.platform;
    const first = newProcess().run(requestWith(key), async () => {
      await pool.query(`UPDATE idempotency_keys SET claim = gen_random_uuid() WHERE key = $1`, [key]);
      await runInTransaction(db, (trx) => make(key, trx));
      return DONE;
    });
    await expect(first).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
    expect(await made(key)).toBe(0);
  });

  it('does not keep what goes on in the background from its transactions', async () => {
    const key = randomUUID();
    const { db } = test.api.platform;
    let background: Promise<unknown> = Promise.resolve();
    let go: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => {
      go = resolve;
    });
    const failed = newProcess().run(requestWith(key), async () => {
      background = isOver.then(() => runInTransaction(db, (trx) => make(key, trx)));
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    go();
    await background;
    expect(await made(key)).toBe(1);
  });
});
