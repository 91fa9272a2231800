import { TASK_NAMES_MAX } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { slowdown } from '../../../../../tests/support/slowness.ts';
import { systemActor } from '../../platform/actor.ts';
import { runInTransaction } from '../../platform/database.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  createCustomer,
  createDomain,
  eventually,
  type FakeNode,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { createBatchService } from '../batches/service.ts';
import { forgetClears } from './clear-repository.ts';
import { createClearStreams } from './clear-stream.ts';
import { leaveTasks } from './task-leaving.ts';
import { createTaskService } from './task-service.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip-enterprise' });

async function deployed(name = uniqueName(), owner = customer) {
  const { id } = await createDomain(owner, name);
  await owner.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  await eventually(async () => (await owner.client.getRoute({ params: { id } })).result.operation?.state !== 'running');
  return { id, name, params: { id } };
}
type Deployed = Awaited<ReturnType<typeof deployed>>;
const told = (routeId: string, of = node) =>
  of.clears.flatMap((clear) => (clear !== 'all' && clear.route_id === routeId ? [clear] : []));

/** Answer of a call that is refused. */
const refused = async (routeId: string, body: unknown, token = customer.token) => {
  const answer = await test.call('POST', `domain/routes/${routeId}/clear-cache/`, { token, body });
  return { ...answer.body, status: answer.status };
};

/** Kinds and values that no clear of a domain takes, with the field and what it says. */
const REFUSED: [kind: string, values: string[], field: string, code: string][] = [
  ['urls', ['https://other.example/'], 'values.0', 'CACHE_URL_FOREIGN'],
  ['urls', ['/ok', 'ftp://a/'], 'values.1', 'CACHE_URL_INVALID'],
  ['urls', ['/a#b'], 'values.0', 'CACHE_URL_FRAGMENT'],
  ['urls', ['/a%0Ab'], 'values.0', 'CACHE_URL_CHARACTERS'],
  ['urls', ['/a%2Ab', '/a*b'], 'values.1', 'CACHE_URL_PATTERN'],
  ['prefixes', ['/a?b'], 'values.0', 'CACHE_PREFIX_QUERY'],
  ['prefixes', ['https://other.example/a'], 'values.0', 'CACHE_URL_FOREIGN'],
  ['prefixes', ['/a/*', '/*/a'], 'values.1', 'CACHE_URL_PATTERN'],
  ['tags', ['ok', 'product-*'], 'values.1', 'CACHE_TAG_PATTERN'],
  ['tags', ['a,b'], 'values.0', 'CACHE_TAG_INVALID'],
  ['tags', Array.from({ length: 101 }, (_, at) => `t${at}`), 'values', 'TOO_MANY'],
  ['urls', [], 'values', 'REQUIRED'],
  ['all', ['/a'], 'values', 'NOT_ALLOWED'],
  ['urls', Array.from({ length: 501 }, (_, at) => `/${at}`), 'values', 'TOO_MANY'],
];

/** Another node, for as long as the work takes: nobody waits for it afterwards. */
async function withNode(
  work: (other: FakeNode) => Promise<void>,
  { czones, clears }: { readonly czones?: string[]; readonly clears?: string } = {},
): Promise<void> {
  const other = await startFakeNode(test, czones, clears === undefined ? {} : { clears });
  try {
    await work(other);
  } finally {
    other.stop();
    await test.api.platform.pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [other.name]);
  }
}

