import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Health, type Route, websocketMessage } from '@cordon/contract';
import { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { slowdown } from '../../../../../tests/support/slowness.ts';
import { createLog } from '../../platform/log.ts';
import { addJob } from '../../platform/queue.ts';
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
import { createOwnershipProof } from '../names/service.ts';
import { createSubscriptionService } from '../subscriptions/service.ts';
import { judgeTraffic } from './facts.ts';
import { type Taken, takeDue } from './look-repository.ts';
import { createLookService, type LookParts } from './look-service.ts';

let test: TestApi;
let node: FakeNode;
let canary: Customer;
const origin = createServer((_req, res) => res.end('ok'));
const port = () => (origin.address() as AddressInfo).port;
/** Nothing listens there. */
let deadPort: number;
let beating: NodeJS.Timeout | undefined;
let down: { route_id: string; target: string; since: number }[] = [];
const SINCE = Math.floor(Date.now() / 1000) - 600;

const heartbeat = () =>
  fetch(`${test.url}/api/v1/edge/heartbeat/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ agent_version: 'test', cursor: node.cursor, nginx: 'running', routes: 1, targets_down: down },
      ...{ log_backlog_bytes: 0, log_rows_dropped: 0 },
    }),
  });

beforeAll(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  deadPort = (gone.address() as AddressInfo).port;
  await new Promise((resolve) => gone.close(resolve));
  // Nothing listens for https: certificates are judged without a handshake. Nothing counts requests either.
  test = await startApi({
    CORDON_UPSTREAM_ALLOW: `127.0.0.1:${port()},127.0.0.1:${deadPort}`,
    CORDON_EDGE_HTTPS_PORT: '9',
  });
  node = await startFakeNode(test, undefined, { addresses: ['198.41.0.4'] });
  canary = await createCustomer(test, { plan: 'vip' });
  await asDemo((await deployed(canary)).id);
});
afterEach(() => {
  down = [];
  clearInterval(beating);
});
afterAll(async () => {
  node?.stop();
  origin.close();
  await test?.stop();
});
/** Nodes live from now on, also for what is judged by nodes of a second ago. */
const beat = async () => {
  await heartbeat();
  beating = setInterval(() => void heartbeat(), 1_000);
  await eventually(
    async () => (await canary.client.listRoutes()).results.every(({ health }) => health.state === 'ok') || undefined,
  );
};
const sql = (text: string, ...values: unknown[]) => test.api.platform.pool.query(text, values);

async function deployed(who: Customer, change: object = {}): Promise<Route> {
  const { result } = await who.client.createRoute({
    body: {
      cname: who.cname,
      domain_name: uniqueName(),
      upstreams: upstreamsTo('127.0.0.1', port()),
      deploy: true,
      ...change,
    },
  });
  await eventually(
    async () => (await who.client.getRoute({ params: { id: result.id } })).result.operation?.state === 'successful',
  );
  return result;
}
/** As in the demo: no name leads here, and none has to. */
const asDemo = (id: string) =>
  sql(`UPDATE routes SET ownership_state = 'verified', ownership_method = 'demo' WHERE id = $1`, id);
const asVerified = (id: string) =>
  sql(`UPDATE routes SET ownership_state = 'verified', ownership_method = 'cname' WHERE id = $1`, id);
const wordsOf = ({ state, findings }: Health) => [
  state,
  ...findings.map((found) => `${found.check}/${found.finding} ${found.state}`),
];

interface Kind {
  readonly name: string;
  /** Only a diagnosis knows it at once. */
  readonly isLooked?: boolean;
  /** The job that looks at domains finds it. */
  readonly isSwept?: boolean;
  readonly make: (who: Customer) => Promise<{ id: string }>;
  readonly expected: string[];
  readonly undo?: () => Promise<unknown>;
}
/** A domain of which so many of a hundred requests failed. */
async function withErrors(who: Customer, failed: number) {
  const route = await demo(who);
  await sql(
    'INSERT INTO route_errors (route_id, account_id, requests, failed) VALUES ($1, $2, 100, $3)',
    route.id,
    who.accountId,
    failed,
  );
  return route;
}

/** A domain that has challenged so many visitors in vain. */
async function withUnmet(who: Customer, change: object = {}) {
  const route = await demo(who, change);
  await sql(
    'INSERT INTO route_unmet_challenges (route_id, account_id, challenged) VALUES ($1, $2, 80)',
    route.id,
    who.accountId,
  );
  return route;
}

const demo = async (who: Customer, change: object = {}) => {
  const route = await deployed(who, change);
  await asDemo(route.id);
  return route;
};
const REFUSING = {
  plugins: [{ name: 'ip-restriction', enabled: true, config: { whitelistMode: true, allow: ['198.41.128.7'] } }],
};
const KINDS: Kind[] = [
  { name: 'a demo domain', make: demo, expected: ['ok'] },
  {
    name: 'never deployed',
    make: createDomain,
    expected: ['off', 'service/never_deployed error', 'ownership/no_record error'],
  },
  {
    name: 'switched off',
    make: async (who) => {
      const route = await demo(who);
      await who.client.deactivateRoute({ params: { id: route.id } });
      return route;
    },
    expected: ['off', 'service/deactivated error'],
  },
  {
    name: 'suspended',
    make: async (who) => {
      const route = await demo(who);
      await sql(`UPDATE routes SET suspended_at = now(), suspended_reason = 'abuse' WHERE id = $1`, route.id);
      return route;
    },
    expected: ['error', 'service/route_suspended error'],
  },
  {
    name: 'of a plan that is suspended',
    make: async (who) => {
      const route = await demo(who);
      await sql(`UPDATE subscriptions SET status = 'suspended' WHERE id = $1`, who.subscriptionId);
      return route;
    },
    expected: ['error', 'service/subscription_suspended error'],
  },
  {
    name: 'of a plan that has expired',
    make: async (who) => {
      const route = await demo(who);
      await sql(`UPDATE subscriptions SET status = 'expired' WHERE id = $1`, who.subscriptionId);
      return route;
    },
    expected: ['warning', 'service/subscription_expired warning'],
  },
  {
    name: 'with more names than its plan has',
    make: async (who) => {
      const route = await demo(who);
      await sql('UPDATE subscriptions SET names_used = 1000000 WHERE id = $1', who.subscriptionId);
      return route;
    },
    expected: ['warning', 'quota/exceeded warning'],
  },
  {
    name: 'paused',
    make: async (who) => {
      const route = await demo(who);
      await who.client.pauseRoute({ params: { id: route.id }, body: { minutes: null } });
      return route;
    },
    expected: ['warning', 'service/paused warning'],
  },
  {
    name: 'whose name leads nowhere yet',
    make: deployed,
    expected: ['error', 'ownership/no_record error', 'certificate/default_certificate warning'],
  },
  {
    name: 'whose certificate is not its own',
    make: async (who) => {
      const route = await deployed(who);
      test.dns.setCname(route.domain_name, route.cname);
      await asVerified(route.id);
      return route;
    },
    expected: ['warning', 'certificate/default_certificate warning'],
  },
  {
    name: 'whose name leads here no more',
    isLooked: true,
    make: async (who) => {
      const route = await deployed(who);
      await asVerified(route.id);
      return route;
    },
    expected: ['error', 'ownership/proved_but_no_record error', 'certificate/default_certificate warning'],
  },
  {
    name: 'whose last deploy failed',
    make: async (who) => {
      const route = await demo(who);
      await sql(
        `UPDATE operations SET state = 'failed', error = 'NODES_NOT_REACHED' WHERE id = (SELECT operation_id FROM routes WHERE id = $1)`,
        route.id,
      );
      return route;
    },
    expected: ['error', 'deploy/failed error'],
  },
  {
    name: 'whose origin the nodes leave out',
    make: async (who) => {
      const route = await demo(who);
      down = [{ route_id: route.id, target: `127.0.0.1:${port()}`, since: SINCE }];
      return route;
    },
    expected: ['error', 'upstream/none_answers error'],
  },
  {
    name: 'whose origin is down, before any visitor has come',
    isSwept: true,
    make: (who) => demo(who, { upstreams: upstreamsTo('127.0.0.1', deadPort) }),
    expected: ['error', 'upstream/none_answers error'],
  },
  {
    name: 'of whose origins one is down, and whose name is not proved',
    isSwept: true,
    make: (who) => {
      const { targets, ...upstreams } = upstreamsTo('127.0.0.1', deadPort);
      return deployed(who, {
        upstreams: { ...upstreams, targets: [...targets, ...upstreamsTo('127.0.0.1', port()).targets] },
      });
    },
    expected: [
      'error',
      'ownership/no_record error',
      'upstream/some_fail warning',
      'certificate/default_certificate warning',
    ],
  },
  {
    name: 'whose visitors get errors now and then',
    make: (who) => withErrors(who, 9),
    expected: ['warning', 'traffic/server_errors warning'],
  },
  {
    name: 'whose visitors get errors mostly',
    make: (who) => withErrors(who, 50),
    expected: ['error', 'traffic/server_errors error'],
  },
  {
    name: 'whose challenges are passed by none',
    make: withUnmet,
    expected: ['warning', 'traffic/challenges_unmet warning'],
  },
  {
    name: 'whose challenges are passed by none, with server errors',
    make: async (who) => {
      const route = await withErrors(who, 9);
      await sql(
        'INSERT INTO route_unmet_challenges (route_id, account_id, challenged) VALUES ($1, $2, 80)',
        route.id,
        who.accountId,
      );
      return route;
    },
    expected: ['warning', 'traffic/server_errors warning'],
  },
  {
    name: 'whose visitors are all refused',
    isSwept: true,
    make: (who) => demo(who, REFUSING),
    expected: ['error', 'access/blocks_everybody error'],
  },
  {
    name: 'whose visitors would be all refused once its name leads here',
    isSwept: true,
    make: (who) => deployed(who, REFUSING),
    expected: [
      'error',
      'ownership/no_record error',
      'access/blocks_everybody error',
      'certificate/default_certificate warning',
    ],
  },
  {
    name: 'whose nodes are all away',
    make: async (who) => {
      const route = await demo(who);
      clearInterval(beating);
      await sql(`UPDATE edge_nodes SET last_seen_at = now() - interval '1 minute'`);
      return route;
    },
    expected: ['error', 'nodes/none_live error'],
  },
];

describe('a domain is judged alike by list, page, dashboard and diagnosis', () => {
  it.each(KINDS)('$name', async ({ make, expected, isLooked = false, isSwept = false }) => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const { id } = await make(who);
    const diagnose = async () => (await who.client.checkDomain({ body: { route_id: id } })).result;
    if (isLooked) await diagnose();
    if (isSwept) await sweepOfApi();
    const page = async () => (await who.client.getRoute({ params: { id } })).result.health;
    await eventually(async () => wordsOf(await page()).join() === expected.join() || undefined).catch(() => undefined);
    expect(wordsOf(await page())).toEqual(expected);

    const { results } = await who.client.listRoutes();
    expect(wordsOf(results[0]?.health as Health)).toEqual(expected);
    const isUnwell = expected[0] === 'error' || expected[0] === 'warning';
    const filtered = await who.client.listRoutes({ query: { health: 'attention' } });
    expect([filtered.count, filtered.results.map((route) => route.id)]).toEqual(isUnwell ? [1, [id]] : [0, []]);
    expect((await who.client.listRoutes({ query: { health: 'off' } })).count).toBe(expected[0] === 'off' ? 1 : 0);
    expect((await who.client.exportRoutes()).split('\r\n')[1]?.split(',').at(-1)).toBe(expected[0]);

    const account = (await who.client.getAccountHealth()).result;
    expect(account.counts).toEqual({ error: 0, warning: 0, off: 0, ok: 0, [expected[0] as string]: 1 });
    expect(account.worst.map((one) => [one.route_id, wordsOf(one.health)])).toEqual(isUnwell ? [[id, expected]] : []);

    const diagnosis = await diagnose();
    expect(wordsOf(diagnosis.health)).toEqual(expected);
    const told = diagnosis.checks.find(({ check }) => check === 'certificate')?.finding;
    const isServed = diagnosis.checks.every(({ finding }) => finding !== 'never_deployed' && finding !== 'deactivated');
    expect([
      results[0]?.certificate_finding,
      (await who.client.getRoute({ params: { id } })).result.certificate_finding,
    ]).toEqual(isServed ? [told, told] : [null, null]);
    const unwell = diagnosis.checks.filter((line) => ['error', 'warning'].includes(line.state));
    const known = diagnosis.health.findings.map(({ check, finding }) => `${check}/${finding}`);
    const lines = unwell.map(({ check, finding }) => `${check}/${finding}`);
    // What only a measurement knows is not asked again here. Of a domain that is off most says nothing, and name servers
    // say once more what the name's own line does.
    expect(lines).toEqual(expect.arrayContaining(known.filter((one) => !one.startsWith('traffic/'))));
    const unknownToOff = expected[0] === 'off' ? [] : lines.filter((one) => !one.startsWith('propagation/'));
    expect(known).toEqual(expect.arrayContaining(unknownToOff));
    expect(wordsOf(await page())).toEqual(expected);
  });
});

const looksWith = (change: Partial<LookParts> = {}) => {
  const { env, db, resolver } = test.api.platform;
  return createLookService({
    db,
    log: createLog('silent'),
    resolver,
    proof: createOwnershipProof(Buffer.from('test'), resolver),
    subscriptions: createSubscriptionService(env, db),
    addressesByCzone: async () => ({}),
    publication: { announce: async () => undefined },
    traffic: { listErrors: async () => undefined, listUnmetChallenges: async () => undefined },
    checkAccess: async () => ({ state: 'ok', finding: 'lets_in' }),
    checkOrigins: async () => ({ state: 'ok', finding: 'all_answer' }),
    httpsPort: env.edgeHttpsPort,
    ...change,
  });
};
/** The job of the running API. */
const sweepOfApi = () => addJob(test.api.platform.db, 'look-at-domains', {});
const findingsOf = async (who: Customer, id: string) =>
  (await who.client.getRoute({ params: { id } })).result.health.findings.map(
    ({ check, finding }) => `${check}/${finding}`,
  );
/** How long the job holds a domain that it looks at, with room for clocks. */
const HELD_MS_MAX = 150_000;
const lookOf = async (id: string) =>
  (await sql('SELECT due_at, name_due_at, looked_at, findings, origins FROM route_looks WHERE route_id = $1', id))
    .rows[0] as
    | {
        due_at: string | null;
        name_due_at: string | null;
        looked_at: string | null;
        findings: { finding: string; since: string }[];
        origins: unknown[];
      }
    | undefined;
/** That a domain is due, is being looked at by the job that runs meanwhile, or was looked at since. */
async function expectPlanned(id: string, before: string | null | undefined): Promise<void> {
  const look = await lookOf(id);
  const isAhead = Date.parse(look?.due_at ?? '') < Date.now() + HELD_MS_MAX;
  expect(isAhead || look?.looked_at !== before, JSON.stringify(look)).toBe(true);
}
/** Due now, and before what others are due. */
const makeDue = (...ids: string[]) =>
  sql(
    `UPDATE route_looks SET due_at = now() - interval '1 day', name_due_at = NULL WHERE route_id = ANY($1::uuid[])`,
    ids,
  );
/** Of its origins alone. */
const makeOriginsDue = (id: string) =>
  sql(
    `UPDATE route_looks SET due_at = now() - interval '1 day', name_due_at = now() + interval '1 hour' WHERE route_id = $1`,
    id,
  );

describe('a name that is not proved', () => {
  it('is known to be so since it waits for its proof, whoever looks first', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    const { rows } = await sql(
      `UPDATE routes SET ownership_pending_since = now() - interval '10 minutes' WHERE id = $1
       RETURNING ownership_pending_since AS since`,
      route.id,
    );
    const { health } = (await who.client.checkDomain({ body: { route_id: route.id } })).result;
    expect(health.findings[0]).toMatchObject({ check: 'ownership', since: rows[0].since });
    expect((await who.client.getRoute({ params: { id: route.id } })).result.health.findings).toEqual(health.findings);
  });
});

describe('names and certificates of served domains', () => {
  it('are looked at again by themselves: what changed in DNS shows without a diagnosis, since when it was found', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asVerified(route.id);
    test.dns.setCname(route.domain_name, 'elsewhere.example.net');
    await makeDue(route.id);
    await looksWith().sweep();
    expect(await findingsOf(who, route.id)).toEqual([
      'ownership/proved_but_elsewhere',
      'certificate/default_certificate',
    ]);
    const first = await lookOf(route.id);
    expect(Date.parse(first?.name_due_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    await makeDue(route.id);
    await looksWith().sweep();
    const second = await lookOf(route.id);
    expect(second?.looked_at).not.toBe(first?.looked_at);
    expect(second?.findings[0]?.since).toBe(first?.findings[0]?.since);
    test.dns.setCname(route.domain_name, route.cname);
    await makeDue(route.id);
    await looksWith().sweep();
    expect(await findingsOf(who, route.id)).toEqual(['certificate/default_certificate']);
  });

  it('keep what was known while DNS does not answer', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asVerified(route.id);
    await makeDue(route.id);
    await looksWith().sweep();
    const lost = ['ownership/proved_but_no_record', 'certificate/default_certificate'];
    expect(await findingsOf(who, route.id)).toEqual(lost);
    await makeDue(route.id);
    const silent = { ...test.dns, cnames: () => Promise.reject(new Error('queryCname ETIMEOUT')) };
    await looksWith({ resolver: silent }).sweep();
    expect(await findingsOf(who, route.id)).toEqual(lost);
  });

  it('are due at once after a proof and after a deploy, and never of one that is off or of one that is gone', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asVerified(route.id);
    expect((await lookOf(route.id))?.due_at).toBeTruthy();
    await who.client.checkDomain({ body: { route_id: route.id } });
    expect(Date.parse((await lookOf(route.id))?.name_due_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
    const before = (await lookOf(route.id))?.looked_at;
    const { draft_revision } = (await who.client.getRoute({ params: { id: route.id } })).result;
    await who.client.updateRoute({
      params: { id: route.id },
      ifMatch: draft_revision,
      body: { upstreams: upstreamsTo('198.41.128.7'), deploy: true },
    });
    await expectPlanned(route.id, before);
    await who.client.deactivateRoute({ params: { id: route.id } });
    expect((await lookOf(route.id))?.due_at).toBeNull();
    await who.client.deleteRoute({ params: { id: route.id }, body: { cname: who.cname, confirm: route.domain_name } });
    await eventually(async () => (await lookOf(route.id)) === undefined);
  });

  it('are due at once after aliases were added or removed', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asVerified(route.id);
    const params = { id: route.id };
    const names = [`alias.${route.domain_name}`];
    for (const change of [who.client.addShadowDomains, who.client.removeShadowDomains]) {
      await who.client.checkDomain({ body: { route_id: route.id } });
      expect(Date.parse((await lookOf(route.id))?.name_due_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
      const before = (await lookOf(route.id))?.looked_at;
      await change({ params, body: { names } });
      await expectPlanned(route.id, before);
    }
  });

  it('say nothing of a version that is no longer live', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who, REFUSING);
    await who.client.checkDomain({ body: { route_id: route.id } });
    expect(await findingsOf(who, route.id)).toEqual(['access/blocks_everybody']);
    const { draft_revision } = (await who.client.getRoute({ params: { id: route.id } })).result;
    await who.client.updateRoute({
      params: { id: route.id },
      ifMatch: draft_revision,
      body: { plugins: [], deploy: true },
    });
    expect(await findingsOf(who, route.id)).toEqual([]);
  });

  it('take turns between accounts, so that the many of one keep no other waiting', async () => {
    await beat();
    const many = await createCustomer(test, { plan: 'vip' });
    const few = await createCustomer(test, { plan: 'vip' });
    const [one] = [await deployed(many), await deployed(few)];
    await sql(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, version_live,
         ownership_state, ownership_method)
       SELECT account_id, subscription_id, czone, n || '.' || domain_name, n || '.' || domain_name, n || '.' || cname, 'deactivated',
         draft, 1, 'verified', 'cname' FROM routes, generate_series(1, 150) n WHERE id = $1`,
      one.id,
    );
    const last = (await few.client.listRoutes()).results[0]?.id as string;
    // Undone in the end, so that the job of the running process sees none of it.
    const taken = await test.api.platform.db
      .transaction()
      .execute(async (trx) => {
        const run = (text: string, ...values: unknown[]) => trx.executeQuery(CompiledQuery.raw(text, values));
        await run(`UPDATE route_looks SET due_at = NULL`);
        await run(`UPDATE routes SET status = 'running' WHERE account_id = $1 AND id <> $2`, many.accountId, one.id);
        await run(`UPDATE routes SET ownership_state = 'verified', ownership_method = 'cname' WHERE id = $1`, last);
        const found = [await takeDue(trx, 10, 20, 120), await takeDue(trx, 100, 20, 120)];
        throw Object.assign(new Error('undone'), { found });
      })
      .catch((error: { found?: Taken[][] }) => error.found ?? []);
    expect(taken.map((ids) => ids.length)).toEqual([10, 20]);
    expect(taken[0]?.map(({ routeId }) => routeId)).toContain(last);
  });
});

