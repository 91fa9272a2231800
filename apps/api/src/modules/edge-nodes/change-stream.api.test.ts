import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, eventually, startFakeNode } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { loadBrands, toEdgeBrands } from '../brands/service.ts';
import { type ChangeStreamParts, streamChanges } from './change-stream.ts';
import { feedPositionAt, readEnteredScopes, readFeedChanges } from './feed-repository.ts';
import { forgetEndedEntries } from './feed-service.ts';
import { newestTransaction, readChanges, readSnapshot } from './repository.ts';
import { createEdgeNodeService } from './service.ts';
import { createSnapshotWriter } from './snapshot-writer.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

const MIB = 1024 * 1024;
const ROUTES = 30;
const CZONE = 'free01';
async function addLargeRoutes(label: string): Promise<void> {
  const customer = await createCustomer(test);
  await test.api.platform.pool.query(
    `WITH made AS (
      INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
      SELECT $1, $2, $3, $6 || n || '.test', $6 || n || '.test', $6 || n || '.large.test', 'running', '{}'
      FROM generate_series(1, $4::int) n RETURNING id)
    INSERT INTO edge_routes (route_id, account_id, czone, payload)
      SELECT id, $1, $3, jsonb_build_object('large', repeat('x', $5::int)) FROM made`,
    [customer.accountId, customer.subscriptionId, CZONE, ROUTES, MIB, label],
  );
}