describe('clearing the cache of a domain', () => {
  it('is answered when the nodes have cleared, with the milliseconds of each', async () => {
    const { id, params } = await deployed();
    await node.heartbeat();
    const startedAt = performance.now();
    const { clear } = await customer.client.clearCache({ params, body: { kind: 'all' } });
    const elapsed = performance.now() - startedAt;
    expect(clear).toMatchObject({ kind: 'all', values: [], soft: false, created_by: customer.email });
    expect(clear.nodes).toEqual([{ name: node.name, state: 'cleared', milliseconds: expect.any(Number) }]);
    expect(clear.nodes[0]?.milliseconds).toBeGreaterThanOrEqual(1);
    expect(clear.nodes[0]?.milliseconds).toBeLessThan(elapsed);
    expect(told(id)).toEqual([
      { id: clear.id, route_id: id, kind: 'all', values: [], soft: false, age_ms: expect.any(Number) },
    ]);
    const stored = await eventually(async () => {
      const { clear: one } = await customer.client.getCacheClear({ params: { id, clear_id: clear.id } });
      return one.nodes[0]?.state === 'cleared' && one;
    });
    expect(stored).toMatchObject({ ...clear, nodes: [{ name: node.name, state: 'cleared' }] });
    const { results, count } = await customer.client.listCacheClears({ params });
    expect([results, count]).toEqual([[stored], 1]);
  });

  it('is carried out while it is still being stored, and what nodes report of it is kept', async () => {
    const { id, params } = await deployed();
    await node.heartbeat();
    const { pool } = test.api.platform;
    const other = await pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('LOCK TABLE cache_clears IN SHARE MODE');
      const calling = customer.client.clearCache({ params, body: { kind: 'all' } });
      await eventually(() => told(id).length === 1);
      // By then its receipt is there, too.
      await node.heartbeat();
      await other.query('COMMIT');
      const { clear } = await calling;
      expect(clear.nodes[0]?.state).toBe('cleared');
      await eventually(
        async () => (await customer.client.listCacheClears({ params })).results[0]?.nodes[0]?.milliseconds,
      );
    } finally {
      other.release();
    }
  });

  it('names URLs as nodes do: by host and path, paths for all exact names, each once', async () => {
    const { id, name, params } = await deployed();
    const shadow = `b\u00fccher-${uniqueName()}`;
    await customer.client.addShadowDomains({ params, body: { names: [shadow] } });
    const ascii = new URL(`http://${shadow}`).hostname;
    await node.heartbeat();
    const values = [
      `https://${name.toUpperCase()}:8443/a%20b/../c?x=1`,
      `http://${shadow}/\u4f60`,
      '/p%41th//x?q=\u00fc',
      '/pAth/x?q=%C3%BC',
    ];
    const { clear } = await customer.client.clearCache({ params, body: { kind: 'urls', values, soft: true } });
    expect(clear.values).toEqual(values.slice(0, 3));
    expect(told(id)[0]).toMatchObject({
      kind: 'urls',
      soft: true,
      values: [`${name}/c?x=1`, `${ascii}/%E4%BD%A0`, `${name}/pAth/x?q=%C3%BC`, `${ascii}/pAth/x?q=%C3%BC`],
    });
    await customer.client.clearCache({
      params,
      body: { kind: 'prefixes', values: ['/img/', `https://${ascii}/img/*`] },
    });
    await customer.client.clearCache({ params, body: { kind: 'tags', values: ['shop', ' shop ', 'a:1'] } });
    expect(told(id).slice(1)).toMatchObject([
      { kind: 'prefixes', values: ['/img/'] },
      { kind: 'tags', values: ['shop', 'a:1'] },
    ]);
  });

  it('shows the beginning of long values, and cuts no character in two', async () => {
    const { id, params } = await deployed();
    const value = `/${'a'.repeat(198)}\u{1F600}${'b'.repeat(100)}`;
    const { clear } = await customer.client.clearCache({ params, body: { kind: 'urls', values: [value] } });
    expect(clear).toMatchObject({ values: [`/${'a'.repeat(198)}\u{1F600}`], entries: 1 });
    expect((await customer.client.listCacheClears({ params })).results[0]?.values).toEqual(clear.values);
    expect(told(id)).toHaveLength(1);
  });

  it('leaves queries out of the audit log, whose values may be secrets', async () => {
    const { params } = await deployed();
    const values = ['/a?token=hush', `/${'b'.repeat(20)}?c`, '/d'];
    await customer.client.clearCache({ params, body: { kind: 'urls', values } });
    const { results } = await customer.client.listAuditLines({ query: { perpage: 1 } });
    expect(results).toMatchObject([
      { action: 'route.cache_clear', details: { entries: 3, values: ['/a?…', `/${'b'.repeat(20)}?…`, '/d'] } },
    ]);
  });

  it('takes names that a wildcard of the domain answers for', async () => {
    const parent = uniqueName();
    const { id, params } = await deployed(`*.${parent}`);
    await customer.client.clearCache({ params, body: { kind: 'urls', values: [`http://shop.${parent}/a`] } });
    expect(told(id)).toMatchObject([{ values: [`shop.${parent}/a`] }]);
    for (const [value, code] of [
      [`http://a.b.${parent}/`, 'CACHE_URL_FOREIGN'],
      [`http://${parent}/`, 'CACHE_URL_FOREIGN'],
      ['/a', 'CACHE_URL_NEEDS_HOST'],
    ])
      expect(await refused(id, { kind: 'urls', values: [value] })).toMatchObject({ status: 422, 'values.0': code });
  });

  it.each(REFUSED)('refuses %s %j at %s', async (kind, values, field, code) => {
    const { id } = await deployed();
    expect(await refused(id, { kind, values })).toMatchObject({ status: 422, [field]: code });
    expect(told(id)).toEqual([]);
  });

  it('is refused for a free account, in the words of the specification, and for what was never live', async () => {
    const free = await createCustomer(test, { plan: 'free' });
    const { id } = await deployed(uniqueName(), free);
    expect(await refused(id, { kind: 'all' }, free.token)).toMatchObject({
      status: 403,
      code: 'CACHE_CLEAR_NEEDS_PLAN',
      message: 'A free account cannot clear cache.',
    });
    const { id: draft } = await createDomain(customer);
    expect(await refused(draft, { kind: 'all' })).toMatchObject({ status: 409, code: 'DOMAIN_NOT_DEPLOYED' });
  });

  it('waits for no silent node, and 2 s for one that is live and says nothing', async () => {
    const { params } = await deployed();
    await node.heartbeat();
    await withNode(async (silent) => {
      await test.api.platform.pool.query(
        `UPDATE edge_nodes SET last_seen_at = now() - interval '1 hour' WHERE name = $1`,
        [silent.name],
      );
      silent.reportsClear = () => false;
      const startedAt = performance.now();
      const { clear } = await customer.client.clearCache({ params, body: { kind: 'all' } });
      expect((performance.now() - startedAt) / slowdown()).toBeLessThan(1_500);
      expect(clear.nodes).toContainEqual({ name: silent.name, state: 'silent', milliseconds: null });
      await silent.heartbeat();
      const again = await customer.client.clearCache({ params, body: { kind: 'all' } });
      expect(performance.now() - startedAt).toBeGreaterThan(2_000);
      expect((performance.now() - startedAt) / slowdown()).toBeLessThan(8_000);
      expect(again.clear.nodes).toContainEqual({ name: silent.name, state: 'waiting', milliseconds: null });
    });
  });
});