describe('origins of served domains', () => {
  const down: LookParts['checkOrigins'] = async () => ({
    state: 'error',
    finding: 'none_answers',
    params: { good: 0, asked: 1, more: 0 },
    advice: 'check_origin',
  });
  const secondsUntilDue = async (id: string) =>
    Math.round((Date.parse((await lookOf(id))?.due_at ?? '') - Date.now()) / 1000);
  const sweepOrigins = async (id: string, change: Partial<LookParts> = {}) => {
    await makeOriginsDue(id);
    await looksWith(change).sweep();
  };
  /** What an open console of the customer hears. */
  async function openEvents(who: Customer) {
    const socket = new WebSocket(`${test.url.replace('http', 'ws')}/api/v1/ws/`, {
      headers: { origin: test.env.origin },
    });
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(JSON.stringify(websocketMessage.parse(JSON.parse(String(data))))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'auth', token: who.token, realm: test.env.realm }));
    await eventually(() => heard.length > 0 || undefined);
    return { of: (id: string) => heard.filter((text) => text.includes(id)), close: () => socket.terminate() };
  }
  const unasked = { cnames: () => Promise.reject(new Error('asked')) };

  it('are looked at without their names, and again soon while they are down: that they are back shows, to open consoles too', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const announced: string[] = [];
    const publication: LookParts['publication'] = {
      announce: async (_executor, changes) => void announced.push(...changes.map(({ routeId }) => routeId)),
    };
    const change = { publication, resolver: { ...test.dns, ...unasked } };
    await sweepOrigins(route.id, { ...change, checkOrigins: down });
    expect(await findingsOf(who, route.id)).toEqual(['upstream/none_answers']);
    expect(await secondsUntilDue(route.id)).toBeLessThanOrEqual(60);
    await sweepOrigins(route.id, { ...change, checkOrigins: down });
    expect(announced.filter((id) => id === route.id)).toHaveLength(1);
    await sweepOrigins(route.id, change);
    expect(await findingsOf(who, route.id)).toEqual([]);
    expect(await secondsUntilDue(route.id)).toBeGreaterThan(800);
    expect(announced.filter((id) => id === route.id)).toHaveLength(2);
  });

  it('are kept each as it was found, until a look at the same version finds them otherwise', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const item = {
      label: '198.41.128.7:80',
      kind: 'http',
      state: 'error',
      finding: 'unreachable',
      params: {},
    } as const;
    const kept = async () => (await lookOf(route.id))?.origins;
    const unknown: LookParts['checkOrigins'] = async () => ({ state: 'unknown', finding: 'not_asked', items: [] });
    await sweepOrigins(route.id, { checkOrigins: async (one) => ({ ...(await down(one)), items: [item] }) });
    expect(await kept()).toEqual([item]);
    await sweepOrigins(route.id, { checkOrigins: unknown });
    expect(await kept()).toEqual([item]);
    await makeDue(route.id);
    await looksWith({ checkOrigins: unknown }).sweep();
    expect(await kept()).toEqual([item]);
    await sql('UPDATE routes SET version_live = version_live + 1 WHERE id = $1', route.id);
    await sweepOrigins(route.id, { checkOrigins: unknown });
    expect(await kept()).toEqual([]);
  });

  it('are looked at less the longer they are down, and once an hour at least', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    for (const [hours, seconds] of [
      [2, 720],
      [100, 3_600],
    ] as const) {
      await sweepOrigins(route.id, { checkOrigins: down });
      await sql(
        `UPDATE route_looks SET findings = jsonb_set(findings, '{0,since}', to_jsonb($2::text)) WHERE route_id = $1`,
        route.id,
        new Date(Date.now() - hours * 3_600_000).toISOString(),
      );
      await sweepOrigins(route.id, { checkOrigins: down });
      expect(Math.abs((await secondsUntilDue(route.id)) - seconds)).toBeLessThan(20);
    }
  });

  it('are as a diagnosis found them until a look knows otherwise, and unknown again with the next version', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who, { upstreams: upstreamsTo('127.0.0.1', deadPort) });
    const unknown: LookParts['checkOrigins'] = async () => ({ state: 'unknown', finding: 'some_fail' });
    await who.client.checkDomain({ body: { route_id: route.id } });
    await makeDue(route.id);
    await looksWith({ checkOrigins: unknown }).sweep();
    expect(await findingsOf(who, route.id)).toEqual(['upstream/none_answers']);
    await sql('UPDATE routes SET version_live = version_live + 1 WHERE id = $1', route.id);
    expect(await findingsOf(who, route.id)).toEqual([]);
    await looksWith({ checkOrigins: unknown }).sweep();
    expect(await findingsOf(who, route.id)).toEqual([]);
  });

  it('are told to open consoles when a diagnosis finds them otherwise', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who, { upstreams: upstreamsTo('127.0.0.1', deadPort) });
    await sweepOrigins(route.id);
    const events = await openEvents(who);
    await who.client.checkDomain({ body: { route_id: route.id } });
    await eventually(() => events.of(route.id).length > 0 || undefined);
    const told = events.of(route.id).length;
    await who.client.checkDomain({ body: { route_id: route.id } });
    events.close();
    expect(events.of(route.id)).toHaveLength(told);
  });
});

