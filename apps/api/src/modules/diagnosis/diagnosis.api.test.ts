import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Diagnosis, DiagnosisCheck } from '@cordon/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  type FakeNode,
  startFakeNode,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let node: FakeNode;
let customer: Customer;
const asked: { host: string | undefined }[] = [];
const origin = createServer((req, res) => {
  asked.push({ host: req.headers.host });
  res.writeHead(req.headers.host?.startsWith('broken') ? 503 : 200).end('ok');
});
/** Accepts and never says a word. */
const silent = createServer(() => undefined);
const portOf = (server: typeof origin) => (server.address() as AddressInfo).port;
const CZONE_ADDRESS = '198.41.0.4';

beforeAll(async () => {
  for (const server of [origin, silent]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test = await startApi({
    CORDON_UPSTREAM_ALLOW: `127.0.0.1:${portOf(origin)},127.0.0.1:${portOf(silent)},127.0.0.1:9`,
    CORDON_PUBLIC_RESOLVERS: '1.1.1.1,8.8.8.8',
    // Nothing listens there: certificates are judged without a handshake.
    CORDON_EDGE_HTTPS_PORT: '9',
  });
  node = await startFakeNode(test, undefined, { addresses: [CZONE_ADDRESS] });
});
beforeEach(async () => {
  // Each has a rate of its own.
  customer = await createCustomer(test, { plan: 'vip' });
});
afterAll(async () => {
  node.stop();
  for (const server of [origin, silent]) {
    server.closeAllConnections();
    server.close();
  }
  await test.stop();
});

const diagnose = async (who: Customer, id: string): Promise<Diagnosis> => {
  await node.heartbeat();
  return (await who.client.checkDomain({ body: { route_id: id } })).result;
};
const lineOf = (diagnosis: Diagnosis, check: DiagnosisCheck) => {
  const line = diagnosis.checks.find((one) => one.check === check);
  if (!line) throw new Error(`no line ${check}`);
  return line;
};
async function deployed(who: Customer, change: object = {}, name = uniqueName()) {
  const { result } = await who.client.createRoute({
    body: {
      cname: who.cname,
      domain_name: name,
      upstreams: upstreamsTo('127.0.0.1', portOf(origin)),
      deploy: true,
      ...change,
    },
  });
  await eventually(
    async () => (await who.client.getRoute({ params: { id: result.id } })).result.operation?.state === 'successful',
  );
  return result;
}
const ip = (config: object) => ({ plugins: [{ name: 'ip-restriction', enabled: true, config }] });

describe('a domain that is well', () => {
  it('is well on every line but the certificate, and says why that is not', async () => {
    const route = await deployed(customer);
    test.dns.setCname(route.domain_name, route.cname);
    test.dns.setNameServers('example.com', ['ns1.example.net', 'ns2.example.net']);
    test.dns.setAddresses('ns1.example.net', ['192.0.32.1']);
    test.dns.setAddresses('ns2.example.net', ['192.0.32.2']);
    for (const address of ['192.0.32.1', '192.0.32.2', '1.1.1.1', '8.8.8.8'])
      test.dns.server(address).setCname(route.domain_name, route.cname);
    const diagnosis = await diagnose(customer, route.id);
    expect(diagnosis.checks.map(({ check, state, finding }) => [check, state, finding])).toEqual([
      ['service', 'ok', 'running'],
      ['quota', 'ok', 'within'],
      ['ownership', 'ok', 'points_here'],
      ['propagation', 'ok', 'everywhere'],
      ['certificate', 'warning', 'default_certificate'],
      ['nodes', 'ok', 'all_live'],
      ['deploy', 'ok', 'live'],
      ['access', 'ok', 'lets_in'],
      ['upstream', 'ok', 'all_answer'],
      ['traffic', 'unknown', 'not_measured'],
    ]);
    expect(diagnosis.health).toMatchObject({ state: 'warning', findings: [{ check: 'certificate' }] });
    expect(lineOf(diagnosis, 'certificate').advice).toBe('configure_ssl');
    expect(lineOf(diagnosis, 'upstream').items).toEqual([
      expect.objectContaining({ label: `127.0.0.1:${portOf(origin)}`, kind: 'http', finding: 'answers' }),
    ]);
    // As the edge would ask it.
    expect(asked.at(-1)?.host?.split(':')[0]).toBe(route.domain_name);
  });
});

describe('DNS', () => {
  it('is told apart: no record, another place, here; and a name that points here is proved by the look', async () => {
    const route = await deployed(customer);
    const missing = lineOf(await diagnose(customer, route.id), 'ownership');
    expect(missing).toMatchObject({ state: 'error', finding: 'no_record', advice: 'add_cname' });
    expect(missing.params).toMatchObject({ name: route.domain_name, target: route.cname });
    test.dns.setCname(route.domain_name, 'elsewhere.example.net');
    expect(lineOf(await diagnose(customer, route.id), 'ownership')).toMatchObject({
      finding: 'points_elsewhere',
      params: { seen: 'elsewhere.example.net' },
    });
    test.dns.setCname(route.domain_name, route.cname);
    expect(lineOf(await diagnose(customer, route.id), 'ownership')).toMatchObject({ state: 'ok' });
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.ownership.state).toBe('verified');
    test.dns.setCname(route.domain_name, undefined);
    expect(lineOf(await diagnose(customer, route.id), 'ownership')).toMatchObject({
      state: 'error',
      finding: 'proved_but_no_record',
      advice: 'add_cname',
    });
  });

  it('at an apex asks for the addresses, then for the proof', async () => {
    const name = `apex${Date.now()}.com`;
    const route = await deployed(customer, {}, name);
    expect(lineOf(await diagnose(customer, route.id), 'ownership')).toMatchObject({
      advice: 'add_address',
      params: { record_type: 'A', target: CZONE_ADDRESS },
    });
    test.dns.setAddresses(name, [CZONE_ADDRESS]);
    const line = lineOf(await diagnose(customer, route.id), 'ownership');
    expect(line).toMatchObject({ state: 'error', finding: 'proof_missing', advice: 'add_txt' });
    test.dns.setTexts(String(line.params.txt_name), [String(line.params.txt_value)]);
    expect(lineOf(await diagnose(customer, route.id), 'ownership')).toMatchObject({ state: 'ok' });
  });

  it('at an apex with IPv6 on asks for the record of each kind that is missing or leads elsewhere', async () => {
    const name = `apex6${Date.now()}.com`;
    const route = await deployed(customer, {}, name);
    const { pool } = test.api.platform;
    await pool.query(`UPDATE edge_nodes SET addresses = addresses || '{2001:500:2::c}'`);
    test.dns.setTexts(route.ownership.txt.name, [route.ownership.txt.value]);
    const found = async (...addresses: string[]) => {
      test.dns.setAddresses(name, addresses);
      const { state, finding, advice, params } = lineOf(await diagnose(customer, route.id), 'ownership');
      return [state, finding, advice, params.record_type, params.target];
    };
    try {
      expect(await found(CZONE_ADDRESS)).toEqual(['ok', 'points_here', null, 'A', CZONE_ADDRESS]);
      await pool.query('UPDATE subscriptions SET ipv6 = true WHERE id = $1', [customer.subscriptionId]);
      const missing = ['warning', 'address_missing', 'add_address'];
      expect(await found(CZONE_ADDRESS)).toEqual([...missing, 'AAAA', '2001:500:2::c']);
      expect(await found('2001:500:2::c')).toEqual([...missing, 'A', CZONE_ADDRESS]);
      expect(await found(CZONE_ADDRESS, '2001:500:2::c')).toEqual(['ok', 'points_here', null, 'A', CZONE_ADDRESS]);
      expect(await found(CZONE_ADDRESS, '2001:500:2::d')).toEqual([
        'error',
        'proved_but_elsewhere',
        'add_address',
        'AAAA',
        '2001:500:2::c',
      ]);
    } finally {
      await pool.query(`UPDATE edge_nodes SET addresses = array_remove(addresses, '2001:500:2::c')`);
    }
  });

  it('says which resolver still has the old answer, and which does not answer', async () => {
    const zone = `zone${Date.now()}.com`;
    const route = await deployed(customer, {}, `www.${zone}`);
    test.dns.setCname(route.domain_name, route.cname);
    test.dns.setNameServers(zone, ['ns1.stale.example', 'ns-inside.stale.example']);
    test.dns.setAddresses('ns1.stale.example', ['192.0.32.7']);
    test.dns.setAddresses('ns-inside.stale.example', ['10.0.0.53']);
    test.dns.server('192.0.32.7').setCname(route.domain_name, route.cname);
    test.dns.server('1.1.1.1').setAddresses(route.domain_name, ['192.0.32.99']);
    test.dns.server('8.8.8.8').cnames = () => Promise.reject(new Error('queryCname ETIMEOUT'));
    const line = lineOf(await diagnose(customer, route.id), 'propagation');
    expect(line).toMatchObject({ state: 'warning', finding: 'partly', advice: 'wait_for_dns' });
    expect(line.params).toMatchObject({ here: 2, answered: 3, minimum: 5, maximum: 30, hours: 2 });
    expect(line.items.map(({ label, kind, finding }) => [kind, label, finding])).toEqual([
      ['authoritative', 'ns1.stale.example', 'points_here'],
      ['resolver', '', 'points_here'],
      ['public', '1.1.1.1', 'points_elsewhere'],
      ['public', '8.8.8.8', 'no_answer'],
    ]);
  });
});