describe('a node', () => {
  it('goes on behind what it has cleared, also what was committed late', async () => {
    const { id, params } = await deployed();
    await customer.client.clearCache({ params, body: { kind: 'all' } });
    const { pool } = test.api.platform;
    const older = await pool.connect();
    // What came shortly before the cursor may come twice.
    const tagsTold = (of: FakeNode) => told(id, of).flatMap(({ kind, values }) => (kind === 'tags' ? values : []));
    try {
      await withNode(
        async (late) => {
          await older.query('BEGIN');
          await older.query(
            `INSERT INTO cache_clears (id, account_id, route_id, czone, kind, shown, sent, bytes, soft, created_by, created_at)
             SELECT gen_random_uuid(), account_id, id, czone, 'tags', '{}', '{late}', 10, false, '', now() FROM routes WHERE id = $1`,
            [id],
          );
          await customer.client.clearCache({ params, body: { kind: 'tags', values: ['early'] } });
          await eventually(() => tagsTold(late).length > 0);
          const between = late.clearsCursor;
          await older.query('COMMIT');
          await eventually(() => tagsTold(late).length === 2);
          expect(tagsTold(late)).toEqual(['early', 'late']);
          await withNode(
            async (resumed) => {
              await eventually(() => tagsTold(resumed).includes('late'));
            },
            { clears: between },
          );
        },
        { clears: node.clearsCursor },
      );
    } finally {
      older.release();
    }
  });

  it('clears all when what it has missed is forgotten, or it knows of nothing', async () => {
    const { params } = await deployed();
    const cursor = node.clearsCursor;
    const { clear } = await customer.client.clearCache({ params, body: { kind: 'all' } });
    const { pool, db } = test.api.platform;
    await pool.query(`UPDATE cache_clears SET created_at = now() - interval '31 days' WHERE id = $1`, [clear.id]);
    await eventually(async () => {
      await forgetClears(db, 30);
      return (await pool.query('SELECT 1 FROM cache_clears WHERE id = $1', [clear.id])).rowCount === 0;
    });
    let current = '';
    for (const clears of ['0', cursor, '999999999999999', 'nothing'])
      await withNode(
        async (behind) => {
          await eventually(() => behind.clears[0] === 'all');
          current = behind.clearsCursor;
          expect(current).toMatch(/^\d+$/);
        },
        { clears },
      );
    await withNode(
      async (upToDate) => {
        const { params: other, id } = await deployed();
        await customer.client.clearCache({ params: other, body: { kind: 'all' } });
        await eventually(() => told(id, upToDate).length === 1);
        expect(upToDate.clears).not.toContain('all');
      },
      { clears: current },
    );
  });

  it('that reads nothing for a while is told of all of it afterwards, and nothing is kept for it meanwhile', async () => {
    const { id } = await deployed();
    const { pool, hub } = test.api.platform;
    const streams = createClearStreams({ pool, hub });
    const texts: string[] = [];
    let read = () => {};
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const stream = streams.open(['vip01', 'vip02'], node.clearsCursor, async (text) => {
      texts.push(text);
      await isRead;
    });
    const tags = Array.from({ length: 130 }, (_, at) => `t${at}`);
    for (const [at, tag] of tags.entries()) {
      await pool.query(
        `INSERT INTO cache_clears (id, account_id, route_id, czone, kind, shown, sent, bytes, soft, created_by, created_at)
         SELECT gen_random_uuid(), account_id, id, czone, 'tags', '{}', ARRAY[$2], 10, false, '', now() FROM routes WHERE id = $1`,
        [id, tag],
      );
      await eventually(() => told(id).length === at + 1);
    }
    expect(texts).toHaveLength(1);
    read();
    await eventually(() => tags.every((tag) => texts.some((text) => text.includes(`"${tag}"`))));
    // What was beyond the queue came together.
    expect(texts.length).toBeLessThan(120);
    stream.close();
    streams.close();
  });

  it('is told of routes of its czones only, and reports of no others', async () => {
    const { id, params } = await deployed();
    await withNode(
      async (elsewhere) => {
        const { clear } = await customer.client.clearCache({ params, body: { kind: 'all' } });
        const response = await fetch(`${test.url}/api/v1/edge/clear-receipts/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${elsewhere.credential}`, 'content-type': 'application/json' },
          body: JSON.stringify({ receipts: [{ clear_id: clear.id, milliseconds: 1 }] }),
        });
        expect(response.status).toBe(200);
        const { clear: known } = await customer.client.getCacheClear({ params: { id, clear_id: clear.id } });
        expect(known.nodes.map(({ name }) => name)).not.toContain(elsewhere.name);
        expect(told(id, elsewhere)).toEqual([]);
      },
      { czones: ['free01'] },
    );
  });
});

