import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer, createDomain, eventually, startFakeNode } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

const EDGE = 'edge.cordon.test';
const password = randomBytes(24).toString('base64url');
let test: TestApi;
let reader: pg.Client;

beforeAll(async () => {
  test = await startApi({
    CORDON_DNS_PASSWORD: password,
    CORDON_NAME_SERVERS: `ns1.${EDGE}=198.51.100.53+2001:db8::53, ns2.elsewhere.example`,
  });
  const url = new URL(test.databaseUrl);
  url.username = `${url.pathname.slice(1)}_dns`;
  url.password = password;
  reader = new pg.Client({ connectionString: url.href });
  await reader.connect();
});
afterAll(async () => {
  await reader?.end();
  await test?.stop();
});

const record = async (name: string) => {
  // As the gpgsql backend asks, with the search path that its role has.
  const { rows } = await reader.query<{ type: string | null; content: string | null }>(
    'SELECT content, ttl, prio, type, domain_id, disabled::int, name, auth::int FROM records WHERE disabled = false AND name = $1',
    [name],
  );
  return rows.map(({ type, content }) => `${type} ${content}`).sort();
};

describe('the views', () => {
  it('tell the zone, its name servers and their glue', async () => {
    const zone = await record(EDGE);
    expect(zone.slice(0, 2)).toEqual([`NS ns1.${EDGE}`, 'NS ns2.elsewhere.example']);
    expect(zone[2]).toMatch(`SOA ns1.${EDGE} hostmaster.${EDGE} `);
    expect(await record(`ns1.${EDGE}`)).toEqual(['A 198.51.100.53', 'AAAA 2001:db8::53']);
    expect(await record('ns2.elsewhere.example')).toEqual([]);
  });

  it('make every name of a customer an alias of its czone: with IPv6 where the subscription has it on', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await createDomain(customer);
    const czone = customer.cname.split('.')[1];
    expect(await record(route.cname)).toEqual([`CNAME v4.${czone}.${EDGE}`]);
    expect(await record(customer.cname)).toEqual([`CNAME v4.${czone}.${EDGE}`]);
    await test.api.platform.pool.query('UPDATE subscriptions SET ipv6 = true WHERE id = $1', [customer.subscriptionId]);
    expect(await record(route.cname)).toEqual([`CNAME ${czone}.${EDGE}`]);
    expect(await record(customer.cname)).toEqual([`CNAME ${czone}.${EDGE}`]);
  });

  it('keep a deactivated domain and forget a deleted one', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    expect(route.status).toBe('deactivated');
    expect(await record(route.cname)).toHaveLength(1);
    await customer.client.deleteRoute({ params: { id: route.id }, body: { cname: customer.cname } });
    await eventually(async () => (await record(route.cname)).length === 0);
  });

  it('keep names below a former edge domain', async () => {
    const customer = await createCustomer(test);
    const { pool } = test.api.platform;
    await pool.query("INSERT INTO edge_zones (name) VALUES ('former.example')");
    await pool.query("UPDATE subscriptions SET cname = 'abc.free01.former.example' WHERE id = $1", [
      customer.subscriptionId,
    ]);
    expect((await record('abc.free01.former.example')).join()).toMatch(/^CNAME v4\.free0\d\.former\.example$/);
    expect((await record('former.example')).filter((one) => one.startsWith('NS'))).toHaveLength(2);
  });
});

describe('the addresses of a czone', () => {
  const up = async (name: string) => (await record(`${name}.vip02.${EDGE}`.replace(/^\./, ''))).join(' ');
  const v4 = () => up('v4');
  const all = () => up('');

  it('are those of nodes that are up, or of all where none is', async () => {
    expect(await all()).toBe('null null');
    const { pool } = test.api.platform;
    const first = await startFakeNode(test, ['vip02'], { addresses: ['203.0.113.1', '2001:db8::1'] });
    const second = await startFakeNode(test, ['vip02'], { addresses: ['203.0.113.2'] });
    expect(await all()).toBe('A 203.0.113.1 A 203.0.113.2 AAAA 2001:db8::1');
    expect(await v4()).toBe('A 203.0.113.1 A 203.0.113.2');
    // The watch of the API does the rest once a node is silent.
    await pool.query("UPDATE edge_nodes SET last_seen_at = now() - interval '10 s' WHERE name = $1", [first.name]);
    await eventually(async () => (await v4()) === 'A 203.0.113.2');
    // No other node has an IPv6 address.
    expect(await all()).toBe('A 203.0.113.2 AAAA 2001:db8::1');
    await pool.query('UPDATE edge_nodes SET down_since = now() WHERE name = $1', [second.name]);
    expect(await v4()).toBe('A 203.0.113.1 A 203.0.113.2');
    await first.heartbeat();
    expect(await v4()).toBe('A 203.0.113.1');
    await first.heartbeat('down');
    await second.heartbeat();
    expect(await v4()).toBe('A 203.0.113.2');
    await pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [second.name]);
    expect(await v4()).toBe('A 203.0.113.1');
    first.stop();
    second.stop();
  });
});

describe('the role of name servers', () => {
  it('reads these views and nothing else', async () => {
    const { rows } = await test.api.platform.pool.query<{ schema: string; name: string }>(
      `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
         AND n.nspname NOT LIKE 'pg_%'`,
    );
    expect(rows.length).toBeGreaterThan(40);
    const readable: string[] = [];
    for (const { schema, name } of rows) {
      await reader.query(`SELECT * FROM ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)} LIMIT 0`).then(
        () => readable.push(`${schema}.${name}`),
        (error: { code: string }) => expect(error.code).toBe('42501'),
      );
    }
    expect(readable.sort()).toEqual(
      ['comments', 'cryptokeys', 'domainmetadata', 'domains', 'records', 'supermasters', 'tsigkeys'].map(
        (view) => `powerdns.${view}`,
      ),
    );
  });

  it.each([
    "UPDATE powerdns.domains SET name = 'evil.example'",
    "INSERT INTO powerdns.domains (name) VALUES ('evil.example')",
    'DELETE FROM powerdns.domains',
    'CREATE TABLE public.mine (id int)',
    'CREATE FUNCTION powerdns.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'SET ROLE cordon',
  ])('may not: %s', async (statement) => {
    await reader.query('SET default_transaction_read_only = off');
    await expect(reader.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|55000)$/) });
  });

  it('is told names and addresses, no account', async () => {
    const { rows } = await reader.query<{ columns: string[] }>(
      "SELECT array_agg(DISTINCT column_name::text ORDER BY column_name::text) AS columns FROM information_schema.columns WHERE table_schema = 'powerdns' AND table_name = 'records'",
    );
    expect(rows[0]?.columns).toEqual(
      ['auth', 'content', 'disabled', 'domain_id', 'name', 'ordername', 'prio', 'ttl', 'type'].sort(),
    );
  });

  it('gets its password without the password ever standing in a statement', async () => {
    const { rows } = await test.api.platform.pool.query(
      "SELECT rolpassword FROM pg_authid WHERE rolname = current_database() || '_dns'",
    );
    expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
    expect(test.logLines.join('')).not.toContain(password);
  });
});

it('finds a name by an index, however many there are', async () => {
  const { pool } = test.api.platform;
  const client = await pool.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query(
      "EXPLAIN SELECT * FROM powerdns.records WHERE name = 'x.y.free01.edge.cordon.test'",
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('routes_cname_key');
    expect(plan).toContain('subscriptions_cname_key');
  } finally {
    client.release(true);
  }
});
