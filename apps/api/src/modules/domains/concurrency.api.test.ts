import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();

const add = (customer: Customer, name = uniqueName(), headers: Record<string, string> = {}) =>
  test.call('POST', 'domain/routes/', {
    token: customer.token,
    headers,
    body: { cname: customer.cname, domain_name: name, upstreams: upstreamsTo() },
  });

describe('at the same moment', () => {
  it('no more domains are added than the plan has', async () => {
    const customer = await createCustomer(test);
    const responses = await Promise.all(Array.from({ length: 12 }, () => add(customer)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(responses.filter(({ status, body }) => status === 403 && body.code === 'QUOTA_REACHED')).toHaveLength(9);
    const { results } = await customer.client.listSubscriptions();
    expect(results[0]?.usage.domains).toBe(3);
  });

  it('two accounts adding one name: one has it, the other hears that it is taken', async () => {
    for (let round = 0; round < 5; round++) {
      const customers = await Promise.all([createCustomer(test), createCustomer(test), createCustomer(test)]);
      const name = uniqueName();
      const responses = await Promise.all(customers.map((customer) => add(customer, name)));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
      for (const response of responses.filter(({ status }) => status === 422))
        expect(response.body.domain_name).toBe('DOMAIN_NAME_TAKEN');
    }
  });

  it('a wildcard and a name below it, by two accounts: only one is added', async () => {
    const [first, second] = await Promise.all([createCustomer(test, { plan: 'vip' }), createCustomer(test)]);
    for (let round = 0; round < 3; round++) {
      const parent = uniqueName('example.org');
      const responses = await Promise.all([add(first, `*.${parent}`), add(second, `www.${parent}`)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
    }
  });

  it('two edits of one draft: the later is told what changed, and by whom', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await createDomain(customer);
    const edit = (host: string, revision = 1) =>
      test.call('PATCH', `domain/routes/${route.id}/`, {
        token: customer.token,
        headers: { 'if-match': `"${revision}"` },
        body: { upstreams: upstreamsTo(host) },
      });
    const responses = await Promise.all([edit('9.9.9.9'), edit('9.9.9.10')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = responses.find(({ status }) => status === 409);
    expect(stale?.body).toMatchObject({
      success: false,
      code: 'STALE_REVISION',
      params: { STALE_REVISION: { revision: 2, changed: 'upstreams.targets', changed_by: customer.email } },
    });
    expect((await edit('9.9.9.11', 2)).status).toBe(200);
  });

  it('of two remarks one is refused, and says what is another', async () => {
    const customer = await createCustomer(test);
    const { id } = await createDomain(customer);
    const headers = { 'if-match': '"1"' };
    const remark = (remarks: string) =>
      test.call('PATCH', `domain/routes/${id}/`, { token: customer.token, headers, body: { remarks } });
    const responses = await Promise.all([remark('one'), remark('other')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'STALE_REVISION',
      params: { STALE_REVISION: { revision: 2, changed: 'remarks', changed_by: customer.email } },
    });
    const read = async () => (await customer.client.getRoute({ params: { id } })).result;
    const { remarks } = await read();
    await customer.client.updateRoute({ params: { id }, ifMatch: 2, body: { remarks } });
    expect((await read()).draft_revision).toBe(2);
  });

  it('equal deploys make one version, and another note makes another', async () => {
    const customer = await createCustomer(test);
    const { id } = await createDomain(customer);
    const holder = new pg.Client(test.databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    const deploys = async (notes: readonly string[]) => {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM routes WHERE id = $1 FOR UPDATE', [id]);
      const deployed = Promise.all(
        notes.map((note) =>
          test.call('POST', `domain/routes/${id}/deploy/`, {
            token: customer.token,
            headers: { 'if-match': '"1"' },
            body: { note },
          }),
        ),
      );
      // All have read the domain, and wait for it.
      await eventually(async () => {
        const { rows } = await test.api.platform.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        // A job that looks after domains may wait beside them.
        return rows.length >= notes.length;
      });
      await holder.query('COMMIT');
      return (await deployed).map(({ status, body }) => [status, body.result?.version_live]);
    };
    expect(await deploys(Array(6).fill('same'))).toEqual(Array(6).fill([202, 1]));
    expect((await deploys(['one', 'other'])).map(([status]) => status)).toEqual([202, 202]);
    const { results } = await customer.client.listVersions({ params: { id } });
    expect(results.map(({ note }) => note).sort()).toEqual(['one', 'other', 'same']);
  });

  it('an edit without If-Match, or with one that is none, is refused', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const edit = (headers: Record<string, string>) =>
      test.call('PATCH', `domain/routes/${route.id}/`, { token: customer.token, headers, body: { remarks: 'x' } });
    expect((await edit({})).status).toBe(428);
    expect((await edit({ 'if-match': '*' })).status).toBe(400);
    expect((await edit({ 'if-match': 'W/"1"' })).status).toBe(200);
  });
});

describe('a squatter who deploys', () => {
  it('at the moment of being evicted leaves nothing on the edge, and nothing scheduled', async () => {
    const [squatter, owner] = await Promise.all([createCustomer(test), createCustomer(test)]);
    const name = uniqueName();
    const route = await createDomain(squatter, name);
    const { txt_name, txt_value } = (await add(owner, name)).body.params.domain_name;
    test.dns.setTexts(txt_name, [txt_value]);

    // A first deploy that has written what the nodes must serve, and has not committed yet.
    const deploy = new pg.Client(test.databaseUrl);
    await deploy.connect();
    await deploy.query('BEGIN');
    await deploy.query('SELECT 1 FROM routes WHERE id = $1 FOR UPDATE', [route.id]);
    await deploy.query(
      `INSERT INTO edge_routes (route_id, account_id, czone, payload) SELECT id, account_id, czone, '{}' FROM routes WHERE id = $1`,
      [route.id],
    );
    await deploy.query(
      `INSERT INTO tasks (account_id, kind, params, route_ids, names, run_at, created_by, created_by_kind)
       SELECT account_id, 'clear cache', '{"soft": false}', ARRAY[id], ARRAY['x'], now() + interval '1 hour', 'x', 'user'
       FROM routes WHERE id = $1`,
      [route.id],
    );
    const eviction = add(owner, name);
    await eventually(async () => {
      const { rows } = await test.api.platform.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await deploy.query('COMMIT');
    await deploy.end();
    expect((await eviction).status).toBe(201);
    const { rows } = await test.api.platform.pool.query('SELECT payload FROM edge_routes WHERE route_id = $1', [
      route.id,
    ]);
    expect(rows).toEqual([{ payload: null }]);
    expect((await squatter.client.listTasks({})).results).toEqual([]);
  });
});

describe('Idempotency-Key', () => {
  it('answers the same request with the first answer, however often it comes', async () => {
    const customer = await createCustomer(test);
    const key = { 'idempotency-key': randomUUID() };
    const name = uniqueName();
    const first = await add(customer, name, key);
    const second = await add(customer, name, key);
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await customer.client.listRoutes()).count).toBe(1);
  });

  it('stays free after a failure, which changed nothing', async () => {
    const customer = await createCustomer(test);
    const key = { 'idempotency-key': randomUUID() };
    expect((await add(customer, 'co.uk', key)).status).toBe(422);
    expect((await add(customer, uniqueName(), key)).status).toBe(201);
  });

  it('lets one of two that come at once do the work', async () => {
    const customer = await createCustomer(test);
    const key = { 'idempotency-key': randomUUID() };
    const name = uniqueName();
    const responses = await Promise.all(Array.from({ length: 5 }, () => add(customer, name, key)));
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await customer.client.listRoutes()).count).toBe(1);
  });

  it('is refused for another request, and means nothing to another account', async () => {
    const [mine, other] = [await createCustomer(test), await createCustomer(test)];
    const key = { 'idempotency-key': randomUUID() };
    await add(mine, uniqueName(), key);
    const reused = await add(mine, uniqueName(), key);
    expect(reused.body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await add(other, uniqueName(), key)).status).toBe(201);
  });
});

describe('the stream of changes', () => {
  it('shows a change only when nothing older can still appear, and then misses nothing', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const [early, late] = [await createDomain(customer), await createDomain(customer)];
    for (const { id } of [early, late]) await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(early.id) && node.routes.has(late.id));
    const seen = () => node.changes.map(({ route_id }) => route_id);
    const countBefore = node.changes.length;

    // Two overlapping transactions: the first writes first, and gets the lower revision, but commits last.
    const [first, second] = [new pg.Client(test.databaseUrl), new pg.Client(test.databaseUrl)];
    await Promise.all([first.connect(), second.connect()]);
    await first.query('BEGIN');
    await first.query('UPDATE edge_routes SET payload = payload WHERE route_id = $1', [early.id]);
    await second.query('BEGIN');
    await second.query('UPDATE edge_routes SET payload = payload WHERE route_id = $1', [late.id]);
    await second.query('COMMIT');
    // Settings come on the same stream, after what could be sent when they were read: of two that follow one another,
    // the second was read after the stream had looked for changes since the commit.
    for (const address of ['203.0.113.77', '203.0.113.78']) {
      const change = [node.name, [address]];
      await test.api.platform.pool.query('UPDATE edge_nodes SET addresses = $2 WHERE name = $1', change);
      await eventually(() => node.settings?.own_addresses.includes(address));
    }
    expect(seen().slice(countBefore)).not.toContain(late.id);
    await first.query('COMMIT');
    await eventually(() => seen().slice(countBefore).includes(late.id) && seen().slice(countBefore).includes(early.id));
    const order = node.changes.slice(countBefore).map(({ revision }) => revision);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    await Promise.all([first.end(), second.end()]);
  });

  it('goes on where a node stopped, and sends one of another history to a new snapshot', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const headers = { authorization: `Bearer ${node.credential}` };
    const snapshot = (await (await fetch(`${test.url}/api/v1/edge/snapshot/`, { headers })).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { cursor, epoch } = snapshot[0];
    expect(snapshot.at(-1)).toEqual({ end: true, count: snapshot.length - 2 });
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });

    const readUntil = async (query: string, lastEventId: string | undefined, pattern: RegExp) => {
      const end = new AbortController();
      const response = await fetch(`${test.url}/api/v1/edge/stream/${query}`, {
        headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
        signal: end.signal,
      });
      let text = '';
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        if (pattern.test(text)) break;
      }
      end.abort();
      return text;
    };
    expect(await readUntil(`?epoch=${epoch}`, cursor, new RegExp(route.id))).toContain('event: settings');
    expect(await readUntil('?epoch=other', cursor, /resync/)).toContain('event: resync');
    expect(await readUntil(`?epoch=${epoch}`, '99999999999', /resync/)).toContain('event: resync');
    expect(await readUntil(`?epoch=${epoch}`, undefined, /resync/)).toContain('event: resync');
  });

  it('shows a node its own czones only, and ends when its credential is revoked', async () => {
    const customer = await createCustomer(test);
    const foreign = (await customer.client.listSubscriptions()).results[0]?.czone === 'free01' ? 'free02' : 'free01';
    const other = await startFakeNode(test, [foreign]);
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(route.id));
    expect(other.changes).toEqual([]);
    const receipts = await fetch(`${test.url}/api/v1/edge/receipts/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        receipts: [
          {
            route_id: route.id,
            revision: 999999,
            version: 1,
            applied_ms: 1,
            probe: { ok: true, status: 200, version: 1 },
          },
        ],
      }),
    });
    expect(receipts.status).toBe(200);
    const { result } = await customer.client.getReceipt({ params: { id: route.id } });
    expect(result?.nodes).toHaveLength(1);

    await test.api.platform.db
      .updateTable('edge_nodes')
      .set({ revoked_at: new Date() })
      .where('name', '=', other.name)
      .execute();
    await eventually(() => other.isCut());
    const refused = await fetch(`${test.url}/api/v1/edge/snapshot/`, {
      headers: { authorization: `Bearer ${other.credential}` },
    });
    expect(refused.status).toBe(401);
  });
});

describe('an operation', () => {
  it('does not wait for a node that is offline', async () => {
    const customer = await createCustomer(test);
    const czone = (await customer.client.listSubscriptions()).results[0]?.czone as string;
    const silent = await startFakeNode(test, [czone]);
    silent.stop();
    await test.api.platform.db
      .updateTable('edge_nodes')
      .set({ last_seen_at: new Date(Date.now() - 60_000) })
      .where('name', '=', silent.name)
      .execute();
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    await eventually(
      async () =>
        (await customer.client.getRoute({ params: { id: route.id } })).result.operation?.state === 'successful',
    );
    const { result } = await customer.client.getReceipt({ params: { id: route.id } });
    expect(result?.nodes.map(({ state }) => state).sort()).toEqual(['live', 'offline']);
  });

  it('ends once the node that it waits for is known to be silent, and says which one', async () => {
    const customer = await createCustomer(test);
    const czone = (await customer.client.listSubscriptions()).results[0]?.czone as string;
    const dying = await startFakeNode(test, [czone]);
    dying.probe = () => undefined;
    const beats = setInterval(() => void node.heartbeat(), 1_000);
    onTestFinished(() => clearInterval(beats));
    await node.heartbeat();
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    const receipt = async () => (await customer.client.getReceipt({ params: { id: route.id } })).result;
    await eventually(async () => (await receipt())?.nodes.some(({ state }) => state === 'live'));
    expect((await receipt())?.state).toBe('running');
    dying.stop();
    // Silent since a moment after the commit: its next look would come 17 seconds after that.
    await eventually(async () => (await receipt())?.state === 'successful', 12_000);
    expect((await receipt())?.nodes.find(({ state }) => state === 'offline')?.node).toBe(dying.name);
  });
});