describe('what refuses every visitor', () => {
  const all = ['access/blocks_everybody'];
  const refused: LookParts['checkAccess'] = async () => ({
    state: 'error',
    finding: 'blocks_everybody',
    params: { address: '' },
    advice: 'change_access',
  });
  const looks = () => looksWith({ checkAccess: refused });

  it('is told after a deploy without a diagnosis, holds over looks and ends with the version', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who, REFUSING);
    await asVerified(route.id);
    test.dns.setCname(route.domain_name, route.cname);
    const told = [...all, 'certificate/default_certificate'].sort();
    const isTold = async () => (await findingsOf(who, route.id)).sort().join() === told.join() || undefined;
    await sweepOfApi();
    await eventually(isTold);
    const first = await lookOf(route.id);
    await makeDue(route.id);
    await sweepOfApi();
    await eventually(async () => (await lookOf(route.id))?.looked_at !== first?.looked_at);
    expect(await isTold()).toBe(true);
    const { draft_revision } = (await who.client.getRoute({ params: { id: route.id } })).result;
    await who.client.updateRoute({
      params: { id: route.id },
      ifMatch: draft_revision,
      body: { plugins: [], deploy: true },
    });
    expect(await findingsOf(who, route.id)).toEqual(['certificate/default_certificate']);
  });

  it('is judged of demo domains once for each version, without a look at their names', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const silent = { ...test.dns, cnames: () => Promise.reject(new Error('asked')) };
    await makeDue(route.id);
    await looksWith({ checkAccess: refused, resolver: silent }).sweep();
    expect(await findingsOf(who, route.id)).toEqual(all);
    expect((await lookOf(route.id))?.looked_at).toBeNull();
    // To its owner it has been looked at: nothing else will be.
    const shown = (await who.client.getRoute({ params: { id: route.id } })).result.health.looked_at;
    expect(Date.now() - Date.parse(shown ?? '')).toBeLessThan(60_000);
    const { draft_revision } = (await who.client.getRoute({ params: { id: route.id } })).result;
    await who.client.updateRoute({ params: { id: route.id }, ifMatch: draft_revision, body: { deploy: true } });
    expect((await lookOf(route.id))?.due_at).toBeTruthy();
  });

  it('is what a diagnosis said of the same version, which knows the address of the customer', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const own = { check: 'access', state: 'warning', finding: 'lets_only_you_in', advice: 'change_access' };
    const findings = [{ ...own, params: { address: '198.41.128.7' }, since: new Date().toISOString() }];
    await looks().sweep();
    await sql(
      `UPDATE route_looks SET findings = $2, due_at = now() - interval '1 day', name_due_at = NULL WHERE route_id = $1`,
      route.id,
      JSON.stringify(findings),
    );
    await looks().sweep();
    expect(await findingsOf(who, route.id)).toEqual(['access/lets_only_you_in']);
    await sql('UPDATE route_looks SET version = 0 WHERE route_id = $1', route.id);
    await makeDue(route.id);
    await looks().sweep();
    expect(await findingsOf(who, route.id)).toEqual(all);
  });

  it('is not said while the protections are paused, and again when they are back, diagnosed meanwhile or not', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who, REFUSING);
    await sweepOfApi();
    await eventually(async () => (await findingsOf(who, route.id)).join() === all.join());
    await who.client.pauseRoute({ params: { id: route.id }, body: { minutes: null } });
    expect(await findingsOf(who, route.id)).toEqual(['service/paused']);
    await who.client.checkDomain({ body: { route_id: route.id } });
    expect(await findingsOf(who, route.id)).toEqual(['service/paused']);
    await who.client.endPause({ params: { id: route.id } });
    expect(await findingsOf(who, route.id)).toEqual(all);
  });

  it('is looked at again where a deploy came between', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const routes = [await demo(who), await deployed(who)];
    await asVerified(routes[1]?.id as string);
    for (const { id } of routes) {
      await makeDue(id);
      const deployedMeanwhile: LookParts['checkAccess'] = async (route) => {
        if (route.id === id) await sql('UPDATE routes SET version_live = version_live + 1 WHERE id = $1', id);
        return refused(route);
      };
      await looksWith({ checkAccess: deployedMeanwhile }).sweep(Date.now() + 1);
      expect(await findingsOf(who, id)).not.toContain(all[0]);
      expect(Date.parse((await lookOf(id))?.due_at ?? '')).toBeLessThan(Date.now() + 60_000);
    }
  });
});