describe('the stream of changes', () => {
  it('misses nothing of a transaction that changes more routes than one reading takes', async () => {
    const { pool } = test.api.platform;
    const customer = await createCustomer(test);
    const ROUTES = 4_500;
    const { rows } = await pool.query<{ czone: string }>('SELECT czone FROM subscriptions WHERE id = $1', [
      customer.subscriptionId,
    ]);
    const czone = rows[0]?.czone ?? '';
    const start = await readChanges(pool, [czone], { cursor: 0, revision: 0 });
    await pool.query(
      `WITH made AS (
        INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
        SELECT $1, $2, $3, 'n' || n || '.test', 'n' || n || '.test', 'n' || n || '.many.test', 'running', '{}'
        FROM generate_series(1, $4::int) n RETURNING id)
      INSERT INTO edge_routes (route_id, account_id, czone, payload) SELECT id, $1, $3, '{}' FROM made`,
      [customer.accountId, customer.subscriptionId, czone, ROUTES],
    );
    const seen = new Set<string>();
    let position = start.next;
    for (;;) {
      const read = await readChanges(pool, [czone], position);
      for (const { route_id } of read.changes) seen.add(route_id);
      position = read.next;
      if (!read.isPartial && !read.isPending) break;
    }
    expect(seen.size).toBe(ROUTES);
  });

  it('reads routes of any size in parts of bounded size, in the stream and in the snapshot', async () => {
    const { pool } = test.api.platform;
    const start = await readChanges(pool, [CZONE], {
      cursor: await newestTransaction(test.api.platform.db),
      revision: 0,
    });
    await addLargeRoutes('l');
    const seen = new Set<string>();
    let position = start.next;
    for (;;) {
      const read = await readChanges(pool, [CZONE], position);
      expect(JSON.stringify(read.changes).length).toBeLessThan(10 * MIB);
      for (const { route_id } of read.changes) seen.add(route_id);
      position = read.next;
      if (!read.isPartial && !read.isPending) break;
    }
    expect(seen.size).toBe(ROUTES);

    let lines = 0;
    await readSnapshot(
      pool,
      [CZONE],
      async () => undefined,
      async (text, count) => {
        expect(text.length).toBeLessThan(6 * MIB);
        lines += text.split('\n').filter((line) => line !== '' && JSON.parse(line).route).length;
        expect(count).toBeGreaterThan(0);
      },
    );
    const { rows: stored } = await pool.query('SELECT 1 FROM edge_routes WHERE czone = $1 AND payload IS NOT NULL', [
      CZONE,
    ]);
    expect(lines).toBe(stored.length);
  });

  it('keeps the database for others, however many snapshots are asked for and not read', async () => {
    const { pool } = test.api.platform;
    await addLargeRoutes('r');
    const nodes = await Promise.all(Array.from({ length: 5 }, () => startFakeNode(test, [CZONE])));
    const { host, hostname, port } = new URL(test.url);
    const sockets = nodes
      .flatMap(({ credential }, at) => Array.from({ length: at === 0 ? 25 : 1 }, () => credential))
      .map((credential) => {
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on('error', () => undefined);
        socket.write(
          `GET /api/v1/edge/snapshot/ HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${credential}\r\n\r\n`,
        );
        return socket;
      });
    const reading = async () =>
      (
        await pool.query(`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%fetch_lines%'`)
      ).rowCount;
    try {
      await eventually(async () => (await reading()) === 4);
      const [last] = sockets.splice(-1);
      expect(pool.waitingCount).toBe(0);
      for (const socket of sockets) socket.destroy();
      let text = '';
      last?.on('data', (piece) => {
        text = text.slice(-100) + String(piece);
      });
      await eventually(() => text.includes('{"end":true'));
    } finally {
      for (const socket of sockets) socket.destroy();
      for (const node of nodes) node.stop();
    }
  });

  it('breaks off a snapshot that is not read on, and tells a node that waits for its turn that its connection stands', async () => {
    await addLargeRoutes('b');
    const snapshots = createSnapshotWriter(test.api.platform.pool, { sliceMs: 1_000, waitingMs: 50 });
    const never = new AbortController().signal;
    const unread = Array.from({ length: 4 }, (_, at) =>
      snapshots.write({ id: `unread${at}`, czones: [CZONE] }, 'e', new PassThrough(), never),
    );
    const broken = Promise.allSettled(unread);
    const waiting = new PassThrough();
    let text = '';
    waiting.on('data', (piece) => {
      text = (text + String(piece)).slice(0, 1_000);
    });
    await snapshots.write({ id: 'waiting', czones: [CZONE] }, 'e', waiting, never);
    expect(text).toMatch(/^\n+\{"cursor"/);
    expect((await broken).map(({ status }) => status)).toEqual(unread.map(() => 'rejected'));
  });

  it('tells each node the addresses of all nodes, as soon as one comes or is cut off', async () => {
    const first = await startFakeNode(test, ['free01'], { addresses: ['203.0.113.21'] });
    const second = await startFakeNode(test, ['vip01'], { addresses: ['203.0.113.22', '2001:DB8::0:22'] });
    const isSent = (address: string) => first.settings?.own_addresses.includes(address);
    await eventually(() => isSent('203.0.113.22') && isSent('2001:db8::22') && isSent('203.0.113.21'));
    await test.api.platform.pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [second.name]);
    await eventually(() => isSent('203.0.113.22') === false);
    expect(isSent('203.0.113.21')).toBe(true);
    first.stop();
    second.stop();
  });

  it('has a node start anew when its czones change: the stream alone tells neither what it gained nor what it lost', async () => {
    const { pool } = test.api.platform;
    const node = await startFakeNode(test, ['free01']);
    const stream = await fetch(`${test.url}/api/v1/edge/stream/?epoch=${await epochOf(pool)}`, {
      headers: { authorization: `Bearer ${node.credential}`, 'last-event-id': node.cursor },
    });
    let text = '';
    const read = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of stream.body ?? []) text += decoder.decode(piece);
    })();
    await eventually(() => text.includes('event: settings'));
    await pool.query(`UPDATE edge_nodes SET czones = '{free01,free02}' WHERE name = $1`, [node.name]);
    await read;
    expect(text).toContain('event: resync');
    node.stop();
  });

  it('has a node start anew when what has ended was forgotten while the node did not read', async () => {
    const { db, pool } = test.api.platform;
    const SCOPE = '00000000-0000-4000-8000-00000000feed';
    await pool.query(`INSERT INTO feed_entries (feed, scope, network) VALUES ('bans', $1, '9.9.9.9')`, [SCOPE]);
    const node = await startFakeNode(test, ['free01']);
    const stream = await openUnreadStream(node);
    try {
      await eventually(() => {
        return stream.readAll().includes('event: settings') && !stream.res.writableNeedDrain;
      });
      const another = await startFakeNode(test, ['free01'], { addresses: ['203.0.113.77'] });
      await eventually(() => stream.res.writableNeedDrain);
      await pool.query(`UPDATE feed_entries SET ends_at = now() - interval '2 days' WHERE scope = $1`, [SCOPE]);
      await eventually(async () => {
        await forgetEndedEntries(db);
        return (await pool.query('SELECT 1 FROM feed_entries WHERE scope = $1', [SCOPE])).rowCount === 0;
      });
      await eventually(() => {
        return stream.readAll().includes('event: resync');
      });
      await stream.ended;
      another.stop();
    } finally {
      stream.end();
      node.stop();
    }
  });

  it("tells of other routes' bans between the parts of a large feed that enters", async () => {
    const { pool, hub } = test.api.platform;
    const [large, other] = [await createCustomer(test), await createCustomer(test)];
    const makeRoute = async (customer: Customer, name: string) => {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
         VALUES ($1, $2, 'free01', $3, $3, $3 || '.parts.test', 'running', '{}') RETURNING id`,
        [customer.accountId, customer.subscriptionId, name],
      );
      return rows[0]?.id ?? '';
    };
    const serve = (customer: Customer, id: string) =>
      pool.query(`INSERT INTO edge_routes (route_id, account_id, czone, payload) VALUES ($2, $1, 'free01', '{}')`, [
        customer.accountId,
        id,
      ]);
    const [largeRoute, otherRoute] = [await makeRoute(large, 'large.test'), await makeRoute(other, 'other.test')];
    await serve(other, otherRoute);
    await pool.query(
      `INSERT INTO feed_entries (feed, scope, network)
       SELECT 'bans', $1, '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256 FROM generate_series(1, 12000) n`,
      [largeRoute],
    );
    const node = await startFakeNode(test, ['free01']);
    const stream = await openUnreadStream(node);
    let notifications = 0;
    const unsubscribe = hub.subscribe('feed_entries', () => {
      notifications += 1;
    });
    try {
      await eventually(() => {
        return stream.readAll().includes('event: settings') && !stream.res.writableNeedDrain;
      });
      await serve(large, largeRoute);
      await eventually(() => stream.res.writableNeedDrain);
      // The first part waits to be read.
      await pool.query(`INSERT INTO feed_entries (feed, scope, network) VALUES ('bans', $1, '9.9.9.9')`, [otherRoute]);
      await eventually(async () => {
        const { rows } = await pool.query(
          `SELECT txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS is_readable FROM feed_entries WHERE scope = $1`,
          [otherRoute],
        );
        return notifications > 0 && rows[0].is_readable;
      });
      await eventually(() => {
        return stream.readAll().includes('event: routes');
      });
      const events = stream
        .readAll()
        .split('\n\n')
        .filter((event) => event.startsWith('event: feeds'));
      const scopes = events.flatMap((event) => [...event.matchAll(/(?<="scope":")[^"]+/g)].map(([scope]) => scope));
      // After what waited to be read, and long before the last of it; how many parts there are is of the machine.
      const at = scopes.indexOf(otherRoute);
      expect(at).toBeGreaterThan(0);
      expect(scopes.length - at).toBeGreaterThan(1000);
      expect(scopes.at(-1)).toBe(largeRoute);
    } finally {
      unsubscribe();
      stream.end();
      await stream.ended;
      node.stop();
    }
  });

  it('reads what was committed without waiting for older transactions, and theirs once they are, also between parts', async () => {
    const { db, pool } = test.api.platform;
    const customer = await createCustomer(test);
    const { rows } = await pool.query<{ id: string }>(
      `WITH made AS (
        INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
        VALUES ($1, $2, 'free01', 'older.test', 'older.test', 'older.parts.test', 'running', '{}') RETURNING id)
      INSERT INTO edge_routes (route_id, account_id, czone, payload) SELECT id, $1, 'free01', '{}' FROM made RETURNING route_id AS id`,
      [customer.accountId, customer.subscriptionId],
    );
    const scope = rows[0]?.id ?? '';
    const put = (network: string, on: Pick<typeof pool, 'query'> = pool) =>
      on.query(`INSERT INTO feed_entries (feed, scope, network) VALUES ('bans', $1, $2)`, [scope, network]);
    let position = feedPositionAt(await newestTransaction(db));
    const begin = async (network: string) => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await put(network, client);
      const { rows: numbers } = await client.query<{ txid: number }>(
        'SELECT pg_current_xact_id()::text::bigint AS txid',
      );
      const commit = async () => {
        await client.query('COMMIT');
        client.release();
      };
      return { txid: numbers[0]?.txid ?? 0, commit };
    };
    const read = async () => {
      const changes = await readFeedChanges(pool, ['free01'], position);
      position = changes.next;
      const entries = JSON.parse(changes.entries ?? '[]') as { scope: string; network: string }[];
      return entries.flatMap((entry) => (entry.scope === scope ? entry.network : []));
    };
    const [first, second] = [await begin('9.9.9.1'), await begin('9.9.9.2')];
    await put('9.9.9.3');
    expect(await read()).toEqual(['9.9.9.3']);
    // A node that comes back begins with what was not yet committed.
    const resumed = position.cursor;
    expect(resumed).toBeLessThanOrEqual(first.txid);
    expect(await read()).toEqual([]);
    await pool.query(
      `INSERT INTO feed_entries (feed, scope, network)
       SELECT 'bans', $1, '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256 FROM generate_series(1, 7000) n`,
      [scope],
    );
    expect(await read()).toHaveLength(5000);
    expect(position.cursor).toBeLessThanOrEqual(first.txid);
    await first.commit();
    expect(await read()).toHaveLength(2000);
    expect(await read()).toContain('9.9.9.1');
    await second.commit();
    expect(await read()).toEqual(['9.9.9.2']);
    expect(await read()).toEqual([]);
    expect(position.cursor).toBeGreaterThan(resumed);
    position = feedPositionAt(resumed);
    expect(await read()).toHaveLength(5000);
    expect(await read()).toHaveLength(2003);
  });

  it('brings the feeds of an account along with its first route in the czones, and those of a route whenever it enters', async () => {
    const { db, pool } = test.api.platform;
    const customer = await createCustomer(test);
    const enter = async (name: string, czone: string) => {
      const { rows } = await pool.query<{ id: string }>(
        `WITH made AS (
          INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
          VALUES ($1, $2, $3, $4, $4, $4 || '.enters.test', 'running', '{}') RETURNING id)
        INSERT INTO edge_routes (route_id, account_id, czone, payload) SELECT id, $1, $3, '{}' FROM made RETURNING route_id AS id`,
        [customer.accountId, customer.subscriptionId, czone, name],
      );
      return rows[0]?.id ?? '';
    };
    const put = (id: string, payload: string | null) =>
      pool.query('UPDATE edge_routes SET payload = $2 WHERE route_id = $1', [id, payload]);
    const entered = async (id: string, since: number) =>
      (await readEnteredScopes(pool, ['free01'], [id], since)).sort();
    const both = (id: string) => [id, customer.accountId].sort();
    const [start, elsewhere] = [await newestTransaction(db), await enter('elsewhere.test', 'free02')];
    const first = await enter('first.test', 'free01');
    expect(await entered(first, start)).toEqual(both(first));
    const afterFirst = await newestTransaction(db);
    await put(first, '{"version": 2}');
    expect(await entered(first, afterFirst)).toEqual([]);
    const second = await enter('second.test', 'free01');
    expect(await entered(second, afterFirst)).toEqual([second]);
    for (const id of [first, second]) await put(id, null);
    const afterLeaving = await newestTransaction(db);
    await put(second, '{}');
    expect(await entered(second, afterLeaving)).toEqual(both(second));
    await pool.query(`UPDATE edge_routes SET czone = 'free01' WHERE route_id = $1`, [elsewhere]);
    expect(await entered(elsewhere, await newestTransaction(db))).toEqual([]);
    expect(await entered(elsewhere, afterLeaving)).toEqual(both(elsewhere));
  });

  it('forgets nothing that nodes cannot have heard of yet', async () => {
    const { db, pool } = test.api.platform;
    const SCOPE = '00000000-0000-4000-8000-00000000dead';
    const older = await pool.connect();
    const isThere = async () =>
      (await pool.query('SELECT 1 FROM feed_entries WHERE scope = $1', [SCOPE])).rowCount === 1;
    try {
      await older.query('BEGIN');
      await older.query('SELECT pg_current_xact_id()');
      await pool.query(
        `INSERT INTO feed_entries (feed, scope, network, ends_at) VALUES ('bans', $1, '9.9.9.9', now() - interval '2 days')`,
        [SCOPE],
      );
      await forgetEndedEntries(db);
      expect(await isThere()).toBe(true);
      await older.query('COMMIT');
    } finally {
      older.release();
    }
    await eventually(async () => {
      await forgetEndedEntries(db);
      return !(await isThere());
    });
  });
});