describe('upstreams', () => {
  it('that are silent or lead nowhere are told apart, and a name that leads inside is as one that leads nowhere', async () => {
    const route = await deployed(customer, {
      upstreams: {
        protocol: 'http',
        targets: [
          { host: '127.0.0.1', port: portOf(origin) },
          { host: '127.0.0.1', port: 9 },
          { host: 'gone.example.net', port: 80 },
          { host: 'turned.example.net', port: portOf(origin) },
        ],
      },
    });
    // After the deploy: the guard judges again.
    test.dns.setAddresses('turned.example.net', ['127.0.0.2']);
    const before = asked.length;
    const line = lineOf(await diagnose(customer, route.id), 'upstream');
    expect(line).toMatchObject({ state: 'warning', finding: 'some_fail', advice: 'change_upstreams' });
    expect(line.items.map(({ finding }) => finding)).toEqual(['answers', 'unreachable', 'unresolved', 'unresolved']);
    expect(asked.length - before).toBe(1);
  });

  it('that speak the other protocol are told as such', async () => {
    const route = await deployed(customer, {
      upstreams: { protocol: 'https', targets: [{ host: '127.0.0.1', port: portOf(origin) }] },
    });
    const line = lineOf(await diagnose(customer, route.id), 'upstream');
    expect(line).toMatchObject({ state: 'error', finding: 'none_answers', advice: 'change_protocol' });
    expect(line.items[0]).toMatchObject({ finding: 'wrong_protocol', params: { other: 'http' } });
  });

  it('that answer with errors of their own are a warning', async () => {
    const route = await deployed(customer, {}, `broken.${uniqueName()}`);
    expect(lineOf(await diagnose(customer, route.id), 'upstream')).toMatchObject({
      state: 'warning',
      params: { good: 0, asked: 1 },
      items: [{ finding: 'server_error', params: { status: 503 } }],
    });
  });

  it('are not needed where visitors are redirected', async () => {
    const route = await deployed(customer, {
      traffic_action: 'redirect',
      upstreams: undefined,
      plugins: [{ name: 'redirect', enabled: true, config: { redirect_url: 'https://new.example.org/' } }],
    });
    const diagnosis = await diagnose(customer, route.id);
    expect(lineOf(diagnosis, 'upstream')).toMatchObject({ state: 'ok', finding: 'not_needed' });
    expect(lineOf(diagnosis, 'access')).toMatchObject({ state: 'ok', finding: 'redirects' });
  });
});

