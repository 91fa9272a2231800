import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workersOf } from './agent/processes.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
let first: ReturnType<typeof testRoute>;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  first = testRoute({ hosts: ['first.test'], upstream: testUpstream([testTarget(origin.port)]) });
  edge = await startEdge({ routes: [first] });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const BLOCK_BAD = {
  name: 'bad',
  action: 'block',
  enabled: true,
  when: { match: 'all', not: false, conditions: [{ field: 'path', test: 'is', values: ['/bad'] }] },
};
const journal = () => readFileSync(join(edge.dir, 'state/journal.ndjson'), 'utf8');
const statusOf = async (host: string) => (await edge.request(host)).status;
const comesTrue = async (condition: () => Promise<boolean>, what: string, milliseconds = 10_000) => {
  const deadline = Date.now() + milliseconds;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('a change', () => {
  it('is live with its receipt, and so are removals', async () => {
    const route = testRoute({ hosts: ['second.test'], version: 3, upstream: testUpstream([testTarget(origin.port)]) });
    await edge.deploy(route);
    const receipt = edge.control.receipts.find(({ route_id }) => route_id === route.id);
    expect(receipt).toMatchObject({ version: 3, probe: { ok: true, status: 200, version: 3 } });
    expect(await statusOf('second.test')).toBe(200);
    await edge.deploy({ ...route, version: 4, hosts: [{ name: 'third.test', verified: true }] });
    expect(await statusOf('second.test')).toBe(421);
    expect(await statusOf('third.test')).toBe(200);
    await edge.remove(route.id);
    expect(await statusOf('third.test')).toBe(421);
  });

  it.each([
    ['of a shape that its plugin does not read', 'geoip', {}, /^geoip: /],
    [
      'with a pattern that is none',
      'challenge',
      { mode: 'js', path: '(((', pass_time: '1h' },
      'challenge: no pattern: (((',
    ],
    [
      'with a plugin that the node does not know',
      'shield-of-tomorrow',
      {},
      'shield-of-tomorrow: a plugin that this node does not know',
    ],
  ])(
    'that cannot be loaded, %s, is refused with the reason, and the last good one serves on',
    async (_, name, config, reason) => {
      const upstream = testUpstream([testTarget(origin.port)]);
      const guard = { name: 'blackrules', config: { black_rules: [BLOCK_BAD] } };
      const good = testRoute({ hosts: [`${name}.test`], version: 3, upstream, plugins: [guard] });
      const status = async () => [
        await statusOf(`${name}.test`),
        (await edge.request(`${name}.test`, { path: '/bad' })).status,
      ];
      await edge.deploy(good);
      expect(await status()).toEqual([200, 403]);
      const bad = { ...good, version: 4, plugins: [{ name, config }] };
      await edge.deploy(bad);
      const receipt = edge.control.receipts.findLast(({ route_id }) => route_id === good.id);
      expect(receipt).toMatchObject({ version: 3, probe: null });
      expect(receipt?.refusal).toMatch(reason);
      expect(await status()).toEqual([200, 403]);
      // Also of an nginx that knows nothing, and of an agent that knows only what is on disk.
      await edge.stopAgent();
      edge.startAgent();
      await edge.ready();
      expect(await status()).toEqual([200, 403]);
      await edge.deploy({ ...good, version: 5, plugins: [] });
      expect(await status()).toEqual([200, 200]);
    },
  );

  it.each<[string, (good: EdgeRoute) => unknown, RegExp]>([
    ['names that are a text', (good) => ({ ...good, hosts: 'malformed.test' }), /^route\.hosts: .*array/],
    [
      'a name that is a number',
      (good) => ({ ...good, hosts: [{ name: 7, verified: true }] }),
      /^route\.hosts\.0\.name: /,
    ],
    ['no names', (good) => ({ ...good, hosts: [] }), /^route\.hosts: /],
    [
      'targets that are none',
      (good) => ({ ...good, upstream: { ...good.upstream, targets: {} } }),
      /^route\.upstream\.targets: /,
    ],
    ['plugins without a name', (good) => ({ ...good, plugins: [{ config: {} }] }), /^route\.plugins\.0\.name: /],
    ['the id of another route', (good) => ({ ...good, id: first.id }), /^route\.id: /],
    ['no route at all', () => undefined, /^route: /],
  ])(
    'that is malformed, with %s, is refused with the reason, and the last good one serves on',
    async (_, spoil, reason) => {
      const upstream = testUpstream([testTarget(origin.port)]);
      const good = testRoute({ hosts: ['malformed.test'], version: 3, upstream });
      const neighbour = testRoute({ hosts: ['neighbour.test'], upstream });
      await edge.deploy(good);
      const before = edge.control.receipts.length;
      edge.control.push(good.id, spoil({ ...good, version: 4 }) as EdgeRoute);
      await edge.deploy(neighbour);
      const found = () => edge.control.receipts.slice(before).find(({ route_id }) => route_id === good.id);
      await edge.control.until(() => found() !== undefined, 'the receipt of a malformed route');
      expect(found()).toMatchObject({ version: 3, probe: null });
      expect(found()?.refusal).toMatch(reason);
      expect(edge.stderr).toContain('the node does not take a route');
      // Also where it comes with a snapshot, and for an agent that knows only what is on disk.
      const { snapshots } = edge.control;
      edge.control.forgetHistory();
      await edge.control.until(() => edge.control.snapshots > snapshots && edge.control.streams > 0, 'the snapshot');
      expect([await statusOf('malformed.test'), await statusOf('neighbour.test')]).toEqual([200, 200]);
      await edge.killAgent();
      edge.startAgent();
      await edge.ready();
      expect([await statusOf('malformed.test'), await statusOf('neighbour.test')]).toEqual([200, 200]);
      edge.control.push(good.id, { ...good, version: 5, hosts: [{ name: 'mended.test', verified: true }] });
      await comesTrue(async () => (await statusOf('mended.test')) === 200, 'the mended route');
      expect(await statusOf('malformed.test')).toBe(421);
      await edge.remove(good.id);
      await edge.remove(neighbour.id);
    },
  );

  it('that nginx has not judged when the agent is killed is no last good one, and its receipt names the one that is served', async () => {
    const good = testRoute({
      hosts: ['unjudged.test'],
      version: 3,
      upstream: testUpstream([testTarget(origin.port)]),
    });
    await edge.deploy(good);
    const workers = workersOf(edge.nginxPid);
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    edge.control.push(good.id, { ...good, version: 4, plugins: [{ name: 'geoip', config: {} }] });
    await comesTrue(async () => journal().includes('"geoip"'), 'the change on disk');
    await edge.killAgent();
    for (const pid of workers) process.kill(pid, 'SIGCONT');
    const before = edge.control.receipts.length;
    edge.startAgent();
    const receipt = () => edge.control.receipts.slice(before).find(({ route_id }) => route_id === good.id);
    await edge.control.until(() => receipt() !== undefined, 'the receipt');
    expect(receipt()).toMatchObject({ version: 3, refusal: expect.stringMatching(/^geoip: /) });
    await edge.stopAgent();
    edge.startAgent();
    await edge.ready();
    expect(await statusOf('unjudged.test')).toBe(200);
  });

  it('that is malformed leaves the good one before it, of the same event, in place', async () => {
    const good = testRoute({ hosts: ['event.test'], upstream: testUpstream([testTarget(origin.port)]) });
    await edge.deploy(good);
    const newer = { ...good, version: 2, hosts: [{ name: 'newer-event.test', verified: true }] };
    const malformed = { ...newer, version: 3, hosts: 'event.test' } as unknown as EdgeRoute;
    const revision = edge.control.pushTogether(good.id, [newer, malformed]);
    const receipt = () => edge.control.receipts.find((one) => one.route_id === good.id && one.revision === revision);
    await edge.control.until(() => receipt() !== undefined, 'the receipt');
    expect(receipt()).toMatchObject({ version: 2, refusal: expect.stringMatching(/^route\.hosts: /) });
    await comesTrue(async () => (await statusOf('newer-event.test')) === 200, 'the good one');
    await edge.remove(good.id);
  });

  it('that cannot be loaded and has none before it leaves the name unserved, and is asked for again by the next agent', async () => {
    const bad = testRoute({ hosts: ['never.test'], plugins: [{ name: 'geoip', config: {} }] });
    await edge.deploy(bad);
    expect(edge.control.receipts.findLast(({ route_id }) => route_id === bad.id)).toMatchObject({ version: null });
    expect(await statusOf('never.test')).toBe(421);
    const { snapshots } = edge.control;
    await edge.killAgent();
    edge.startAgent();
    await edge.control.until(() => edge.control.snapshots > snapshots, 'a snapshot');
    await edge.remove(bad.id);
  });

  it('that takes a name over leaves it to the new route when the old one goes', async () => {
    const upstream = testUpstream([testTarget(origin.port)]);
    const older = testRoute({ hosts: ['moved.test'], upstream });
    const newer = testRoute({ hosts: ['moved.test'], upstream });
    await edge.deploy(older);
    await edge.deploy(newer);
    await edge.remove(older.id);
    expect(await statusOf('moved.test')).toBe(200);
  });

  it('of the settings is live', async () => {
    const { settings, snapshots: before } = edge.control;
    edge.control.setSettings({ ...settings, cdn_loop_id: 'renamed' });
    await comesTrue(async () => {
      await edge.request('first.test');
      return origin.requests.at(-1)?.headers['cdn-loop'] === 'renamed';
    }, 'the new identifier');
    expect(edge.control.snapshots).toBe(before);
    edge.control.setSettings(settings);
  });
});

describe('the edge serves on', () => {
  it('while the control plane is down, also after a restart of agent and nginx', async () => {
    await edge.control.stop();
    expect(await statusOf('first.test')).toBe(200);
    await edge.stopAgent();
    await expect(edge.request('first.test')).rejects.toThrow();
    edge.startAgent();
    await edge.ready();
    expect(await statusOf('first.test')).toBe(200);
    await edge.control.start();
    await edge.deploy(testRoute({ hosts: ['after.test'], upstream: testUpstream([testTarget(origin.port)]) }));
    expect(await statusOf('after.test')).toBe(200);
  });

  it('while its agent is killed, and the next agent takes nginx over', async () => {
    const pid = edge.nginxPid;
    await edge.killAgent();
    expect(await statusOf('first.test')).toBe(200);
    const missed = testRoute({ hosts: ['missed.test'], upstream: testUpstream([testTarget(origin.port)]) });
    edge.control.push(missed.id, missed);
    edge.startAgent();
    await edge.ready();
    expect(edge.nginxPid).toBe(pid);
    await comesTrue(async () => (await statusOf('missed.test')) === 200, 'the change that the killed agent missed');
  });

  it('while its agent is killed before it could tell what is live, which the next agent does', async () => {
    const upstream = testUpstream([testTarget(origin.port)]);
    const gone = testRoute({ hosts: ['gone.test'], upstream });
    await edge.deploy(gone);
    edge.control.refusesReceipts = true;
    const untold = testRoute({ hosts: ['untold.test'], upstream });
    edge.control.push(untold.id, untold);
    edge.control.push(gone.id, null);
    await comesTrue(
      async () => (await statusOf('untold.test')) === 200 && (await statusOf('gone.test')) === 421,
      'changes that are told nobody',
    );
    await edge.killAgent();
    edge.control.refusesReceipts = false;
    // What comes again by itself is the last change alone.
    const last = testRoute({ hosts: ['last.test'], upstream });
    edge.startAgent();
    await edge.deploy(last);
    const isTold = (id: string, version: number | null) =>
      edge.control.receipts.some((receipt) => receipt.route_id === id && receipt.version === version);
    await edge.control.until(() => isTold(untold.id, untold.version) && isTold(gone.id, null), 'both receipts');
    expect(edge.control.receipts.findLast(({ route_id }) => route_id === untold.id)?.probe?.ok).toBe(true);
  });

  it('while its agent is killed before it could tell what came with a snapshot, which the next agent does', async () => {
    const upstream = testUpstream([testTarget(origin.port)]);
    const [changed, suspended, gone] = ['changed.test', 'suspended.test', 'gone.test'].map((host) =>
      testRoute({ hosts: [host], upstream }),
    ) as [EdgeRoute, EdgeRoute, EdgeRoute];
    for (const route of [changed, suspended, gone]) await edge.deploy(route);
    const entered = testRoute({ hosts: ['entered.test'], upstream });
    edge.control.refusesReceipts = true;
    await edge.control.stop();
    edge.control.push(changed.id, { ...changed, version: changed.version + 1 });
    edge.control.push(suspended.id, { ...suspended, off: 'suspended', upstream: null });
    edge.control.push(gone.id, null);
    edge.control.push(entered.id, entered);
    edge.control.forgetHistory();
    await edge.control.start();
    await comesTrue(
      async () => (await statusOf('entered.test')) === 200 && (await statusOf('gone.test')) === 421,
      'the snapshot, which is told nobody',
    );
    await edge.killAgent();
    const before = edge.control.receipts.length;
    edge.control.refusesReceipts = false;
    edge.startAgent();
    const told = () =>
      new Map(edge.control.receipts.slice(before).map(({ route_id, version }) => [route_id, version] as const));
    const expected = [
      [changed.id, changed.version + 1],
      [suspended.id, null],
      [gone.id, null],
      [entered.id, entered.version],
    ] as const;
    await edge.control.until(() => expected.every(([id, version]) => told().get(id) === version), 'all receipts');
    expect(edge.control.receipts.findLast(({ route_id }) => route_id === changed.id)?.probe?.ok).toBe(true);
  });

  it('after nginx was killed, with everything it knew', async () => {
    const pid = edge.nginxPid;
    process.kill(pid, 'SIGKILL');
    await comesTrue(async () => edge.nginxPid !== pid && (await statusOf('first.test')) === 200, 'a new nginx');
    expect(await statusOf('missed.test')).toBe(200);
  });

  it('after nginx was killed while a change came, which is proved by nginx and by no origin', async () => {
    for (const afterMs of [0, 50, 100, 200]) {
      const name = `killed-${afterMs}.test`;
      const route = testRoute({ hosts: [name], upstream: testUpstream([testTarget(origin.port)]) });
      const master = edge.nginxPid;
      process.kill(master, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await edge.deploy(route);
      const receipts = edge.control.receipts.filter(({ route_id }) => route_id === route.id);
      expect(receipts.map(({ probe }) => probe?.ok)).toEqual([true]);
      await comesTrue(async () => edge.nginxPid !== master, 'another nginx');
      await edge.ready();
      expect(await statusOf(name)).toBe(200);
    }
    expect(origin.requests.filter(({ url }) => url?.includes('cordon/probe'))).toEqual([]);
  });

  it('with a journal that a crash has cut off', async () => {
    await edge.killAgent();
    appendFileSync(join(edge.dir, 'state/journal.ndjson'), '{"cursor":"99999","changes":[{"route_id');
    await edge.control.stop();
    edge.startAgent();
    await edge.ready();
    expect(await statusOf('first.test')).toBe(200);
    await edge.control.start();
    await edge.deploy(testRoute({ hosts: ['cut.test'], upstream: testUpstream([testTarget(origin.port)]) }));
  });

  it('and no more than the control plane says, when its own memory is damaged and nginx is taken over', async () => {
    const gone = testRoute({ hosts: ['gone.test'], upstream: testUpstream([testTarget(origin.port)]) });
    await edge.deploy(gone);
    const pid = edge.nginxPid;
    await edge.killAgent();
    edge.control.push(gone.id, null);
    // The stream begins with the last change of the snapshot, which must be another one.
    edge.control.push(first.id, first);
    writeFileSync(join(edge.dir, 'state/snapshot.ndjson'), '{"epoch"');
    expect(await statusOf('gone.test')).toBe(200);
    edge.startAgent();
    await edge.ready();
    expect(edge.nginxPid).toBe(pid);
    await comesTrue(async () => (await statusOf('gone.test')) === 421, 'that the lost route is gone');
    expect(await statusOf('first.test')).toBe(200);
  });

  it('after the control plane lost its history, with its new one', async () => {
    const before = edge.control.snapshots;
    edge.control.push(first.id, null);
    await comesTrue(async () => (await statusOf('first.test')) === 421, 'the removal');
    edge.control.push(first.id, { ...first, version: 20 });
    edge.control.forgetHistory();
    await edge.control.until(() => edge.control.snapshots > before, 'a new snapshot');
    await comesTrue(async () => (await statusOf('first.test')) === 200, 'the route of the snapshot');
    edge.control.push(first.id, { ...first, version: 21 });
    await edge.control.until(
      () => edge.control.receipts.some(({ version, probe }) => version === 21 && probe?.ok === true),
      'the receipt of the new history',
    );
    expect(edge.control.snapshots).toBe(before + 1);
  });

  it('what a restored backup of the control plane says, and nothing that it does not know', async () => {
    const later = testRoute({ hosts: ['later.test'], upstream: testUpstream([testTarget(origin.port)]) });
    await edge.deploy(later);
    edge.control.restoreBackup([later.id]);
    await comesTrue(async () => (await statusOf('later.test')) === 421, 'that the lost route is gone');
    expect(await statusOf('first.test')).toBe(200);
    edge.control.push(first.id, { ...first, version: 31 });
    await edge.control.until(
      () => edge.control.receipts.some(({ version, probe }) => version === 31 && probe?.ok === true),
      'the receipt of a change after the backup',
    );
  });

  it('what a snapshot says that it was asked to take, also when the first attempts fail and it is started again', async () => {
    const lost = testRoute({ hosts: ['lost.test'], upstream: testUpstream([testTarget(origin.port)]) });
    await edge.deploy(lost);
    edge.control.refusesSnapshots = true;
    const { refusedSnapshots: before } = edge.control;
    try {
      edge.control.restoreBackup([lost.id]);
      // The second attempt comes after the connection was made anew.
      await edge.control.until(() => edge.control.refusedSnapshots >= before + 2, 'a second request for a snapshot');
      await edge.killAgent();
      edge.startAgent();
      const { refusedSnapshots: atRestart } = edge.control;
      // A process and its nginx take longer to start on a busy machine than an agent that runs takes to ask.
      await edge.ready();
      await edge.control.until(() => edge.control.refusedSnapshots > atRestart, 'one of the new agent');
      expect(await statusOf('lost.test')).toBe(200);
    } finally {
      edge.control.refusesSnapshots = false;
    }
    await comesTrue(async () => (await statusOf('lost.test')) === 421, 'that the lost route is gone');
  });
});

it('an agent does not start on the folder of another', async () => {
  const pid = edge.agentPid;
  const env = {
    ...process.env,
    CORDON_CONTROL_URL: edge.control.url,
    CORDON_NODE_CREDENTIAL: 'x',
    CORDON_EDGE_DIR: edge.dir,
  };
  expect(() =>
    execFileSync(process.execPath, ['--import', 'tsx', 'apps/edge/src/agent/main.ts'], { env, stdio: 'pipe' }),
  ).toThrow(`process ${pid}`);
});

it('routes that do not fit into memory are reported and push out no other, nor the version that they are to follow', async () => {
  const full = await startEdge({ routes: [first], environment: { CORDON_EDGE_ROUTES_MB: '1' } });
  const targetsOf = (length: number, labels: number) =>
    Array.from({ length }, () => testTarget(origin.port, { host: `${'long-name.'.repeat(labels)}invalid` }));
  const targets = targetsOf(50, 5);
  const big = Array.from({ length: 250 }, (_, at) =>
    testRoute({ hosts: [`big-${at}.test`], upstream: testUpstream(targets) }),
  );
  try {
    for (const route of big) full.control.push(route.id, route);
    await comesTrue(async () => {
      const text = await (await fetch(`http://127.0.0.1:${full.agentPort}/metrics`)).text();
      return Number(/^cordon_edge_routes_failed (\d+)/m.exec(text)?.[1]) > 0;
    }, 'failed routes in the metrics');
    expect((await full.request('first.test')).status).toBe(200);
    await full.deploy({
      ...first,
      version: 2,
      upstream: testUpstream([testTarget(origin.port), ...targetsOf(49, 20)]),
    });
    const receipt = full.control.receipts.findLast(({ route_id }) => route_id === first.id);
    expect(receipt).toMatchObject({ version: first.version, probe: null });
    expect(receipt?.refusal).toMatch(/memory/);
    // New workers know of nothing but the memory.
    for (const pid of workersOf(full.nginxPid)) process.kill(pid, 'SIGKILL');
    await comesTrue(async () => (await full.request('first.test')).status === 200, 'the version before');
  } finally {
    await full.stop();
  }
});

it('secrets of the node and the way to steer nginx are for root alone', () => {
  const { runDir } = JSON.parse(readFileSync(join(edge.dir, 'nginx.json'), 'utf8')) as { runDir: string };
  expect(readFileSync(join(edge.dir, 'runner.json'), 'utf8')).toContain('demo-secret-of-the-tests');
  const access = (path: string) => {
    const { mode, uid } = statSync(path);
    return `${uid} ${(mode & 0o777).toString(8)}`;
  };
  const own = process.getuid?.();
  expect(access(edge.dir)).toBe(`${own} 700`);
  expect(access(join(edge.dir, 'runner.json'))).toBe(`${own} 600`);
  expect(access(join(edge.dir, 'error.log'))).toBe(`${own} 600`);
  // The folder that the workers pass through belongs to root alone, and the one of the socket lets no other user in.
  expect(access(runDir)).toBe(`${own} ${own === 0 ? 710 : 700}`);
  expect(access(join(runDir, 'admin'))).toBe(`${own} 700`);
  expect(statSync(join(runDir, 'admin/admin.sock')).isSocket()).toBe(true);
});

it('a change is live at once, with a thousand domains', async () => {
  const many = await startEdge({
    routes: Array.from({ length: 1000 }, (_, at) =>
      testRoute({ hosts: [`many-${at}.test`], upstream: testUpstream([testTarget(origin.port)]) }),
    ),
    environment: { CORDON_EDGE_ROUTES_MB: '64' },
  });
  const took: number[] = [];
  try {
    for (let at = 0; at < 100; at++) {
      const route = testRoute({ hosts: [`new-${at}.test`], upstream: testUpstream([testTarget(origin.port)]) });
      const start = performance.now();
      await many.deploy(route);
      took.push(performance.now() - start);
    }
  } finally {
    await many.stop();
  }
  took.sort((a, b) => a - b);
  console.log(`push to receipt: median ${took[50]?.toFixed(1)} ms, p99 ${took[98]?.toFixed(1)} ms`);
  // The 99th of 100 is below 100 ms too, but on a machine that does something else besides it proves nothing.
  expect(took[50]).toBeLessThan(100);
});