/** The stream of a node of `free01`, which takes nothing that is not read. */
async function openUnreadStream(node: { readonly name: string; readonly cursor: string }) {
  const { db, pool, hub, secrets } = test.api.platform;
  const principal = { kind: 'machine' as const, id: '', name: node.name, czones: ['free01'] };
  const nodes = createEdgeNodeService(db, secrets, toEdgeBrands(loadBrands({ origin: test.env.origin })));
  const openClears: ChangeStreamParts['openClears'] = () => ({
    look: () => undefined,
    isCurrent: true,
    close: () => undefined,
  });
  const prefetches = { takeEvents: async () => [], record: async () => undefined };
  const parts: ChangeStreamParts = { db, pool, hub, nodes, openClears, prefetches, recheck: async () => principal };
  const res = new PassThrough({ highWaterMark: 1 });
  const abort = new AbortController();
  const resume = { epoch: await epochOf(pool), cursor: node.cursor, feeds: node.cursor, clears: undefined };
  const ended = streamChanges(parts, principal, resume, res as never, abort.signal);
  let text = '';
  return {
    res,
    ended,
    end: () => abort.abort(),
    /** Reads what waits; answers all that has been read. */
    readAll(): string {
      text += res.read() ?? '';
      return text;
    },
  };
}

const epochOf = async (pool: TestApi['api']['platform']['pool']): Promise<string> =>
  (
    await pool.query<{ epoch: string }>(
      "SELECT convert_from(value, 'UTF8') AS epoch FROM deployment WHERE name = 'epoch'",
    )
  ).rows[0]?.epoch ?? '';