describe('server errors', () => {
  const errorsOf = async (who: Customer) =>
    (await sql('SELECT requests, failed FROM route_errors WHERE account_id = $1', who.accountId)).rows;

  it('are measured for all accounts at once, end when they are over, and are announced once to an account', async () => {
    const who = await createCustomer(test, { plan: 'vip' });
    const other = await createCustomer(test, { plan: 'vip' });
    const [route, second] = [await createDomain(who), await createDomain(who)];
    const announced: string[] = [];
    const row = (id: string, account_id = who.accountId) => ({ route_id: id, account_id, requests: 100, failed: 20 });
    let measured: ReturnType<typeof row>[] | undefined = [
      row(route.id),
      row(second.id),
      row(route.id, other.accountId),
    ];
    const looks = looksWith({
      traffic: { listErrors: async () => measured, listUnmetChallenges: async () => undefined },
      publication: {
        announce: async (_executor, changes) =>
          void announced.push(
            ...changes.map(({ routeId }) => routeId).filter((id) => [route.id, second.id].includes(id)),
          ),
      },
    });
    measured = [row(route.id), row(second.id)];
    await looks.measureErrors();
    expect(await errorsOf(who)).toHaveLength(2);
    expect(announced).toHaveLength(1);
    await looks.measureErrors();
    expect(announced).toHaveLength(1);
    measured = [row(route.id, other.accountId)];
    await looks.measureErrors();
    // A row of another account's domain is none.
    expect([await errorsOf(who), await errorsOf(other)]).toEqual([[], []]);
    expect(announced).toHaveLength(2);
  });

  it('begin with a fair number of them and go on while some fail: two failed requests make no domain unwell and well by turns', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    let answers = { requests: 33, failed: 2 };
    const looks = looksWith({
      traffic: {
        listErrors: async (_minutes, { requestsMin, failedMin, shareMin }) =>
          [{ route_id: route.id, account_id: who.accountId, ...answers }].filter(
            ({ requests, failed }) => requests >= requestsMin && failed >= failedMin && failed >= requests * shareMin,
          ),
        listUnmetChallenges: async () => undefined,
      },
    });
    const judged = async (requests: number, failed: number) => {
      answers = { requests, failed };
      await looks.measureErrors();
      const measured = await findingsOf(who, route.id);
      const since = await looks.noteAnswers({ id: route.id, account_id: who.accountId }, answers);
      // A diagnosis comes to the same.
      expect(judgeTraffic(answers, since).finding === 'server_errors').toBe(measured.length > 0);
      expect(await findingsOf(who, route.id)).toEqual(measured);
      return measured;
    };
    expect(await judged(33, 2)).toEqual([]);
    expect(await judged(33, 5)).toEqual(['traffic/server_errors']);
    expect(await judged(33, 2)).toEqual(['traffic/server_errors']);
    expect(await judged(12, 2)).toEqual(['traffic/server_errors']);
    await sql(`UPDATE route_errors SET measured_at = now() - interval '121 seconds' WHERE route_id = $1`, route.id);
    expect(await judged(33, 2)).toEqual([]);
    expect(await judged(400, 20)).toEqual(['traffic/server_errors']);
    expect(await judged(400, 7)).toEqual([]);
    expect(await judged(400, 19)).toEqual([]);
  });

  it('are forgotten two minutes after they were measured last, and nothing fails meanwhile', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    await sql(
      'INSERT INTO route_errors (route_id, account_id, requests, failed) VALUES ($1, $2, 100, 50)',
      route.id,
      who.accountId,
    );
    await looksWith().measureErrors();
    expect(await findingsOf(who, route.id)).toEqual(['traffic/server_errors']);
    await sql(`UPDATE route_errors SET measured_at = now() - interval '121 seconds' WHERE route_id = $1`, route.id);
    expect(await findingsOf(who, route.id)).toEqual([]);
  });
});

