import { randomUUID } from 'node:crypto';
import type { Actor } from '@cordon/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, createPool, type Db, type Executor } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import { createLog } from '../../platform/log.ts';
import { eventually } from '../../testing/fixtures.ts';
import { createTestDatabase } from '../../testing/start-api.ts';
import { createAccountService } from '../accounts/service.ts';
import * as repository from './repository.ts';
import { createBatchRunner } from './runner.ts';
import { type BatchContext, type BatchKind, type BatchWork, createBatchService, type NewBatch } from './service.ts';

const log = createLog('silent');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: pg.Client;
let db: Db;
let actor: Actor;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // What an item does, where doing it twice shows.
  await admin.query('CREATE TABLE effects (label text NOT NULL)');
  db = createDatabase(createPool(database.url, log, 8));
  const { accountId } = await createAccountService({ edgeDomain: 'edge.cordon.test' }, db).createAccount({
    email: 'batches@customer.test',
  });
  actor = { accountId, kind: 'user', label: 'batches@customer.test' };
});
afterAll(async () => {
  await db.destroy();
  await admin.end();
  await database.drop();
});
beforeEach(() => admin.query('TRUNCATE effects'));

const effect = (label: string, executor: Executor) => sql`INSERT INTO effects VALUES (${label})`.execute(executor);
const effects = async () =>
  (await admin.query<{ label: string }>('SELECT label FROM effects ORDER BY label')).rows.map(({ label }) => label);

/** A process: its own connections, its own runner. */
function processWith(kinds: BatchKind[], on: Db = db) {
  const batches = createBatchService(on);
  for (const kind of kinds) batches.register(kind);
  const accounts = createAccountService({ edgeDomain: 'edge.cordon.test' }, on);
  const runner = createBatchRunner({ db: on, log, accounts, batches });
  return {
    batches,
    runner,
    start: (batch: NewBatch) => on.transaction().execute((trx) => batches.start(trx, actor, batch)),
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `name-${index + 1}` }));
const all = { limit: 1000, offset: 0 };

