import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAccountService } from '../modules/accounts/service.ts';
import { findOriginSeeds } from '../modules/origins/service.ts';
import { createPublication } from '../modules/publishing/service.ts';
import { createSubscriptionService } from '../modules/subscriptions/service.ts';
import { startEdgeApi } from '../testing/edge-api.ts';
import { createCustomer, createDomain, eventually } from '../testing/fixtures.ts';
import { runOperator } from './run.ts';
import { COMMANDS } from './usage.ts';

/** Address of the node that serves every czone here. */
const OTHER_NODE = '203.0.113.10';

const { test, node } = await startEdgeApi({ addresses: [OTHER_NODE] });

async function operator(args: string[], stdin = ''): Promise<string[]> {
  const lines: string[] = [];
  const { env, db } = test.api.platform;
  await runOperator({ env, db, print: (line) => lines.push(line), readStdin: async () => stdin }, args);
  return lines;
}
const auditOf = async (accountId: string) =>
  (
    await test.api.platform.pool.query(
      'SELECT action, reason, actor_kind FROM audit_log WHERE account_id = $1 ORDER BY id',
      [accountId],
    )
  ).rows;

describe('the operator', () => {
  it('does nothing to an account without saying why', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    for (const args of [
      ['token', '--account', customer.email],
      ['suspend', 'account', customer.accountId],
      ['suspend', 'route', route.id],
      ['unsuspend', 'account', customer.accountId],
      ['names', 'verify', route.id],
      ['account', 'create', '--email', 'a@b.test', '--generate'],
      ['node', 'add', '--name', 'x', '--czones', 'free01'],
      ['node', 'address', 'x', '--address', '198.41.0.4'],
      ['token', '--account', customer.email, '--reason', '  '],
    ])
      await expect(operator(args)).rejects.toThrow(/--reason/);
    expect((await auditOf(customer.accountId)).filter((row) => row.actor_kind === 'operator')).toEqual([]);
  });

  it('gets a token for an hour at most, with its scopes only, which the customer sees', async () => {
    const customer = await createCustomer(test);
    const [token = ''] = await operator([
      'token',
      '--account',
      customer.email,
      '--scopes',
      'domains:read,audit:read',
      '--ttl',
      '1h',
      '--reason',
      'ticket 5',
    ]);
    expect((await test.call('GET', 'domain/routes/', { token })).status).toBe(200);
    expect((await test.call('POST', 'domain/routes/', { token, body: {} })).status).toBe(403);
    expect((await test.call('GET', 'user/audit/', { token })).status).toBe(200);
    expect(await auditOf(customer.accountId)).toEqual([
      { action: 'operator.token', reason: 'ticket 5', actor_kind: 'operator' },
    ]);
    for (const ttl of ['61m', '2h', '1d', '0s', 'forever'])
      await expect(operator(['token', '--account', customer.email, '--ttl', ttl, '--reason', 'x'])).rejects.toThrow(
        /between 1s and 1h/,
      );
    await expect(
      operator(['token', '--account', customer.email, '--scopes', 'billing:write', '--reason', 'x']),
    ).rejects.toThrow(/no scope/);
    await expect(operator(['token', '--account', 'nobody@nowhere.test', '--reason', 'x'])).rejects.toThrow(
      /no account/,
    );
  });

  it('is named as the operator by every module for what is done with such a token', async () => {
    const customer = await createCustomer(test, { plan: 'vip-enterprise' });

    const [token = ''] = await operator(['token', '--account', customer.email, '--reason', 'ticket 6']);
    const client = test.clientFor(token);
    const { cname } = customer;
    const { id, domain_name } = await createDomain({ ...customer, client });
    await client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    await client.createGroup({ body: { name: 'made by the operator' } });
    await client.createRule({
      body: {
        cname,
        name: 'made by the operator',
        plugins: [{ name: 'geoip', enabled: true, config: { blacklist_countries: ['AQ'] } }],
      },
    });
    await client.addBans({ body: { networks: ['198.41.128.7'] } });
    await client.configureSubscription({ body: { cname, ipv6: true } });
    const bulk = { selection: { names: [domain_name] }, action: 'deactivate' as const };
    const { result: batch } = await client.bulkRoutes({ body: bulk });

    const lines = await auditOf(customer.accountId);
    const modules = new Set(lines.map(({ action }) => action.split('.')[0]));
    expect([...modules].sort()).toEqual(['ban', 'group', 'operator', 'route', 'rule', 'subscription']);
    expect(lines.filter(({ actor_kind }) => actor_kind !== 'operator')).toEqual([]);
    const { results: versions } = await client.listVersions({ params: { id } });
    expect(versions.map(({ created_by_kind }) => created_by_kind)).toEqual(['operator']);
    expect(batch.created_by).toMatch(/^operator /);
  });

  it('serves nothing of a suspended account at the edge, not even a deploy that commits later', async () => {
    const { env, db, pool } = test.api.platform;
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const publication = createPublication({
      accounts: createAccountService(env, db),
      subscriptions: createSubscriptionService(env, db),
      findOriginSeeds,
    });
    let isSuspended = false;
    let suspension: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`UPDATE routes SET status = 'running', version_last = 1, version_live = 1, live = draft
        WHERE id = ${route.id}`.execute(trx);
      await publication.republish(trx, route.id);
      suspension = operator(['suspend', 'account', customer.accountId, '--reason', 'abuse']).then(() => {
        isSuspended = true;
      });
      await eventually(
        async () => isSuspended || ((await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount ?? 0) > 0,
      );
    });
    await suspension;
    const { rows } = await pool.query('SELECT payload FROM edge_routes WHERE route_id = $1', [route.id]);
    expect(rows).toMatchObject([{ payload: { off: 'suspended', upstream: null, plugins: [] } }]);
  });

  it('takes no password as an argument, where every user of the machine reads it', async () => {
    await expect(
      operator(['account', 'create', '--email', 'a@b.test', '--password', 'copper-lantern-41', '--reason', 'x']),
    ).rejects.toThrow(/--password/);
  });

  it('creates accounts, with a password that passes the rules', async () => {
    const lines = await operator([
      'account',
      'create',
      '--email',
      'New@Customer.test',
      '--generate',
      '--plan',
      'vip',
      '--reason',
      'sales',
    ]);
    expect(lines.some((line) => line.startsWith('password '))).toBe(true);
    expect(
      (await operator(['account', 'list'])).some(
        (line) => line.toLowerCase().includes('new@customer.test') && line.includes('vip'),
      ),
    ).toBe(true);
    await expect(
      operator(['account', 'create', '--email', 'new@customer.test', '--generate', '--reason', 'x']),
    ).rejects.toThrow(/already/);
    await expect(
      operator(
        ['account', 'create', '--email', 'other@customer.test', '--password-stdin', '--reason', 'x'],
        'password\n',
      ),
    ).rejects.toThrow(/refused/);
    await expect(operator(['account', 'create', '--email', 'nonsense', '--generate', '--reason', 'x'])).rejects.toThrow(
      /valid address/,
    );
  });

  it('says on the domain that it or its account is suspended, since when and why, and announces it', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const routes = [await createDomain(customer), await createDomain(customer)];
    const [first] = routes;
    const id = first?.id ?? '';
    const csvOf = async () => (await customer.client.exportRoutes()).split('\r\n');
    const said = async () => {
      const { results } = await customer.client.listRoutes();
      const details = await Promise.all(
        routes.map(async (route) => (await customer.client.getRoute({ params: { id: route.id } })).result),
      );
      const listed = details.map((route) => results.find((row) => row.id === route.id)?.suspension);
      expect(listed).toEqual(details.map(({ suspension }) => suspension));
      return details.map(({ suspension }) => suspension && [suspension.scope, suspension.reason]);
    };
    const announced = async () =>
      (
        await test.api.platform.pool.query(
          "SELECT count(*)::int AS events FROM events WHERE subject_id = $1 AND slot = 'domain'",
          [id],
        )
      ).rows[0].events;
    expect(await said()).toEqual([null, null]);
    const before = await announced();
    const startedAt = Date.now();
    await operator(['suspend', 'route', id, '--reason', 'phishing']);
    expect(await said()).toEqual([['domain', 'phishing'], null]);
    expect(await announced()).toBe(before + 1);
    const { domains } = (
      await customer.client.findDomains({ body: { names: routes.map((route) => route.domain_name) } })
    ).result;
    expect(domains.map(({ route }) => route?.is_suspended)).toEqual([true, false]);
    const { suspension } = (await customer.client.getRoute({ params: { id } })).result;
    expect(Math.abs(Date.parse(suspension?.since ?? '') - startedAt)).toBeLessThan(60_000);
    expect((await csvOf()).find((line) => line.startsWith(first?.domain_name ?? ''))).toContain(
      `${suspension?.since},phishing,`,
    );
    await operator(['suspend', 'account', customer.email, '--reason', 'unpaid']);
    expect(await said()).toEqual([
      ['domain', 'phishing'],
      ['account', 'unpaid'],
    ]);
    await operator(['unsuspend', 'account', customer.email, '--reason', 'paid']);
    await operator(['unsuspend', 'route', id, '--reason', 'cleaned']);
    expect(await said()).toEqual([null, null]);
    expect(await announced()).toBe(before + 2);
    expect((await csvOf()).some((line) => line.includes('phishing'))).toBe(false);
  });

  it('takes a domain and an account off the edge, and brings them back, within seconds', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const routes = [await createDomain(customer), await createDomain(customer)];
    for (const { id } of routes) await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    const areLive = () =>
      routes.map(({ id }) => {
        const known = node.routes.get(id);
        return known !== undefined && known.off === undefined;
      });
    await eventually(() => areLive().every(Boolean));
    const [first] = routes;
    await operator(['suspend', 'route', first?.domain_name ?? '', '--reason', 'phishing']);
    await eventually(() => areLive().join() === 'false,true', 3_000);
    expect(node.routes.get(first?.id ?? '')).toMatchObject({ off: 'suspended', upstream: null, plugins: [] });
    const refused = await test.call('POST', `domain/routes/${first?.id}/deploy/`, {
      token: customer.token,
      headers: { 'if-match': '1' },
      body: {},
    });
    expect(refused.body.code).toBe('DOMAIN_STATE_FORBIDS');
    await operator(['unsuspend', 'route', first?.id ?? '', '--reason', 'cleaned']);
    await eventually(() => areLive().every(Boolean), 3_000);
    await operator(['suspend', 'account', customer.email, '--reason', 'unpaid']);
    await eventually(() => areLive().join() === 'false,false', 3_000);
    await eventually(
      async () =>
        (await test.call('POST', 'domain/routes/', { token: customer.token, body: {} })).body.code ===
        'ACCOUNT_SUSPENDED',
      3_000,
    );
    await operator(['unsuspend', 'account', customer.email, '--reason', 'paid']);
    await eventually(() => areLive().every(Boolean), 3_000);
    const actions = (await auditOf(customer.accountId))
      .filter((row) => row.actor_kind === 'operator')
      .map((row) => row.reason);
    expect(actions).toEqual(['phishing', 'cleaned', 'unpaid', 'paid']);
  });

  it('vouches for a name', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    await operator(['names', 'verify', route.id, '--reason', 'seen the contract']);
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.ownership).toMatchObject({
      state: 'verified',
      method: 'operator',
    });
  });

  it('counts a shadow domain as proved by its name, which says nothing about the main name', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    const shadow = `alias-of.${route.domain_name}`;
    await customer.client.addShadowDomains({ params: { id: route.id }, body: { names: [shadow] } });
    await operator(['names', 'verify', shadow, '--reason', 'seen the contract']);
    const { result } = await customer.client.getRoute({ params: { id: route.id } });
    expect(result.ownership.state).toBe('pending');
    const { results } = await customer.client.listShadowDomains({ params: { id: route.id } });
    expect(results[0]?.ownership).toMatchObject({ state: 'verified', method: 'operator' });
  });

  it('adds nodes, whose credential is shown once, moves them to other addresses, and cuts them off', async () => {
    const [credential = ''] = await operator([
      'node',
      'add',
      '--name',
      'paris',
      '--czones',
      'free01,vip01',
      '--address',
      '198.41.0.4',
      '--reason',
      'new machine',
    ]);
    const headers = { authorization: `Bearer ${credential}` };
    expect((await fetch(`${test.url}/api/v1/edge/snapshot/`, { headers })).status).toBe(200);
    expect(JSON.stringify((await test.api.platform.pool.query('SELECT n::text FROM edge_nodes n')).rows)).not.toContain(
      credential,
    );
    await expect(operator(['node', 'add', '--name', 'paris', '--czones', 'free01', '--reason', 'x'])).rejects.toThrow(
      /already/,
    );
    await expect(operator(['node', 'add', '--name', 'rome', '--czones', 'moon', '--reason', 'x'])).rejects.toThrow(
      /moon/,
    );
    expect(
      (await operator(['node', 'list'])).some((line) => line.startsWith('paris\tfree01,vip01\t198.41.0.4\tactive')),
    ).toBe(true);
    const move = (...rest: string[]) => operator(['node', 'address', ...rest, '--reason', 'new uplink']);
    const answers = async () =>
      (
        await test.api.platform.pool.query(
          `SELECT type, content FROM powerdns.records WHERE name = $1 AND type IN ('A', 'AAAA') AND content <> $2
           ORDER BY type`,
          [`vip02.${test.env.edgeDomain}`, OTHER_NODE],
        )
      ).rows.map(({ type, content }) => `${type} ${content}`);
    await operator(['node', 'add', '--name', 'oslo', '--czones', 'vip02', '--address', '198.41.0.8', '--reason', 'x']);
    // As after its first heartbeat.
    await test.api.platform.pool.query(`UPDATE edge_nodes SET last_seen_at = now() WHERE name = 'oslo'`);
    expect(await answers()).toEqual(['A 198.41.0.8']);
    expect(await move('oslo', '--address', '198.41.0.9', '--address', '2001:0500:2::000C')).toEqual([
      'node oslo is at 198.41.0.9, 2001:500:2::c',
    ]);
    expect(await answers()).toEqual(['A 198.41.0.9', 'AAAA 2001:500:2::c']);
    await expect(move('oslo')).rejects.toThrow(/--address/);
    await expect(move('oslo', '--address', 'here')).rejects.toThrow('"here" is not an address.');
    await expect(move('nowhere', '--address', '198.41.0.7')).rejects.toThrow('There is no node "nowhere".');
    await operator(['node', 'revoke', 'oslo', '--reason', 'sold']);
    await expect(move('oslo', '--address', '198.41.0.7')).rejects.toThrow('There is no node "oslo".');
    expect(await answers()).toEqual([]);
    const { rows: written } = await test.api.platform.pool.query(
      `SELECT reason, details FROM audit_log WHERE action = 'operator.node_address'`,
    );
    expect(written).toEqual([{ reason: 'new uplink', details: { addresses: ['198.41.0.9', '2001:500:2::c'] } }]);
    await operator(['node', 'revoke', 'paris', '--reason', 'sold']);
    await eventually(async () => (await fetch(`${test.url}/api/v1/edge/snapshot/`, { headers })).status === 401, 3_000);
  });

  it('is told what is wrong in one sentence', async () => {
    for (const args of [
      ['fly'],
      ['account'],
      ['token', 'x', 'y', 'z'],
      ['account', 'list', '--colour', 'red'],
      ['suspend', 'planet', 'x', '--reason', 'y'],
    ])
      await expect(operator(args)).rejects.toMatchObject({
        name: 'OperatorError',
        message: expect.stringMatching(/^[^\n]+\.$/),
      });
  });

  const help = async (...args: string[]) => (await operator(args)).join();
  it('lists its commands, each of which there is, and says what one takes that is named', async () => {
    const all = await help('--help');
    for (const { words } of COMMANDS) {
      expect(all).toContain(`\n  ${words}`);
      const own = await help(...words.split(' '), '--help');
      expect(own).toContain(`Usage: npm run operator -- ${words}`);
      expect(own.match(/Usage:/g)).toHaveLength(1);
      // Without what it needs, or with what it does not take, it says something else than that there is none.
      const refusal = await operator([...words.split(' '), '--colour']).catch((error: Error) => error.message);
      expect(refusal).toMatch(/--colour/);
      const answer = await operator(words.split(' ')).catch((error: Error) => error.message);
      expect(String(answer)).not.toMatch(/There is no command/);
    }
    expect(await help()).toBe(all);
    expect(await help('fly', '--help')).toBe(all);
    expect(await help('help', 'token')).toBe(await help('token', '-h'));
    expect(await help('token', '--help')).toMatch(/--ttl.+\n.+--scopes.+domains:read, domains:write/);
    expect((await help('node', '--help')).match(/Usage:.+/g)).toEqual(
      COMMANDS.filter(({ words }) => words.startsWith('node ')).map(({ words }) => expect.stringContaining(words)),
    );
  });
});