describe('challenges that are passed by none', () => {
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  const endedMinutesAgo = (scope: string, minutes: number) =>
    sql('UPDATE feed_entries SET ends_at = now() - make_interval(mins => $1) WHERE scope = $2', minutes, scope);

  it('are measured for all accounts at once, lead to the protection, and end when one is passed', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const other = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const row = {
      route_id: route.id,
      account_id: who.accountId,
      challenged: 80,
      passed: 0,
      challenged_at: secondsAgo(30),
      passed_before: 0,
    };
    let measured = [row, { ...row, account_id: other.accountId }];
    const looks = looksWith({
      traffic: { listErrors: async () => undefined, listUnmetChallenges: async () => measured },
    });
    const health = async () => (await who.client.getRoute({ params: { id: route.id } })).result.health;
    measured = [row];
    await looks.measureErrors();
    expect((await health()).findings).toMatchObject([
      {
        check: 'traffic',
        finding: 'challenges_unmet',
        advice: 'check_challenge',
        params: { challenged: 80, minutes: 15 },
      },
    ]);
    // No visitor is challenged while protections are paused.
    await who.client.pauseRoute({ params: { id: route.id }, body: { minutes: null } });
    expect((await findingsOf(who, route.id)).filter((one) => one.startsWith('traffic'))).toEqual([]);
    await who.client.endPause({ params: { id: route.id } });
    expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
    // A row of another account's domain is none.
    measured = [{ ...row, account_id: other.accountId }];
    await looks.measureErrors();
    expect(await findingsOf(who, route.id)).toEqual([]);
  });

  it.each(['account', 'domain'] as const)(
    'are over with the Under Attack mode of the %s that showed them',
    async (scope) => {
      await beat();
      const who = await createCustomer(test, { plan: 'vip' });
      const route = await demo(who);
      const routeId = scope === 'account' ? null : route.id;
      const shown = { route_id: route.id, account_id: who.accountId, challenged: 80, passed: 0, passed_before: 20 };
      let challenged_at = secondsAgo(30);
      const looks = looksWith({
        traffic: { listErrors: async () => undefined, listUnmetChallenges: async () => [{ ...shown, challenged_at }] },
      });
      await who.client.startAttackMode({ body: { route_id: routeId, seconds: 3600 } });
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
      const attention = async () => (await who.client.getAccountHealth()).result.counts.warning;
      expect(await attention()).toBe(1);
      await who.client.endAttackMode({ body: { route_id: routeId } });
      expect(await findingsOf(who, route.id)).toEqual([]);
      expect(await attention()).toBe(0);
      // What is still in the window was shown before the end.
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual([]);
      expect(
        await looks.noteChallenges({ id: route.id, account_id: who.accountId }, { ...shown, challenged_at }),
      ).toBeUndefined();
      // Another protection goes on: what the mode has shown is among what is counted.
      challenged_at = secondsAgo(-60);
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual([]);
      await endedMinutesAgo(routeId ?? who.accountId, 16);
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
    },
  );

  it.each(['account', 'domain'] as const)(
    'are what is wanted while the Under Attack mode of the %s is on, unless visitors passed before',
    async (scope) => {
      await beat();
      const who = await createCustomer(test, { plan: 'vip' });
      const route = await demo(who);
      const routeId = scope === 'account' ? null : route.id;
      const row = { route_id: route.id, account_id: who.accountId, challenged: 800, passed: 0 };
      const shown = { ...row, challenged_at: secondsAgo(30), passed_before: 20 };
      const looks = looksWith({
        traffic: { listErrors: async () => undefined, listUnmetChallenges: async () => [shown] },
      });
      const note = () => looks.noteChallenges({ id: route.id, account_id: who.accountId }, shown);
      await who.client.startAttackMode({ body: { route_id: routeId, seconds: 3600 } });
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
      expect(await note()).toBeDefined();
      shown.passed_before = 19;
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual([]);
      expect((await who.client.getAccountHealth()).result.counts.warning).toBe(0);
      expect(await note()).toBeUndefined();
      // Of a challenge that stands for good, it is not known whom it keeps out.
      await who.client.endAttackMode({ body: { route_id: routeId } });
      await endedMinutesAgo(routeId ?? who.accountId, 16);
      shown.challenged_at = secondsAgo(-60);
      await looks.measureErrors();
      expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
      expect(await note()).toBeDefined();
    },
  );

  it('are over once none was shown for a few minutes', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await demo(who);
    const row = { route_id: route.id, account_id: who.accountId, challenged: 80, passed: 0, passed_before: 0 };
    let challenged_at = secondsAgo(120);
    const looks = looksWith({
      traffic: { listErrors: async () => undefined, listUnmetChallenges: async () => [{ ...row, challenged_at }] },
    });
    await looks.measureErrors();
    expect(await findingsOf(who, route.id)).toEqual(['traffic/challenges_unmet']);
    challenged_at = secondsAgo(200);
    await looks.measureErrors();
    expect(await findingsOf(who, route.id)).toEqual([]);
  });
});

