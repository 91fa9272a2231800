import { type EdgeTest, type EdgeTestResult, edgeTest, type Route, type TestAttackRun } from '@cordon/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  eventually,
  REACHED_ORIGIN,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();

const passed = (more: Partial<EdgeTestResult> = {}): EdgeTestResult => ({ ...REACHED_ORIGIN, ...more });
/** Stops what comes from the address, as nginx does; nginx itself refuses the path that leads out of the root. */
const answer = ({ requests }: EdgeTest) =>
  requests.map(({ address, target }) => {
    if (target.startsWith('/static/')) return passed({ status: 400, is_judged: false });
    if (address !== '45.10.20.0') return passed();
    const said = { plugin: 'ip-restriction', action: 'block', reason: 'in_deny_list', rule: '45.10.20.0/24' };
    return passed({ status: 403, ...said });
  });

beforeEach(async () => {
  await node.heartbeat();
  node.tests.length = 0;
  node.runTest = answer;
});

interface Protection {
  name: string;
  enabled: boolean;
  config: Record<string, unknown>;
}
const protections: Protection[] = [
  { name: 'ip-restriction', enabled: true, config: { deny: ['45.10.20.0/24'], blacklistMode: true } },
  { name: 'request-limit', enabled: true, config: { banpath: '^/login', maxretry: 20 } },
  { name: 'challenge', enabled: false, config: {} },
];

/** Of a customer of its own: attacks have a rate. */
async function deployed(deploy = true, plugins = protections) {
  const who = await createCustomer(test);
  const body = { cname: who.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), plugins, deploy };
  const { result: route } = await who.client.createRoute({ body });
  return { route, who };
}
interface Deployed {
  readonly route: Pick<Route, 'id'>;
  readonly who: Customer;
}
const attack = ({ route, who }: Deployed) =>
  test.call('POST', `domain/routes/${route.id}/test-attack/`, { token: who.token });
const runOf = async ({ route, who }: Deployed): Promise<TestAttackRun> =>
  (await who.client.sendTestAttack({ params: { id: route.id } })).result;