describe('tasks', () => {
  it('clear many domains now, as a batch', async () => {
    const [first, second] = [await deployed(), await deployed()];
    const { result } = await customer.client.runTask({
      body: { kind: 'clear cache', route_ids: [first.id, second.id], soft: true },
    });
    expect(result).toMatchObject({ state: 'running', domains: 2, batch_id: expect.any(String) });
    const params = { id: result.batch_id ?? '' };
    await eventually(async () => (await customer.client.getBatch({ params })).result.state !== 'running');
    expect((await customer.client.getBatch({ params })).result).toMatchObject({
      kind: 'clear_cache',
      state: 'successful',
      is_undoable: false,
    });
    await eventually(() => told(first.id).length === 1 && told(second.id).length === 1);
    expect(told(first.id)[0]).toMatchObject({ kind: 'all', soft: true });
  });

  it('run at their time, unless they are cancelled before', async () => {
    const { id, name } = await deployed();
    const start = async (inMs: number) =>
      (
        await customer.client.runTask({
          body: {
            kind: 'clear cache',
            selection: { names: [name] },
            at: new Date(Date.now() + inMs).toISOString(),
          },
        })
      ).result;
    const [later, soon] = [await start(3_600_000), await start(1_500)];
    const names = { first_domain: name, domain_names: [name] };
    expect(later).toMatchObject({ state: 'task_scheduled', domains: 1, ...names, batch_id: null });
    expect((await customer.client.listTasks({})).results.map((task) => task.id)).toEqual([soon.id, later.id]);
    expect(told(id)).toEqual([]);
    await customer.client.cancelTask({ params: { id: later.id } });
    await eventually(() => told(id).length === 1);
    expect(told(id)[0]).toMatchObject({ kind: 'all', soft: false });
    expect((await customer.client.listTasks({})).results.filter(({ state }) => state === 'task_scheduled')).toEqual([]);
    for (const task of [later, soon])
      await expect(customer.client.cancelTask({ params: { id: task.id } })).rejects.toMatchObject({ status: 404 });
  });

  it('are scheduled for what was shown, or not at all', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    await deployed(uniqueName(), owner);
    const selection = { filter: {} };
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const preview = async () =>
      (await owner.client.previewBulk({ body: { action: 'clear_cache', selection } })).result.digest;
    const schedule = (digest: string) => owner.client.runTask({ body: { kind: 'clear cache', selection, at, digest } });
    const shown = await preview();
    await deployed(uniqueName(), owner);
    const refusal = { status: 422, fields: { selection: 'SELECTION_CHANGED' } };
    await expect(schedule(shown)).rejects.toMatchObject(refusal);
    await expect(
      owner.client.runTask({ body: { kind: 'clear cache', selection, digest: shown } }),
    ).rejects.toMatchObject(refusal);
    expect((await owner.client.listTasks({})).results).toEqual([]);
    expect((await schedule(await preview())).result).toMatchObject({ state: 'task_scheduled', domains: 2 });
  });

  it('clear what was selected when they were scheduled: nothing that has come since, or is gone', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const [kept, gone] = [await deployed(uniqueName(), owner), await deployed(uniqueName(), owner)];
    const { result: task } = await owner.client.runTask({
      body: { kind: 'clear cache', selection: { filter: {} }, at: new Date(Date.now() + 4_000).toISOString() },
    });
    expect(task.domains).toBe(2);
    const late = await deployed(uniqueName(), owner);
    await owner.client.deleteRoute({ params: gone.params, body: { cname: owner.cname } });
    const batch = await eventually(
      async () =>
        (await owner.client.listBatches({})).results.find(
          ({ kind, state }) => kind === 'clear_cache' && state !== 'running',
        ),
      20_000,
    );
    expect(batch).toMatchObject({ total: 1, succeeded: 1 });
    await eventually(() => told(kept.id).length === 1);
    expect([told(gone.id), told(late.id)]).toEqual([[], []]);
  });

  it('wait for no names of none', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const selection = { names: [uniqueName()] };
    await expect(customer.client.runTask({ body: { kind: 'clear cache', selection, at } })).rejects.toMatchObject({
      status: 422,
      fields: { selection: 'SELECTION_EMPTY' },
    });
  });

  it('are listed of one domain as well, and of no other account', async () => {
    const [first, second] = [await deployed(), await deployed()];
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = async (route_ids: string[]) =>
      (await customer.client.runTask({ body: { kind: 'clear cache', route_ids, at } })).result.id;
    const [both, one] = [await schedule([first.id, second.id]), await schedule([second.id])];
    const listed = async (route_id: string) =>
      (await customer.client.listTasks({ query: { route_id } })).results.map(({ id }) => id);
    expect(await listed(first.id)).toEqual([both]);
    expect((await listed(second.id)).sort()).toEqual([both, one].sort());
    const other = await createCustomer(test);
    const foreign = await test.call('GET', `domain/run/tasks/?route_id=${first.id}`, { token: other.token });
    expect(foreign.body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are left by a domain that is deleted, and cancelled where it was the last', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const routes = [];
    for (const prefix of ['a', 'b', 'c', 'd']) routes.push(await deployed(`${prefix}-${uniqueName()}`, owner));
    const [a, b, c, d] = routes as [Deployed, Deployed, Deployed, Deployed];
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = async (...chosen: readonly Deployed[]) =>
      (
        await owner.client.runTask({
          body: { kind: 'clear cache', route_ids: chosen.map(({ id }) => id), clear_kind: 'tags', values: ['x'], at },
        })
      ).result.id;
    const [all, two, alone, other] = [
      await schedule(...routes),
      await schedule(b, c),
      await schedule(a),
      await schedule(d),
    ];
    const listed = async () =>
      new Map(
        (await owner.client.listTasks({})).results.map(({ id, domains, domain_names }) => [
          id,
          { domains, names: domain_names },
        ]),
      );
    const changed = async (action: 'delete' | 'deactivate', ...chosen: readonly Deployed[]) =>
      (await owner.client.previewBulk({ body: { action, selection: { names: chosen.map(({ name }) => name) } } }))
        .result.tasks;
    expect(await changed('delete', a)).toEqual({ cancelled: 1, left: 1 });
    expect(await changed('delete', b, c)).toEqual({ cancelled: 1, left: 1 });
    expect(await changed('delete', ...routes)).toEqual({ cancelled: 4, left: 0 });
    expect(await changed('deactivate', ...routes)).toEqual({ cancelled: 0, left: 0 });
    await owner.client.deleteRoute({ params: a.params, body: { cname: owner.cname } });
    expect(await changed('delete', d)).toEqual({ cancelled: 1, left: 1 });
    const ofOther = [other, { domains: 1, names: [d.name] }] as const;
    expect(await listed()).toEqual(
      new Map<string, object>([
        [all, { domains: 3, names: [b.name, c.name, d.name] }],
        [two, { domains: 2, names: [b.name, c.name] }],
        ofOther,
      ]),
    );
    // As a batch, in one go.
    await owner.client.bulkRoutes({ body: { action: 'delete', selection: { names: [b.name, c.name] } } });
    await eventually(async () => (await listed()).size === 2);
    expect(await listed()).toEqual(new Map<string, object>([[all, { domains: 1, names: [d.name] }], ofOther]));
    expect((await owner.client.listTasks({ query: { route_id: d.id } })).results.map(({ id }) => id).sort()).toEqual(
      [all, other].sort(),
    );
    const { results: lines } = await owner.client.listAuditLines({ query: { perpage: 100 } });
    const cancelled = lines.filter(({ action }) => action === 'task.cancel');
    expect(cancelled).toMatchObject([
      {
        ...{ object: { id: two }, actor: { kind: 'user' } },
        details: { values: ['x'], domains: 2, names: [b.name, c.name], cause: 'domains_deleted' },
      },
      {
        ...{ object: { id: alone }, actor: { kind: 'user' } },
        details: { values: ['x'], domains: 1, names: [a.name], cause: 'domains_deleted' },
      },
    ]);
    // Of each task and deletion one line, whether of one domain or of many.
    const left = lines.filter(({ action }) => action === 'task.leave');
    expect(left).toMatchObject(
      [[b, c], [a]].map((gone) => ({
        ...{ object: { kind: 'task', id: all }, actor: { kind: 'user', name: owner.email } },
        details: {
          ...{ cleared: 'tags', values: ['x'], entries: 1, soft: false, task: all, at },
          ...{ domains: gone.length, names: gone.map(({ name }) => name), cause: 'domains_deleted' },
        },
      })),
    );
  });

  it('name a domain by its main name of now, in the list and in the audit log', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const [route, beside] = [await deployed(`a-${uniqueName()}`, owner), await deployed(`b-${uniqueName()}`, owner)];
    const name = `z-${uniqueName()}`;
    const { cname } = (await owner.client.getRoute({ params: route.params })).result;
    test.dns.setCname(name, cname);
    await owner.client.addShadowDomains({ params: route.params, body: { names: [name] } });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { kind: 'clear cache' as const, route_ids: [route.id, beside.id], at };
    const { id } = (await owner.client.runTask({ body })).result;
    await owner.client.promoteShadowDomain({ params: route.params, body: { name } });
    const [task] = (await owner.client.listTasks({})).results;
    expect(task).toMatchObject({ id, first_domain: name, domain_names: [name, beside.name] });
    await owner.client.deleteRoute({ params: route.params, body: { cname: owner.cname } });
    const { results } = await owner.client.listAuditLines({ query: { action: 'task.leave' } });
    expect(results).toMatchObject([{ object: { id }, details: { names: [name] } }]);
  });

  it('that thousands of domains leave at once have a line each, which names the first', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { db, pool } = test.api.platform;
    const count = 2_000;
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO tasks (account_id, kind, params, route_ids, names, run_at, created_by, created_by_kind)
       SELECT $1, 'clear cache', '{"clear_kind":"all","values":[],"soft":false}',
         array_agg(md5(n::text)::uuid ORDER BY n), array_agg('n' || n ORDER BY n), now() + interval '1 day', 'x', 'user'
       FROM generate_series(0, $2::int) n, generate_series(1, 100) task GROUP BY task RETURNING id`,
      [owner.accountId, count],
    );
    const ids = await pool.query<{ id: string }>(`SELECT md5(n::text)::uuid AS id FROM generate_series(1, $1::int) n`, [
      count,
    ]);
    const startedAt = performance.now();
    await runInTransaction(db, (executor) =>
      leaveTasks(
        executor,
        systemActor(owner.accountId),
        ids.rows.map(({ id }) => id),
        'domains_deleted',
      ),
    );
    expect(performance.now() - startedAt).toBeLessThan(3_000 * slowdown());
    const { results, count: lines } = await owner.client.listAuditLines({
      query: { action: 'task.leave', perpage: 100 },
    });
    expect(lines).toBe(rows.length);
    expect(new Set(results.map(({ object }) => object.id))).toEqual(new Set(rows.map(({ id }) => id)));
    for (const { details } of results) {
      expect(details).toMatchObject({ domains: count, cause: 'domains_deleted' });
      expect(details.names).toEqual(Array.from({ length: TASK_NAMES_MAX }, (_, at) => `n${at + 1}`));
    }
    const tasks = await owner.client.listTasks({});
    expect(tasks.results.map(({ domain_names: names }) => names)).toEqual(rows.map(() => ['n0']));
  });

  it('are left by domains that other accounts have proved, with that as the cause', async () => {
    const holder = await createCustomer(test, { plan: 'vip-enterprise' });
    const parent = uniqueName();
    const own = await deployed(uniqueName(), holder);
    const below = [
      await deployed(`a.${parent}`, holder),
      await deployed(`b.${parent}`, holder),
      await deployed(`c.${parent}`, holder),
    ];
    const kept = await deployed(uniqueName(), holder);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = async (...chosen: readonly Deployed[]) =>
      (
        await holder.client.runTask({
          body: { kind: 'clear cache', route_ids: chosen.map(({ id }) => id), at },
        })
      ).result.id;
    const [alone, wild, all] = [await schedule(own), await schedule(...below), await schedule(own, ...below, kept)];
    /** Another account adds the name, once it has proved it. */
    const take = async (name: string) => {
      const owner = await createCustomer(test, { plan: 'vip-enterprise' });
      const body = { cname: owner.cname, domain_name: name, upstreams: upstreamsTo() };
      const add = () => test.call('POST', 'domain/routes/', { token: owner.token, body });
      const { txt_name, txt_value } = (await add()).body.params.domain_name;
      test.dns.setTexts(txt_name, [txt_value]);
      expect((await add()).status).toBe(201);
    };
    await take(own.name);
    await take(`*.${parent}`);
    const { results: lines } = await holder.client.listAuditLines({ query: { perpage: 100 } });
    const of = (wanted: string) =>
      lines.flatMap(({ action, actor, object, details }) =>
        action === wanted
          ? [{ by: actor.kind, of: object.id, names: details.names ?? object.name, cause: details.cause }]
          : [],
      );
    const names = below.map(({ name }) => name);
    expect(
      of('route.name_moved')
        .map(({ names, cause }) => [names, cause])
        .sort(),
    ).toEqual([[own.name, 'name_proved'], ...names.map((name) => [name, 'wildcard_proved'])].sort());
    expect(of('task.cancel')).toEqual([
      { by: 'system', of: wild, names, cause: 'wildcard_proved' },
      { by: 'system', of: alone, names: [own.name], cause: 'name_proved' },
    ]);
    expect(of('task.leave')).toEqual([
      { by: 'system', of: all, names, cause: 'wildcard_proved' },
      { by: 'system', of: all, names: [own.name], cause: 'name_proved' },
    ]);
    expect((await holder.client.listTasks({})).results).toMatchObject([{ id: all, domain_names: [kept.name] }]);
  });

  describe('of domains that are deleted while they are scheduled', () => {
    /** Has `schedule` and `remove` meet at the lock of the account's tasks, in this order. */
    async function meet(accountId: string, begin: readonly (() => Promise<unknown>)[]) {
      const { pool } = test.api.platform;
      const key = `hashtext('tasks'), hashtext($1)`;
      const waiting = async () =>
        (
          await pool.query<{ count: number }>(
            `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
               AND objid = (hashtext($1)::bigint & 4294967295)::oid`,
            [accountId],
          )
        ).rows[0]?.count ?? 0;
      const holder = await pool.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(`SELECT pg_advisory_xact_lock(${key})`, [accountId]);
        const begun: Promise<unknown>[] = [];
        for (const one of begin) {
          const run = one();
          begun.push(run);
          // What does not wait has ended.
          await Promise.race([run, eventually(async () => (await waiting()) === begun.length)]);
        }
        await holder.query('COMMIT');
        return await Promise.allSettled(begun);
      } finally {
        holder.release();
      }
    }

    async function two() {
      const owner = await createCustomer(test, { plan: 'vip-enterprise' });
      const [gone, kept] = [await deployed(uniqueName(), owner), await deployed(uniqueName(), owner)];
      const schedule = (...chosen: readonly Deployed[]) =>
        owner.client.runTask({
          body: {
            kind: 'clear cache',
            route_ids: chosen.map(({ id }) => id),
            at: new Date(Date.now() + 3_600_000).toISOString(),
          },
        });
      const remove = () => owner.client.deleteRoute({ params: gone.params, body: { cname: owner.cname } });
      const listed = async () => (await owner.client.listTasks({})).results.map(({ domain_names: names }) => names);
      return { owner, gone, kept, schedule, remove, listed };
    }

    it.each(['the task', 'the deletion'])('have none of them, with %s first', async (first) => {
      const { owner, gone, kept, schedule, remove, listed } = await two();
      const both = [() => schedule(gone, kept), remove];
      const ends = await meet(owner.accountId, first === 'the task' ? both : both.toReversed());
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await listed()).toEqual([[kept.name]]);
    });

    it('are refused where none is left', async () => {
      const { owner, gone, schedule, remove, listed } = await two();
      const [, scheduled] = await meet(owner.accountId, [remove, () => schedule(gone)]);
      expect(scheduled).toMatchObject({ reason: { status: 422, fields: { selection: 'SELECTION_EMPTY' } } });
      expect(await listed()).toEqual([]);
    });

    it('leave out those that are being deleted already, which a filter selects, too', async () => {
      const { owner, gone, kept } = await two();
      await test.api.platform.pool.query(`UPDATE routes SET status = 'deleting' WHERE id = $1`, [gone.id]);
      const at = new Date(Date.now() + 3_600_000).toISOString();
      const { result } = await owner.client.runTask({ body: { kind: 'clear cache', selection: { filter: {} }, at } });
      expect(result).toMatchObject({ domains: 1, domain_names: [kept.name] });
    });
  });

  it.each([
    [-1_000, 'TASK_TIME_PAST'],
    [31 * 86_400_000, 'TASK_TIME_FAR'],
  ])('of a time %i ms ahead are refused', async (inMs, code) => {
    const { id } = await deployed();
    const body = { kind: 'clear cache', route_ids: [id], at: new Date(Date.now() + inMs).toISOString() };
    const answer = await test.call('POST', 'domain/run/tasks/', { token: customer.token, body });
    expect(answer.body).toMatchObject({ at: code });
  });

  it('by prefix run at their time: nodes are told the beginnings of paths, and the list says before what will be cleared', async () => {
    const { id, params } = await deployed();
    const values = ['/img/*', ' /img/', '/css/'];
    const { result: task } = await customer.client.runTask({
      body: {
        ...{ kind: 'clear cache', route_ids: [id], clear_kind: 'prefixes', values, soft: true },
        at: new Date(Date.now() + 1_500).toISOString(),
      },
    });
    const shown = { clear_kind: 'prefixes', values: ['/img/*', '/css/'], entries: 2, soft: true };
    expect(task).toMatchObject({ ...shown, state: 'task_scheduled' });
    expect((await customer.client.listTasks({ query: { route_id: id } })).results).toEqual([task]);
    expect(told(id)).toEqual([]);
    await eventually(() => told(id).length === 1);
    expect(told(id)[0]).toMatchObject({ kind: 'prefixes', values: ['/img/', '/css/'], soft: true });
    expect((await customer.client.listCacheClears({ params })).results).toMatchObject([
      { kind: 'prefixes', values: ['/img/*', '/css/'], soft: true },
    ]);
  });

  it('clear many domains by tag, and the audit log says what of each', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const [first, second] = [await deployed(uniqueName(), owner), await deployed(uniqueName(), owner)];
    const values = ['shop', ' shop ', 'a:1'];
    const what = { kind: 'clear cache', clear_kind: 'tags', values } as const;
    const body = { ...what, route_ids: [first.id, second.id] };
    const { result } = await owner.client.runTask({ body });
    const shown = { clear_kind: 'tags', values: ['shop', 'a:1'], entries: 2, soft: false };
    expect(result).toMatchObject({ ...shown, state: 'running', domains: 2 });
    await eventually(() => told(first.id).length === 1 && told(second.id).length === 1);
    for (const { id } of [first, second])
      expect(told(id)[0]).toMatchObject({ kind: 'tags', values: ['shop', 'a:1'], soft: false });
    const { result: later } = await owner.client.runTask({
      body: { ...body, at: new Date(Date.now() + 3_600_000).toISOString() },
    });
    await owner.client.cancelTask({ params: { id: later.id } });
    const { results: lines } = await owner.client.listAuditLines({ query: { perpage: 100 } });
    const cleared = { cleared: 'tags', soft: false, entries: 2, values: ['shop', 'a:1'] };
    const detailsOf = (wanted: string) => lines.flatMap(({ action, details }) => (action === wanted ? [details] : []));
    const names = [first.name, second.name].sort();
    expect(detailsOf('task.schedule')).toEqual([{ ...cleared, domains: 2, names, task: later.id, at: later.at }]);
    expect(detailsOf('task.cancel')).toEqual(detailsOf('task.schedule'));
    expect(detailsOf('route.cache_clear')).toEqual([cleared, cleared]);
  });

  it('that were scheduled are listed with their result once they have ended, and the audit log says that they ran and how they ended', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const [first, second] = [await deployed(`a-${uniqueName()}`, owner), await deployed(`b-${uniqueName()}`, owner)];
    const clear = { clear_kind: 'urls' as const, values: ['/a', '/b'], soft: true };
    const { result: task } = await owner.client.runTask({
      body: {
        ...{ kind: 'clear cache', route_ids: [first.id, second.id], ...clear },
        at: new Date(Date.now() + 4_000).toISOString(),
      },
    });
    // Of this one nothing can be cleared once its time has come.
    await test.api.platform.pool.query('UPDATE routes SET suspended_at = now() WHERE id = $1', [second.id]);
    const ended = async () => (await owner.client.listTasks({})).results.find(({ state }) => state === 'failed');
    await eventually(async () => (await ended()) !== undefined, 20_000);
    const names = { first_domain: first.name, domain_names: [first.name, second.name], domains: 2 };
    const result = await ended();
    expect(result).toMatchObject({ ...clear, entries: 2, ...names, failed: 1, created_by: task.created_by });
    const { result: batch } = await owner.client.getBatch({ params: { id: result?.batch_id ?? '' } });
    const summary = { kind: 'urls', values: ['/a', '/b'], entries: 2, soft: true };
    expect(batch).toMatchObject({ kind: 'clear_cache', clear: summary, scheduled_for: task.at, succeeded: 1 });
    const { results: lines } = await owner.client.listAuditLines({ query: { perpage: 100 } });
    const lineOf = (wanted: string) => lines.find(({ action }) => action === wanted);
    const cleared = { cleared: 'urls', soft: true, entries: 2, values: ['/a', '/b'] };
    expect(lineOf('task.run')).toMatchObject({
      actor: { kind: 'system' },
      object: { kind: 'task', id: task.id },
      details: { ...cleared, domains: 2, names: [first.name, second.name], task: task.id, at: task.at },
    });
    expect(lineOf('route.cache_clear')).toMatchObject({
      actor: { kind: 'user' },
      details: { ...cleared, task: task.id, at: task.at },
    });
    const begun = lineOf('task.run');
    expect(lineOf('task.end')).toMatchObject({
      ...{ actor: begun?.actor, object: begun?.object },
      details: { ...begun?.details, failed: 1 },
    });
    // Another account has none of it.
    expect((await customer.client.listTasks({})).results.map(({ id }) => id)).not.toContain(result?.id);
  });

  it('of one domain have lines in the audit log that lead to it, from the first to the last', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { id, name } = await deployed(uniqueName(), owner);
    const later = (ms: number) => ({ at: new Date(Date.now() + ms).toISOString() });
    const body = { kind: 'clear cache' as const, route_ids: [id] };
    const { result: cancelled } = await owner.client.runTask({ body: { ...body, ...later(3_600_000) } });
    await owner.client.cancelTask({ params: { id: cancelled.id } });
    const { result: run } = await owner.client.runTask({ body: { ...body, ...later(2_000) } });
    const linesOf = async () =>
      (await owner.client.listAuditLines({ query: { perpage: 100 } })).results.filter(({ action }) =>
        action.startsWith('task.'),
      );
    await eventually(async () => (await linesOf()).some(({ action }) => action === 'task.end'), 20_000);
    const lines = await linesOf();
    expect(lines.map(({ action, details }) => [action, details.task])).toEqual([
      ...[
        ['task.end', run.id],
        ['task.run', run.id],
        ['task.schedule', run.id],
      ],
      ...[
        ['task.cancel', cancelled.id],
        ['task.schedule', cancelled.id],
      ],
    ]);
    for (const { object } of lines) expect(object).toEqual({ kind: 'route', id, name, exists: true });
  });

  it('that run are listed with what they clear, those of everything too', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { id } = await deployed(uniqueName(), owner);
    const { pool } = test.api.platform;
    const other = await pool.connect();
    try {
      // Nothing is stored meanwhile: both stay where they are.
      await other.query('BEGIN');
      await other.query('LOCK TABLE cache_clears IN SHARE MODE');
      await owner.client.runTask({
        body: { kind: 'clear cache', route_ids: [id], clear_kind: 'tags', values: ['shop'], soft: true },
      });
      await owner.client.bulkRoutes({ body: { action: 'clear_cache', selection: { filter: {} } } });
      const { results } = await owner.client.listTasks({});
      expect(results).toHaveLength(2);
      expect(results).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ state: 'running', clear_kind: 'tags', values: ['shop'], entries: 1, soft: true }),
          expect.objectContaining({ state: 'running', clear_kind: 'all', values: [], entries: 0, soft: false }),
        ]),
      );
    } finally {
      await other.query('COMMIT');
      other.release();
    }
  });

  it('that end while they are listed are listed once, as ended', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { db, pool } = test.api.platform;
    await pool.query(
      `INSERT INTO batches (account_id, kind, params, total, created_by, created_by_kind, scheduled_for)
       VALUES ($1, 'clear_cache', '{}', 1, 'ann@example.com', 'user', now())`,
      [owner.accountId],
    );
    const real = createBatchService(db);
    const batches: typeof real = {
      ...real,
      async list(...asked) {
        const read = await real.list(...asked);
        await pool.query(
          `UPDATE batches SET state = 'successful', succeeded = 1, finished_at = clock_timestamp() WHERE account_id = $1`,
          [owner.accountId],
        );
        return read;
      },
    };
    const tasks = createTaskService({ ...test.api.platform, batches, bulk: {} as never, selections: {} as never });
    expect((await tasks.list(owner.accountId)).map(({ state }) => state)).toEqual(['successful']);
  });

  it('clear paths of each of many domains, of all its exact names; one that has none fails alone', async () => {
    const [first, wild] = [await deployed(), await deployed(`*.${uniqueName()}`)];
    const shadow = uniqueName();
    await customer.client.addShadowDomains({ params: first.params, body: { names: [shadow] } });
    const { result } = await customer.client.runTask({
      body: { kind: 'clear cache', route_ids: [first.id, wild.id], clear_kind: 'urls', values: ['/a//b?x=1'] },
    });
    await eventually(() => told(first.id).length === 1);
    expect(told(first.id)[0]).toMatchObject({ kind: 'urls', values: [`${first.name}/a/b?x=1`, `${shadow}/a/b?x=1`] });
    const params = { id: result.batch_id ?? '' };
    await eventually(async () => (await customer.client.getBatch({ params })).result.state !== 'running');
    const { results } = await customer.client.listBatchItems({ params, query: { state: 'failed' } });
    expect(results).toMatchObject([{ name: wild.name, error: { fields: { 'values.0': 'CACHE_URL_NEEDS_HOST' } } }]);
    expect(told(wild.id)).toEqual([]);
  });

  it('clear URLs of one domain, unless those are of none of its names by then', async () => {
    const { id, name, params } = await deployed();
    const shadow = uniqueName();
    await customer.client.addShadowDomains({ params, body: { names: [shadow] } });
    const schedule = (host: string) =>
      customer.client.runTask({
        body: {
          ...{ kind: 'clear cache', route_ids: [id], clear_kind: 'urls', values: [`https://${host}/a`] },
          at: new Date(Date.now() + 2_500).toISOString(),
        },
      });
    await schedule(shadow);
    await schedule(name);
    await customer.client.removeShadowDomains({ params, body: { names: [shadow] } });
    await eventually(() => told(id).length === 1);
    expect(told(id)[0]).toMatchObject({ kind: 'urls', values: [`${name}/a`] });
    const failed = await eventually(async () => {
      const { results } = await customer.client.listBatches({ query: { state: 'failed' } });
      for (const { id: batchId } of results) {
        const items = await customer.client.listBatchItems({ params: { id: batchId }, query: {} });
        const own = items.results.find((item) => item.route_id === id);
        if (own) return own;
      }
      return undefined;
    });
    expect(failed.error?.fields).toEqual({ 'values.0': 'CACHE_URL_FOREIGN' });
    expect(told(id)).toHaveLength(1);
  });

  /** Answer of a task that is refused. */
  const refusedTask = async (body: object, owner = customer) => {
    const answer = await test.call('POST', 'domain/run/tasks/', {
      token: owner.token,
      body: { kind: 'clear cache', ...body },
    });
    return { ...answer.body, status: answer.status };
  };
  const LATER = { at: new Date(Date.now() + 3_600_000).toISOString() };

  it.each(REFUSED)(
    'refuse of one domain %s %j at %s, as a clear at once does',
    async (clear_kind, values, field, code) => {
      const { id } = await deployed();
      const alone = { ...(await refused(id, { kind: clear_kind, values })), request_id: expect.any(String) };
      expect(alone).toMatchObject({ status: 422, [field]: code });
      for (const time of [{}, LATER])
        expect(await refusedTask({ route_ids: [id], clear_kind, values, ...time })).toEqual(alone);
      expect((await customer.client.listTasks({ query: { route_id: id } })).results).toEqual([]);
      expect(told(id)).toEqual([]);
    },
  );

  it('that are too many take nothing of what may be cleared of other domains', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const ids = [await deployed(uniqueName(), owner), await deployed(uniqueName(), owner)].map(({ id }) => id);
    const { pool } = test.api.platform;
    await pool.query(
      `INSERT INTO tasks (account_id, kind, params, route_ids, names, run_at, created_by, created_by_kind)
       SELECT account_id, 'clear cache', '{}', ARRAY[id], ARRAY['name'], now() + interval '1 day', 'ann', 'user'
       FROM routes, generate_series(1, 100) WHERE id = $1`,
      [ids[0]],
    );
    const values = Array.from({ length: 100 }, (_, at) => `/${at}`);
    const body = { route_ids: ids, clear_kind: 'urls', values };
    expect(await refusedTask({ ...body, ...LATER }, owner)).toMatchObject({ status: 409, code: 'TASKS_FULL' });
    const { rows } = await pool.query<{ tokens: number }>(
      `SELECT tokens FROM rate_buckets JOIN routes ON caller = account_id::text
       WHERE rate = 'cache-clear-values' AND id = $1`,
      [ids[0]],
    );
    // Of the call itself, which was read.
    expect(rows).toEqual([{ tokens: 4_900 }]);
  });

  it.each(['urls', 'prefixes'])(
    'take of several domains no %s with a name, which is not of all',
    async (clear_kind) => {
      const [first, second] = [await deployed(), await deployed()];
      const values = ['/a', `https://${first.name}/a`];
      for (const time of [{}, LATER])
        expect(await refusedTask({ route_ids: [first.id, second.id], clear_kind, values, ...time })).toMatchObject({
          status: 422,
          'values.1': 'CACHE_URL_FOREIGN',
        });
      expect([told(first.id), told(second.id)]).toEqual([[], []]);
    },
  );

  it('clear 5,000 values at once at most, each counted for each domain, with those of clears of one domain', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { id, name, params } = await deployed(uniqueName(), owner);
    const names = [name, ...Array.from({ length: 49 }, (_, at) => `n${at}.example`)];
    const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);
    const body = { selection: { names }, clear_kind: 'urls', values: Array.from({ length: 101 }, (_, at) => `/${at}`) };
    expect(await refusedTask(body, owner)).toMatchObject({
      ...{ status: 422, values: 'TOO_MANY' },
      params: { values: { maximum: 100 } },
    });
    expect(told(id)).toEqual([]);
    await owner.client.clearCache({ params, body: { kind: 'tags', values: tags(100) } });
    expect(await refusedTask({ ...body, values: body.values.slice(0, 100) }, owner)).toMatchObject({
      ...{ status: 429, code: 'TOO_MANY_REQUESTS' },
      params: { TOO_MANY_REQUESTS: { seconds: expect.any(Number) } },
    });
    await owner.client.runTask({
      body: { kind: 'clear cache', selection: { names }, clear_kind: 'tags', values: tags(90) },
    });
    await eventually(() => told(id).length === 2);
  });

  it('clear values of 5,000 domains at most, and everything of all, also where a filter selects them', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const { id } = await deployed(uniqueName(), owner);
    const { pool } = test.api.platform;
    const more = (count: number) =>
      pool.query(
        `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, version_live, draft)
         SELECT account_id, subscription_id, czone, name, name, n || '.' || cname, 'deactivated', 1, draft
         FROM routes, generate_series(1, $2::int) n, LATERAL (SELECT gen_random_uuid() || '.' || domain_name AS name) named
         WHERE id = $1`,
        [id, count],
      );
    await more(5_000);
    const body = { selection: { filter: {} }, ...LATER };
    expect(await refusedTask({ ...body, clear_kind: 'tags', values: ['a'] }, owner)).toMatchObject({
      ...{ status: 422, selection: 'TOO_MANY' },
      params: { selection: { maximum: 5_000 } },
    });
    expect((await owner.client.listTasks({})).results).toEqual([]);
    expect((await owner.client.runTask({ body: { kind: 'clear cache', ...body } })).result.domains).toBe(5_001);
    await pool.query(`UPDATE routes SET status = 'deleted' WHERE account_id = $1 AND id <> $2`, [owner.accountId, id]);
    expect((await owner.client.runTask({ body: { kind: 'clear cache', ...body } })).result.domains).toBe(1);
  });

  it('of before there were values clear everything', async () => {
    const { id } = await deployed();
    const { result: task } = await customer.client.runTask({
      body: { kind: 'clear cache', route_ids: [id], at: new Date(Date.now() + 1_500).toISOString() },
    });
    await test.api.platform.pool.query(`UPDATE tasks SET params = '{"soft": true}' WHERE id = $1`, [task.id]);
    expect((await customer.client.listTasks({ query: { route_id: id } })).results).toMatchObject([
      { clear_kind: 'all', values: [], entries: 0, soft: true },
    ]);
    await eventually(() => told(id).length === 1);
    expect(told(id)[0]).toMatchObject({ kind: 'all', values: [], soft: true });
  });

  it('are refused for free domains and for those of other accounts', async () => {
    const free = await createCustomer(test, { plan: 'free' });
    const { id } = await deployed(uniqueName(), free);
    const { id: foreign } = await deployed();
    const call = (route_ids: string[]) =>
      test.call('POST', 'domain/run/tasks/', { token: free.token, body: { kind: 'clear cache', route_ids } });
    expect((await call([id])).body).toMatchObject({ code: 'CACHE_CLEAR_NEEDS_PLAN' });
    expect((await call([foreign])).body).toMatchObject({ code: 'NOT_FOUND' });
  });
});