describe('access', () => {
  it('names the plugin that keeps everybody out', async () => {
    const route = await deployed(customer, ip({ allow: ['198.41.128.7'], whitelistMode: true }));
    const line = lineOf(await diagnose(customer, route.id), 'access');
    expect(line).toMatchObject({ state: 'error', finding: 'blocks_everybody', advice: 'change_access' });
    expect(line.params).toMatchObject({ plugin: 'ip-restriction', reason: 'not_in_allow_list' });
  });
  it('is well while an entry refuses one of the samples only, and shows which', async () => {
    const route = await deployed(customer, ip({ deny: ['194.25.0.0/16'], blacklistMode: true }));
    const line = lineOf(await diagnose(customer, route.id), 'access');
    expect(line).toMatchObject({ state: 'ok', finding: 'blocks_some' });
    expect(line.items.find(({ finding }) => finding === 'blocks')).toMatchObject({
      label: '194.25.0.60',
      params: { rule: '194.25.0.0/16', country: 'DE' },
    });
  });
});

describe('what is not served', () => {
  it('was never deployed, was deactivated, or is suspended', async () => {
    const route = await createDomain(customer);
    const fresh = await diagnose(customer, route.id);
    expect(lineOf(fresh, 'service')).toMatchObject({ finding: 'never_deployed', advice: 'deploy' });
    expect(lineOf(fresh, 'deploy')).toMatchObject({ finding: 'never_deployed' });
    expect(lineOf(fresh, 'access')).toMatchObject({ finding: 'off', params: { why: 'never_deployed' } });
    const live = await deployed(customer);
    await customer.client.deactivateRoute({ params: { id: live.id } });
    expect(lineOf(await diagnose(customer, live.id), 'service')).toMatchObject({
      finding: 'deactivated',
      advice: 'resume',
    });
    await test.api.platform.pool.query(
      `UPDATE routes SET suspended_at = now(), suspended_reason = 'phishing' WHERE id = $1`,
      [live.id],
    );
    expect(lineOf(await diagnose(customer, live.id), 'service')).toMatchObject({
      state: 'error',
      finding: 'route_suspended',
      params: { reason: 'phishing' },
    });
  });

  it('lets nobody in, whatever its plugins and origins would do', async () => {
    const route = await deployed(customer);
    const setSuspended = (sql: string) =>
      test.api.platform.pool.query(`UPDATE routes SET ${sql} WHERE id = $1`, [route.id]);
    const found = async () => {
      const diagnosis = await diagnose(customer, route.id);
      return (['deploy', 'access', 'upstream'] as const).map((check) => {
        const { state, finding, advice, params } = lineOf(diagnosis, check);
        return [state, finding, advice, params.why];
      });
    };
    await setSuspended(`suspended_at = now(), suspended_reason = 'phishing'`);
    expect(await found()).toEqual([
      ['unknown', 'suspended', null, undefined],
      ['unknown', 'off', null, 'suspended'],
      ['ok', 'unused', null, 'suspended'],
    ]);
    await setSuspended('suspended_at = NULL, suspended_reason = NULL');
    await customer.client.deactivateRoute({ params: { id: route.id } });
    // Not by diagnoses, of which there may be few in a minute.
    const read = async () => (await customer.client.getRoute({ params: { id: route.id } })).result;
    await eventually(async () => (await read()).operation?.state === 'successful');
    expect(await found()).toEqual([
      ['unknown', 'left_edge', 'resume', undefined],
      ['unknown', 'off', null, 'deactivated'],
      ['ok', 'unused', null, 'deactivated'],
    ]);
    await customer.client.resumeRoute({ params: { id: route.id } });
    expect((await found())[1]).toEqual(['ok', 'lets_in', null, undefined]);
  });

  it('has a quota that is told when it is reached', async () => {
    const small = await createCustomer(test);
    const route = await createDomain(small);
    expect(lineOf(await diagnose(small, route.id), 'quota')).toMatchObject({ state: 'ok' });
    await test.api.platform.pool.query(
      `UPDATE subscriptions s SET names_used = (p.features->>'domains')::int + s.additional_domain_number
       FROM plans p WHERE p.name = s.plan AND s.id = $1`,
      [small.subscriptionId],
    );
    expect(lineOf(await diagnose(small, route.id), 'quota')).toMatchObject({
      state: 'ok',
      finding: 'reached',
      advice: 'upgrade_plan',
    });
  });

  it('is told which nodes have it and which did not report', async () => {
    const route = await deployed(customer);
    const name = `node-late-${Date.now()}`;
    await test.api.platform.pool.query(
      `INSERT INTO edge_nodes (name, czones, addresses, credential_hash, state)
       SELECT $1, ARRAY[czone], ARRAY['192.0.32.50'], decode(md5($1), 'hex'), '{}' FROM routes WHERE id = $2`,
      [name, route.id],
    );
    const diagnosis = await diagnose(customer, route.id);
    await test.api.platform.pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [name]);
    expect(lineOf(diagnosis, 'nodes')).toMatchObject({ state: 'warning', finding: 'some_live', params: { live: 1 } });
    expect(lineOf(diagnosis, 'nodes').items.find((item) => item.label === name)).toMatchObject({ finding: 'offline' });
    expect(lineOf(diagnosis, 'deploy')).toMatchObject({ state: 'unknown', finding: 'not_everywhere' });
  });
});