describe('a batch', () => {
  it('tells for each item what became of it, and one that fails leaves nothing behind', async () => {
    const { batches, runner, start } = processWith([
      {
        name: 'odd',
        async run({ executor, params }, item) {
          await effect(item.name, executor);
          if (item.position === 2) throw new AppError('DOMAIN_NOT_DEPLOYED');
          if (item.position === 4) throw fieldErrors({ 'upstreams.targets': 'UPSTREAM_REQUIRED' });
          if (item.position === 5) throw new Error('a fault of ours');
          return { result: { said: params.word } };
        },
      },
    ]);
    const { id } = await start({ kind: 'odd', params: { word: 'hello' }, items: names(6) });
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({
      state: 'failed',
      total: 6,
      succeeded: 3,
      failed: 3,
      created_by: actor.label,
      finished_at: expect.any(String),
    });
    const { results } = await batches.listItems(actor.accountId, id, undefined, all);
    expect(results.map(({ state }) => state)).toEqual([
      'successful',
      'failed',
      'successful',
      'failed',
      'failed',
      'successful',
    ]);
    expect(results[0]).toMatchObject({ result: { said: 'hello' }, error: null });
    expect(results[1]?.error).toMatchObject({ code: 'DOMAIN_NOT_DEPLOYED', fields: {} });
    expect(results[3]?.error).toMatchObject({ code: null, fields: { 'upstreams.targets': 'UPSTREAM_REQUIRED' } });
    expect(results[4]?.error).toMatchObject({ code: 'INTERNAL' });
    expect(JSON.stringify(results[4])).not.toContain('fault of ours');
    expect(await effects()).toEqual(['name-1', 'name-3', 'name-6']);
    const failed = await batches.listItems(actor.accountId, id, 'failed', all);
    expect(failed).toMatchObject({ count: 3, results: [{ position: 2 }, { position: 4 }, { position: 5 }] });
  });

  it('of many at once goes on where one of them is our fault, prepared or done', async () => {
    const faultOf = (names: readonly string[], fault: string) => {
      if (names.includes(fault)) throw new TypeError('a fault of ours');
    };
    const { batches, runner, start } = processWith([
      {
        name: 'many-faults',
        async prepareMany(_, items) {
          faultOf(
            items.map(({ name }) => name),
            'name-2',
          );
          return items.map(() => undefined);
        },
        run: async ({ executor }, item) => {
          faultOf([item.name], 'name-4');
          await effect(item.name, executor);
          return {};
        },
        async runMany({ executor }, items) {
          for (const { item } of items) await effect(item.name, executor);
          faultOf(
            items.map(({ item }) => item.name),
            'name-4',
          );
          return items.map(() => ({}));
        },
      },
    ]);
    const { id } = await start({ kind: 'many-faults', params: {}, items: names(5) });
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', succeeded: 3, failed: 2 });
    const { results } = await batches.listItems(actor.accountId, id, 'failed', all);
    expect(results).toMatchObject([
      { position: 2, error: { code: 'INTERNAL' } },
      { position: 4, error: { code: 'INTERNAL' } },
    ]);
    expect(await effects()).toEqual(['name-1', 'name-3', 'name-5']);
  });

  it('prepares an item anew whose domain was changed meanwhile, until it is changed each time', async () => {
    const prepared: string[] = [];
    const { batches, runner, start } = processWith([
      {
        name: 'stale',
        async prepare(_, item) {
          prepared.push(item.name);
          return prepared.filter((name) => name === item.name).length;
        },
        async run({ executor }, item, tries) {
          await effect(item.name, executor);
          if (item.position === 1 && tries === 1) throw new AppError('STALE_REVISION');
          if (item.position === 2) throw new AppError('STALE_REVISION');
          return {};
        },
      },
    ]);
    const { id } = await start({ kind: 'stale', params: {}, items: names(3) });
    await runner.runBatch(id);
    const { results } = await batches.listItems(actor.accountId, id, undefined, all);
    expect(results.map(({ state, error }) => error?.code ?? state)).toEqual([
      'successful',
      'STALE_REVISION',
      'successful',
    ]);
    expect(prepared.toSorted()).toEqual(['name-1', 'name-1', 'name-2', 'name-2', 'name-2', 'name-2', 'name-3']);
    expect(await effects()).toEqual(['name-1', 'name-3']);
  });

  it('waits for the rate at which the account may have us ask, and fails nothing for it', async () => {
    let left = 2;
    const { batches, runner, start } = processWith([
      {
        name: 'spent',
        async prepare() {
          left -= 1;
          if (left < 0) throw new AppError('TOO_MANY_REQUESTS');
        },
        run: async ({ executor }, item) => {
          await effect(item.name, executor);
          return {};
        },
      },
    ]);
    const { id } = await start({ kind: 'spent', params: {}, items: names(5) });
    const running = runner.runBatch(id);
    await eventually(async () => (await batches.get(actor.accountId, id)).succeeded === 2);
    left = 5;
    await running;
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'successful', succeeded: 5, failed: 0 });
    expect(await effects()).toHaveLength(5);
  });

  it('does each item once though two processes run it at once', async () => {
    const kind = {
      name: 'once',
      run: async ({ executor }, item) => {
        await effect(item.name, executor);
        return {};
      },
    } satisfies BatchKind;
    const first = processWith([kind]);
    const second = processWith([kind]);
    const { id } = await first.start({ kind: 'once', params: {}, items: names(150) });
    // A slice of time may be over before the batch is.
    while ((await first.batches.get(actor.accountId, id)).state === 'running')
      await Promise.all([first.runner.runBatch(id), second.runner.runBatch(id)]);
    expect(await first.batches.get(actor.accountId, id)).toMatchObject({ state: 'successful', succeeded: 150 });
    const done = await effects();
    expect(done).toHaveLength(150);
    expect(new Set(done).size).toBe(150);
  });

  it('loses and repeats nothing when its process is cut off in the middle', async () => {
    const others = (await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')).rows.map(({ pid }) => pid);
    const doomed = createDatabase(createPool(database.url, log, 8));
    let done = 0;
    const cut = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> ALL($1)`,
        [others],
      );
    const kind: BatchKind = {
      name: 'cut',
      async run({ executor }, item) {
        await effect(item.name, executor);
        done += 1;
        if (done === 20) await cut();
        return {};
      },
    };
    const victim = processWith([kind], doomed);
    const { id } = await victim.start({ kind: 'cut', params: {}, items: names(60) });
    await expect(victim.runner.runBatch(id)).rejects.toThrow();
    const between = await processWith([kind]).batches.get(actor.accountId, id);
    expect(between.state).toBe('running');
    expect(await effects()).toHaveLength(between.succeeded);
    expect(between.succeeded).toBeLessThan(60);
    const survivor = processWith([kind]);
    while ((await survivor.batches.get(actor.accountId, id)).state === 'running') await survivor.runner.runBatch(id);
    expect(await survivor.batches.get(actor.accountId, id)).toMatchObject({ state: 'successful', succeeded: 60 });
    const all = await effects();
    expect(all).toHaveLength(60);
    expect(new Set(all).size).toBe(60);
    await doomed.destroy();
  });

  it.each(['one by one', 'many at once'])(
    'does an item again whose transaction was the victim of a deadlock, %s',
    async (way) => {
      await admin.query('CREATE TABLE places (label text PRIMARY KEY)');
      await admin.query(`INSERT INTO places VALUES ('ours'), ('theirs')`);
      const lock = (label: string) => `SELECT 1 FROM places WHERE label = '${label}' FOR UPDATE`;
      const other = new pg.Client({ connectionString: database.url });
      await other.connect();
      let theirs: Promise<unknown> | undefined;
      let tries = 0;
      const work = async ({ executor }: BatchContext, item: BatchWork) => {
        await effect(item.name, executor);
        if (item.position !== 2) return {};
        tries += 1;
        // Who has won goes on first: else the circle may close again.
        await theirs;
        await sql.raw(lock('ours')).execute(executor);
        if (!theirs) {
          theirs = other.query(lock('ours'));
          // Whose wait closes the circle is the one that finds it.
          const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = $1`;
          await eventually(async () => (await admin.query(waiting, [lock('ours')])).rowCount === 1);
        }
        await sql.raw(lock('theirs')).execute(executor);
        return {};
      };
      const { batches, runner, start } = processWith([
        {
          name: 'circle',
          run: (context, item) => work(context, item),
          ...(way === 'many at once' && {
            async runMany(context, items) {
              const outcomes = [];
              for (const { item } of items) outcomes.push(await work(context, item));
              return outcomes;
            },
          }),
        } satisfies BatchKind,
      ]);
      try {
        await other.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'; ${lock('theirs')}`);
        const { id } = await start({ kind: 'circle', params: {}, items: names(3) });
        const running = runner.runBatch(id);
        await eventually(() => theirs);
        await theirs;
        await other.query('COMMIT');
        await running;
        expect(tries).toBe(2);
        expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'successful', succeeded: 3, failed: 0 });
        expect(await effects()).toEqual(['name-1', 'name-2', 'name-3']);
      } finally {
        await other.end();
        await admin.query('DROP TABLE places');
      }
    },
  );

  it('does many at once where the kind can, with what was prepared before the transaction', async () => {
    const sizes: number[] = [];
    const { batches, runner, start } = processWith([
      {
        name: 'many',
        async prepare(_context, item) {
          if (item.position === 7) throw new AppError('PLAN_REQUIRED');
          return item.name.toUpperCase();
        },
        run: () => Promise.reject(new Error('one by one')),
        async runMany({ executor }, items) {
          sizes.push(items.length);
          for (const { prepared } of items) await effect(prepared as string, executor);
          return items.map(({ item }) => (item.position === 9 ? new AppError('CONFLICT') : {}));
        },
      },
    ]);
    const { id } = await start({ kind: 'many', params: {}, items: names(120) });
    await runner.runBatch(id);
    expect(sizes).toEqual([99, 20]);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', succeeded: 118, failed: 2 });
    const { results } = await batches.listItems(actor.accountId, id, 'failed', all);
    expect(results.map(({ error }) => error?.code)).toEqual(['PLAN_REQUIRED', 'CONFLICT']);
    expect(await effects()).toContain('NAME-120');
  });

  it('ends an item with its operation, and asks for another turn until then', async () => {
    const operation = randomUUID();
    const { batches, runner, start } = processWith([{ name: 'slow', run: async () => ({ operationId: operation }) }]);
    const { id } = await start({ kind: 'slow', params: {}, items: names(1) });
    await admin.query(
      `INSERT INTO operations (id, account_id, route_id, action) VALUES ($1, $2, gen_random_uuid(), 'deploy')`,
      [operation, actor.accountId],
    );
    await runner.runBatch(id);
    expect((await batches.listItems(actor.accountId, id, 'running', all)).count).toBe(1);
    const { rows } = await admin.query(`SELECT 1 FROM graphile_worker.jobs WHERE key = $1`, [`batch:${id}`]);
    expect(rows).toHaveLength(1);
    // Until the counts have it, it is not live here either.
    await admin.query(`UPDATE operations SET state = 'successful', version = 1 WHERE id = $1`, [operation]);
    const { results: open } = await batches.listItems(actor.accountId, id, 'running', all);
    expect(open).toMatchObject([{ deployed: null }]);
    await admin.query(`UPDATE operations SET state = 'failed', version = NULL, error = 'NO_NODE_LIVE' WHERE id = $1`, [
      operation,
    ]);
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', failed: 1 });
    const { results } = await batches.listItems(actor.accountId, id, 'failed', all);
    expect(results[0]?.error).toMatchObject({ code: 'NO_NODE_LIVE' });
  });

  it('whose turns fail for good is given up after some: what is open of it fails with the reason', async () => {
    const { batches, runner, start } = processWith([
      {
        name: 'broken',
        async run({ executor }, item) {
          await effect(item.name, executor);
          if (item.position > 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
          return {};
        },
      },
    ]);
    const { id } = await start({ kind: 'broken', params: {}, items: names(3) });
    for (let turn = 1; turn < 8; turn += 1) await expect(runner.runBatch(id)).rejects.toThrow('deadlock');
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'running', failed: 0 });
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', succeeded: 1, failed: 2 });
    const { results } = await batches.listItems(actor.accountId, id, 'failed', all);
    expect(results.map(({ error }) => error?.code)).toEqual(['BATCH_STOPPED', 'BATCH_STOPPED']);
    const { rows } = await admin.query(
      `SELECT payload->'batch' AS batch FROM events WHERE payload->'batch'->>'id' = $1`,
      [id],
    );
    expect(rows.at(-1)).toMatchObject({ batch: { state: 'failed', failed: 2 } });
  });

  it('that was given up goes on when it is resumed: with what was stopped, and for who resumes it', async () => {
    let isBroken = true;
    const seen: string[] = [];
    const operation = randomUUID();
    const { batches, runner, start } = processWith([
      {
        name: 'mended',
        async run({ executor, actor: by }, item) {
          if (item.position === 2) throw new AppError('DOMAIN_NOT_DEPLOYED');
          if (item.position === 3) return { operationId: operation };
          if (isBroken && item.position > 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
          await effect(item.name, executor);
          seen.push(`${item.name} ${by.label}`);
          return {};
        },
      },
    ]);
    const { id } = await start({ kind: 'mended', params: {}, items: names(5) });
    await admin.query(
      `INSERT INTO operations (id, account_id, route_id, action) VALUES ($1, $2, gen_random_uuid(), 'deploy')`,
      [operation, actor.accountId],
    );
    await expect(batches.resume(actor, id)).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
    for (let turn = 1; turn < 8; turn += 1) await expect(runner.runBatch(id)).rejects.toThrow('deadlock');
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', failed: 4, is_resumable: true });

    isBroken = false;
    const other: Actor = { ...actor, label: 'colleague@customer.test' };
    const foreign: Actor = { ...actor, accountId: randomUUID() };
    await expect(batches.resume(foreign, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const asked = await Promise.allSettled([batches.resume(other, id), batches.resume(other, id)]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await batches.get(actor.accountId, id)).toMatchObject({
      state: 'running',
      succeeded: 1,
      failed: 1,
      finished_at: null,
      is_resumable: false,
      created_by: 'colleague@customer.test',
    });
    // What had begun waits for its end, and is not done again.
    expect((await batches.listItems(actor.accountId, id, 'running', all)).results).toMatchObject([{ position: 3 }]);
    await admin.query(`UPDATE operations SET state = 'successful' WHERE id = $1`, [operation]);
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'failed', succeeded: 4, failed: 1 });
    // Several are done side by side.
    expect(seen.toSorted()).toEqual([
      'name-1 batches@customer.test',
      'name-4 colleague@customer.test',
      'name-5 colleague@customer.test',
    ]);
    expect(await effects()).toEqual(['name-1', 'name-4', 'name-5']);
    await expect(batches.resume(actor, id)).rejects.toMatchObject({ code: 'BATCH_NOT_RESUMABLE' });
  });

  it('that was given up is not undone while it is resumed meanwhile', async () => {
    let onRead: () => Promise<unknown> = async () => undefined;
    let isBroken = true;
    const undo = {
      kind: 'back',
      inputOf: () => ({}),
      findStandings: async (_: unknown, __: string, items: readonly { routeId: string }[]) => {
        await onRead();
        return new Map(items.map(({ routeId }) => [routeId, 'as_left' as const]));
      },
    };
    const { batches, runner, start } = processWith([
      { name: 'back', run: async () => ({}) },
      {
        name: 'forth',
        undo,
        async run(_, item) {
          if (isBroken && item.position > 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
          return { routeId: randomUUID() };
        },
      },
    ]);
    const { id } = await start({ kind: 'forth', params: {}, items: names(2) });
    for (let turn = 1; turn < 8; turn += 1) await expect(runner.runBatch(id)).rejects.toThrow('deadlock');
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ is_resumable: true, is_undoable: true });
    isBroken = false;
    onRead = () => batches.resume(actor, id);
    await expect(batches.undo(actor, id)).rejects.toMatchObject({ code: 'OPERATION_RUNNING' });
    onRead = async () => undefined;
    await runner.runBatch(id);
    expect(await batches.get(actor.accountId, id)).toMatchObject({ succeeded: 2, is_undoable: true });
    const started = await batches.undo(actor, id);
    expect(started).toMatchObject({ kind: 'back', total: 2 });
    await runner.runBatch(started.id);
  });

  it('is listed without its parameters, which may hold lists of thousands', async () => {
    const { start } = processWith([{ name: 'large', run: async () => ({}) }]);
    const { id } = await start({ kind: 'large', params: { list: ['x'] }, items: names(1) });
    const rows = [
      ...(await repository.listBatches(db, actor.accountId, undefined, all)).rows,
      await repository.findBatch(db, actor.accountId, id),
      await repository.findAnyBatch(db, id),
    ];
    for (const row of rows) expect(row).not.toHaveProperty('params');
  });

  describe('that undoes another and was given up', () => {
    /** One done, and its undo given up when it had undone the first `undone` of two. */
    async function givenUp(undone: number) {
      let isBroken = true;
      const name = `undone-${undone}-${randomUUID()}`;
      const one = processWith([
        {
          name,
          run: async () => ({ routeId: randomUUID() }),
          undo: {
            kind: `${name}-undo`,
            inputOf: () => ({}),
            findStandings: async (_, __, items) => new Map(items.map(({ routeId }) => [routeId, 'as_left'])),
          },
        },
        {
          name: `${name}-undo`,
          async run({ executor }, item) {
            if (isBroken && item.position > undone) throw Object.assign(new Error('deadlock'), { code: '40P01' });
            await effect(item.name, executor);
            return {};
          },
        },
      ]);
      const { batches, runner } = one;
      const { id: done } = await one.start({ kind: name, params: {}, items: names(2) });
      await runner.runBatch(done);
      const { id: undo } = await batches.undo(actor, done);
      for (let turn = 1; turn < 8; turn += 1) await expect(runner.runBatch(undo)).rejects.toThrow('deadlock');
      await runner.runBatch(undo);
      expect(await batches.get(actor.accountId, undo)).toMatchObject({ failed: 2 - undone, is_resumable: true });
      isBroken = false;
      const isUndoable = async () => (await batches.get(actor.accountId, done)).is_undoable;
      return { batches, runner, done, undo, isUndoable };
    }

    it('goes on when it is resumed, and what it had given back to be undone is taken again', async () => {
      const { batches, runner, done, undo, isUndoable } = await givenUp(0);
      expect(await isUndoable()).toBe(true);
      expect(await batches.resume(actor, undo)).toMatchObject({ state: 'running', failed: 0, undoes: done });
      expect(await isUndoable()).toBe(false);
      await expect(batches.undo(actor, done)).rejects.toMatchObject({ code: 'BATCH_ALREADY_UNDONE' });
      await runner.runBatch(undo);
      expect(await batches.get(actor.accountId, undo)).toMatchObject({ state: 'successful', succeeded: 2 });
      expect(await isUndoable()).toBe(false);
      expect(await effects()).toEqual(['name-1', 'name-2']);
    });

    it('goes on with the rest where it had undone some', async () => {
      const { batches, runner, undo, isUndoable } = await givenUp(1);
      expect(await isUndoable()).toBe(false);
      await batches.resume(actor, undo);
      await runner.runBatch(undo);
      expect(await batches.get(actor.accountId, undo)).toMatchObject({ state: 'successful', succeeded: 2 });
      expect(await isUndoable()).toBe(false);
      expect(await effects()).toEqual(['name-1', 'name-2']);
    });

    it('stays as it is once another undo has begun in its place', async () => {
      const { batches, runner, done, undo } = await givenUp(0);
      const other = await batches.undo(actor, done);
      await expect(batches.resume(actor, undo)).rejects.toMatchObject({ code: 'BATCH_ALREADY_UNDONE' });
      expect(await batches.get(actor.accountId, undo)).toMatchObject({ state: 'failed', failed: 2 });
      await runner.runBatch(other.id);
      await expect(batches.resume(actor, undo)).rejects.toMatchObject({ code: 'BATCH_ALREADY_UNDONE' });
      expect(await effects()).toEqual(['name-1', 'name-2']);
    });
  });

  it('is not given up while its turns fail now and then, nor because the database is away', async () => {
    let fault: Error | undefined;
    const { batches, runner, start } = processWith([
      {
        name: 'now-and-then',
        async run() {
          throw fault ?? new AppError('TOO_MANY_REQUESTS');
        },
      },
    ]);
    const { id } = await start({ kind: 'now-and-then', params: {}, items: names(1) });
    const failingTurns = async (count: number, code: string, words: string) => {
      fault = Object.assign(new Error(words), { code });
      for (let turn = 0; turn < count; turn += 1) await expect(runner.runBatch(id)).rejects.toThrow(words);
      fault = undefined;
    };
    await failingTurns(7, '40P01', 'deadlock detected');
    // A turn that goes on, though nothing came of it.
    await runner.runBatch(id);
    await failingTurns(7, '40P01', 'deadlock detected');
    await failingTurns(2, '57P01', 'terminating connection due to administrator command');
    expect(await batches.get(actor.accountId, id)).toMatchObject({ state: 'running', failed: 0 });
    await admin.query(`UPDATE batches SET state = 'failed' WHERE id = $1`, [id]);
  });

  it('does nothing more once its account is suspended', async () => {
    const { batches, runner, start } = processWith([
      {
        name: 'late',
        run: async ({ executor }, item) => {
          await effect(item.name, executor);
          return {};
        },
      },
    ]);
    const { id } = await start({ kind: 'late', params: {}, items: names(3) });
    await admin.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [actor.accountId]);
    await runner.runBatch(id);
    await admin.query('UPDATE accounts SET suspended_at = NULL WHERE id = $1', [actor.accountId]);
    expect(await effects()).toEqual([]);
    const { results } = await batches.listItems(actor.accountId, id, undefined, all);
    expect(results.map(({ error }) => error?.code)).toEqual(Array(3).fill('ACCOUNT_SUSPENDED'));
  });

  it('is refused when too many of the account still run, and exists only with its transaction', async () => {
    const { batches, start } = processWith([{ name: 'idle', run: async () => ({}) }]);
    const before = (await batches.list(actor.accountId, undefined, all)).count;
    await expect(
      db.transaction().execute(async (trx) => {
        await batches.start(trx, actor, { kind: 'idle', params: {}, items: names(1) });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await batches.list(actor.accountId, undefined, all)).count).toBe(before);
    while ((await batches.list(actor.accountId, 'running', all)).count < 18)
      await start({ kind: 'idle', params: {}, items: names(1) });
    const atOnce = await Promise.allSettled(
      Array.from({ length: 6 }, () => start({ kind: 'idle', params: {}, items: names(1) })),
    );
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(start({ kind: 'idle', params: {}, items: names(1) })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
  });
});