describe('a test attack', () => {
  it('is run by a live node and says what stopped each, general ones and those of the plugins that are on', async () => {
    const made = await deployed();
    const { route } = made;
    const run = await runOf(made);
    expect(run).toMatchObject({ node: node.name, version: 1, is_paused: false });
    const outcomes = run.results.map(({ attack: name, shown_by, verdict, plugin, reason, status }) =>
      [name, shown_by, verdict, plugin, reason, status].map(String).join(' '),
    );
    expect(outcomes).toEqual([
      ...['sql_injection', 'cross_site_scripting'].map((name) => `${name} null reached_origin null null null`),
      'path_traversal null block null bad_request 400',
      ...['environment_file', 'git_config', 'scanner', 'log4shell'].map(
        (name) => `${name} null reached_origin null null null`,
      ),
      'testAttacks.denied ip-restriction block ip-restriction in_deny_list 403',
      'testAttacks.flood request-limit reached_origin null null null',
    ]);
    // What nginx refuses before it knows the domain is in no log of it.
    expect(run.results.map(({ request_id }) => request_id === null)).toEqual(
      run.results.map(({ attack: name }) => name === 'path_traversal'),
    );
    const [asked] = node.tests;
    expect(asked).toMatchObject({ route_id: route.id, host: route.domain_name });
    const requests = asked?.requests ?? [];
    expect(requests.at(-1)).toMatchObject({ target: '/login', times: 20 });
    expect(new Set(requests.map(({ address }) => address)).size).toBe(requests.length);
    const agents = requests.map(({ headers }) => headers.find(({ name }) => name === 'User-Agent')?.value);
    expect(new Set(agents)).toEqual(new Set(['Cordon-Test/1.0', 'sqlmap/1.8.2#stable (https://sqlmap.org)']));
  });

  it('leaves out what no node takes, and shows the first three rules of the others', async () => {
    const long = 'v'.repeat(400);
    const each = (count: number, field: string, value: string) =>
      Array.from({ length: count }, (_, at) => ({ field, name: `n${at}`, values: [value] }));
    const rules = {
      'long path': [{ field: 'path', values: [`/${'中'.repeat(300)}`] }],
      'long query': [{ field: 'query', test: 'contains', values: ['中'.repeat(300)] }],
      'long arguments': each(5, 'argument', long),
      'long cookies': each(3, 'cookie', long),
      'many fields': each(20, 'header', 'v'),
      ...Object.fromEntries([1, 2, 3, 4].map((at) => [`short ${at}`, [{ field: 'path', values: [`/${at}`] }]])),
    };
    const black_rules = Object.entries(rules).map(([name, conditions]) => ({ name, when: { conditions } }));
    const made = await deployed(true, [{ name: 'blackrules', enabled: true, config: { black_rules } }]);
    const { results } = await runOf(made);
    expect(results.flatMap(({ shown_by, params }) => (shown_by === null ? [] : [params.name]))).toEqual([
      'short 1',
      'short 2',
      'short 3',
    ]);
    expect(node.tests.map((asked) => edgeTest.safeParse(asked).error)).toEqual([undefined]);
  });

  it('shows no plugin while the protection is paused, and says so', async () => {
    const made = await deployed();
    await made.who.client.pauseRoute({ params: { id: made.route.id }, body: { minutes: 15 } });
    const run = await runOf(made);
    expect(run.is_paused).toBe(true);
    expect(run.results.filter(({ shown_by }) => shown_by !== null)).toEqual([]);
  });

  it('shows what is switched on without a version while it is on', async () => {
    const made = await deployed();
    const shown = async () => (await runOf(made)).results.map(({ shown_by }) => shown_by);
    expect(await shown()).not.toContain('under-attack');
    await made.who.client.startAttackMode({ body: { seconds: 600, route_id: made.route.id } });
    expect(await shown()).toContain('under-attack');
  });

  it('has no result where the node does not know the domain yet, and is blocked by nothing then', async () => {
    node.runTest = ({ requests }) => requests.map(() => passed({ status: 421, is_judged: false }));
    const { results } = await runOf(await deployed());
    expect(new Set(results.map(({ verdict, plugin, reason }) => `${verdict} ${plugin} ${reason}`))).toEqual(
      new Set(['failed null null']),
    );
  });

  it('has no result of what the node could not admit, and no status that a visitor would get', async () => {
    node.runTest = ({ requests }) => requests.map(() => passed({ status: 0, is_judged: false, request_id: '' }));
    const { results } = await runOf(await deployed());
    const said = results.map(({ verdict, status, request_id }) => `${verdict} ${status} ${request_id}`);
    expect(new Set(said)).toEqual(new Set(['failed null null']));
  });

  it('leaves nothing behind', async () => {
    await runOf(await deployed());
    const { rows } = await test.api.platform.pool.query('SELECT id FROM edge_tests');
    expect(rows).toEqual([]);
  });
});

describe('no test attack', () => {
  it('is run on a domain of another account', async () => {
    const { route } = await deployed();
    expect(await attack({ route, who: await createCustomer(test) })).toMatchObject({ status: 404 });
    expect(node.tests).toEqual([]);
  });

  it('is run on a domain that is not live, or off', async () => {
    const fresh = await deployed(false);
    expect((await attack(fresh)).body).toMatchObject({ code: 'DOMAIN_NOT_DEPLOYED' });
    const off = await deployed();
    await off.who.client.deactivateRoute({ params: { id: off.route.id } });
    expect((await attack(off)).body).toMatchObject({
      code: 'DOMAIN_STATE_FORBIDS',
      params: { DOMAIN_STATE_FORBIDS: { status: 'deactivated' } },
    });
    const suspended = await deployed();
    await test.api.platform.pool.query(
      `UPDATE routes SET suspended_at = now(), suspended_reason = 'abuse' WHERE id = $1`,
      [suspended.route.id],
    );
    expect((await attack(suspended)).body).toMatchObject({
      code: 'DOMAIN_STATE_FORBIDS',
      params: { DOMAIN_STATE_FORBIDS: { status: 'suspended' } },
    });
    expect(node.tests).toEqual([]);
  });

  it('is answered by a node that reports something else, or that cannot be reached', async () => {
    const made = await deployed();
    node.runTest = (asked) => answer(asked).slice(1);
    expect(await attack(made)).toMatchObject({ status: 502, body: { code: 'GATEWAY_CONNECTION_ERROR' } });
    await test.api.platform.pool.query(`UPDATE edge_nodes SET last_seen_at = now() - interval '1 minute'`);
    expect(await attack(made)).toMatchObject({ status: 502, body: { code: 'GATEWAY_CONNECTION_ERROR' } });
    expect(node.tests).toHaveLength(1);
    await node.heartbeat();
    node.runTest = answer;
    await eventually(async () => (await attack(made)).status === 200 || undefined);
  });
});