describe('a diagnosis', () => {
  it('answers in time with the other lines when one hangs', async () => {
    const route = await deployed(customer, { upstreams: upstreamsTo('127.0.0.1', portOf(silent)) });
    const { cnames } = test.dns;
    let release = (_: string[]) => {};
    const hanging = new Promise<string[]>((resolve) => {
      release = resolve;
    });
    test.dns.cnames = () => hanging;
    const startedAt = Date.now();
    const diagnosis = await diagnose(customer, route.id).finally(() => {
      test.dns.cnames = cnames;
      release([]);
    });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(lineOf(diagnosis, 'ownership')).toMatchObject({ state: 'unknown', finding: 'timed_out', advice: 'retry' });
    expect(lineOf(diagnosis, 'deploy')).toMatchObject({ state: 'ok' });
    expect(lineOf(diagnosis, 'upstream').items[0]).toMatchObject({ state: 'error', finding: 'unreachable' });
  });

  it("answers only 404 for another account's domain, and sends no request", async () => {
    const route = await deployed(customer);
    const otherCustomer = await createCustomer(test);
    const before = asked.length;
    const answer = await test.call('POST', 'domain/checker/', {
      token: otherCustomer.token,
      body: { route_id: route.id },
    });
    expect(answer.status).toBe(404);
    // Anything else in the body would reveal that there is such a domain.
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND' });
    expect(asked.length).toBe(before);
  });

  it('has a rate for each account', async () => {
    const busy = await createCustomer(test);
    const route = await createDomain(busy);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        test.call('POST', 'domain/checker/', { token: busy.token, body: { route_id: route.id } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
    expect(answers.some(({ status, body }) => status === 429 && body.code === 'TOO_MANY_REQUESTS')).toBe(true);
  });
});