describe('the health of an account', () => {
  it('counts thousands by what their rows say, names the worst first and is found in milliseconds', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    test.dns.setCname(route.domain_name, route.cname);
    await asVerified(route.id);
    await sql(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, version_live,
         ownership_state, ownership_method)
       SELECT account_id, subscription_id, czone, n || '.' || domain_name, n || '.' || domain_name, n || '.' || cname,
         CASE WHEN n % 5 = 0 THEN 'deactivated' ELSE 'running' END, draft, 1, CASE WHEN n <= 3 THEN 'pending' ELSE 'verified' END,
         CASE WHEN n <= 3 THEN NULL WHEN n <= 1000 THEN 'cname' ELSE 'demo' END
       FROM routes, generate_series(1, 3000) n WHERE id = $1`,
      route.id,
    );
    const startedAt = performance.now();
    const { counts, worst } = (await who.client.getAccountHealth()).result;
    expect((performance.now() - startedAt) / slowdown()).toBeLessThan(500);
    expect(counts).toEqual({ error: 3, warning: 798, off: 600, ok: 1600 });
    expect(worst).toHaveLength(20);
    expect(worst.map(({ health }) => health.state)).toEqual(['error', 'error', 'error', ...Array(17).fill('warning')]);
    expect((await who.client.listRoutes({ query: { health: 'attention', perpage: 100 } })).count).toBe(801);
    const ok = (await who.client.listRoutes({ query: { health: 'attention', status: 'deactivated' } })).count;
    expect(ok).toBe(0);
    const off = await who.client.listRoutes({ query: { health: 'off', perpage: 100 } });
    expect([off.count, new Set(off.results.map(({ health }) => health.state))]).toEqual([600, new Set(['off'])]);
    const selection = { filter: { health: 'attention' as const, status: 'running' as const } };
    const batch = (await who.client.bulkRoutes({ body: { action: 'deactivate', cname: who.cname, selection } })).result;
    expect(batch.total).toBe(801);
  });

  it('of thousands in an outage is counted whole, and all of them are listed and chosen, the worst named first', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asDemo(route.id);
    await sql(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, version_live,
         ownership_state, ownership_method)
       SELECT account_id, subscription_id, czone, n || '.' || domain_name, n || '.' || domain_name, n || '.' || cname, 'running',
         draft, 1, 'verified', 'demo' FROM routes, generate_series(1, 6300) n WHERE id = $1`,
      route.id,
    );
    // The last ones fail mostly, one for longest; of the first ones too few requests fail.
    await sql(
      `INSERT INTO route_errors (route_id, account_id, requests, failed, since)
       SELECT id, account_id, 100, CASE WHEN n <= 500 THEN 1 WHEN n <= 4500 THEN 5 ELSE 50 END,
         now() - CASE n WHEN 6150 THEN interval '2 hours' WHEN 7 THEN interval '1 day' ELSE interval '1 hour' END
       FROM (SELECT *, split_part(domain_name, '.', 1)::int AS n FROM routes WHERE account_id = $1 AND id <> $2) r WHERE n <= 6150`,
      who.accountId,
      route.id,
    );
    const { counts, worst } = (await who.client.getAccountHealth()).result;
    expect(counts).toEqual({ error: 1_650, warning: 4_000, off: 0, ok: 651 });
    expect(worst.map(({ health }) => health.state)).toEqual(Array(20).fill('error'));
    expect(worst[0]?.domain_name).toBe(`6150.${route.domain_name}`);
    const times: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      const startedAt = performance.now();
      const { count } = await who.client.listRoutes({ query: { health: 'attention', perpage: 100 } });
      times.push(performance.now() - startedAt);
      expect(count).toBe(5_650);
    }
    expect((times.sort((a, b) => a - b)[3] ?? 0) / slowdown()).toBeLessThan(600);
    const selection = { filter: { health: 'attention' as const } };
    const preview = (await who.client.previewBulk({ body: { action: 'deactivate', selection } })).result;
    expect(preview.included).toBe(5_650);
  });

  it('orders a list: errors, warnings, all others, each by name, on every page and in a search', async () => {
    await beat();
    const who = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(who);
    await asDemo(route.id);
    await sql(
      `INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft, version_live,
         ownership_state, ownership_method)
       SELECT account_id, subscription_id, czone, n || '.' || domain_name, n || '.' || domain_name, n || '.' || cname,
         CASE WHEN n % 7 = 0 THEN 'deactivated' ELSE 'running' END, draft, 1, 'verified', 'demo'
       FROM routes, generate_series(100, 159) n WHERE id = $1`,
      route.id,
    );
    await sql(
      `INSERT INTO route_errors (route_id, account_id, requests, failed)
       SELECT id, account_id, 100, CASE WHEN n % 2 = 0 THEN 60 ELSE 6 END
       FROM (SELECT *, split_part(domain_name, '.', 1)::int AS n FROM routes WHERE account_id = $1 AND id <> $2) r
       WHERE n BETWEEN 140 AND 145`,
      who.accountId,
      route.id,
    );
    const listed = async (query: NonNullable<Parameters<typeof who.client.listRoutes>[0]>['query']) => {
      const pages = [1, 2, 3, 4, 5, 6, 7].map((page) => who.client.listRoutes({ query: { ...query, page } }));
      const found = await Promise.all(pages);
      expect(new Set(found.map(({ count }) => count)).size).toBe(1);
      return found.flatMap(({ results }) => results.map((one) => one.domain_name));
    };
    const name = (n: number) => `${n}.${route.domain_name}`;
    const first = [142, 144, 141, 143, 145].map(name);
    const others = (await listed({})).filter((one) => !first.includes(one));
    expect(others).toHaveLength(56);
    expect(await listed({ sort: 'health' })).toEqual([...first, ...others]);
    expect(await listed({ health: 'attention' })).toEqual(first);
    expect(await listed({ health: 'attention', sort: 'domain_name' })).toEqual(first.toSorted());
    // An error or a warning among what is well; no text that chance could put into a CNAME.
    for (const digit of [4, 3]) {
      const q = `${digit}.${route.domain_name}`;
      const isFound = (one: string) => one.includes(q);
      expect(first.filter(isFound)).toEqual([name(140 + digit)]);
      expect(await listed({ sort: 'health', q })).toEqual([...first, ...others].filter(isFound));
    }
    // By a subscription's CNAME, which is none of the texts, in a filter too.
    expect(await listed({ sort: 'health', q: who.cname })).toEqual([...first, ...others]);
    const running = await listed({ status: 'running' });
    const unwellFirst = [...first, ...running.filter((one) => !first.includes(one))];
    expect(await listed({ sort: 'health', q: who.cname, status: 'running' })).toEqual(unwellFirst);
    expect(await listed({ sort: 'health', q: route.domain_name, status: 'running' })).toEqual(unwellFirst);
    expect(await listed({ sort: 'health', domain_name: route.domain_name })).toEqual([route.domain_name]);
    const other = await createCustomer(test, { plan: 'vip' });
    expect((await other.client.listRoutes({ query: { sort: 'health' } })).count).toBe(0);
    expect((await other.client.listRoutes({ query: { sort: 'health', q: route.domain_name } })).count).toBe(0);
  });

  it('is of this account alone', async () => {
    const other = await createCustomer(test, { plan: 'vip' });
    expect((await other.client.getAccountHealth()).result).toEqual({
      counts: { error: 0, warning: 0, off: 0, ok: 0 },
      worst: [],
    });
  });
});
