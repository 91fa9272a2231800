import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AdminClient } from './agent/admin-client.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { readChallenge, solve } from './testing/prove.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

const HOST = 'challenged.test';
const CLIENT = '203.0.113.7';
const NETWORK = `4 ${[203 * 2 ** 24 + 113 * 2 ** 8 + 7].join(' ')}`;
const BROWSER = { accept: 'text/html' };
const PATH = '/.well-known/cordon/challenge';
const [TODAY = '', TOMORROW = '', YESTERDAY = ''] = testSettings().challenge_keys ?? [];

let origin: TestOrigin;
let edge: TestEdge;
let routeId: string;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const plugins = [{ name: 'challenge', config: { mode: 'js', path: '.*', pass_time: '30m' } }];
  const route = testRoute({ hosts: [HOST], upstream, plugins });
  routeId = route.id;
  edge = await startEdge({ workers: 2, routes: [route, testRoute({ hosts: ['beside.test'], upstream })] });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const visit = (cookie = '') => edge.request(HOST, { headers: { ...BROWSER, cookie }, from: CLIENT });
const show = (proof: string) =>
  edge.request(HOST, { method: 'POST', path: PATH, headers: { 'cordon-proof': proof }, from: CLIENT });
const cookieOf = (answer: EdgeAnswer) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

async function bootId(): Promise<string> {
  const admin = new AdminClient(adminSocketIn(edge.runDir));
  try {
    return (await admin.getStatus()).boot_id;
  } finally {
    admin.close();
  }
}

interface Signed {
  readonly age?: number;
  readonly bits?: number;
  readonly key?: string;
  readonly boot?: string;
  readonly purpose?: string;
  readonly route?: string;
}

/** The proof of a challenge as the node signs it, with what an attacker would like to have in it. */
async function signedProof({
  age = 0,
  bits = 4,
  key = TODAY,
  boot,
  purpose,
  route = routeId,
}: Signed): Promise<string> {
  const id = randomBytes(16).toString('hex');
  const text = `js.${Math.floor(Date.now() / 1000) - age}.1800.${bits}.${id}`;
  const subject = `${purpose ?? `challenge ${boot ?? (await bootId())}`} ${route} ${NETWORK} ${text}`;
  const signature = createHmac('sha256', key).update(subject).digest('hex');
  const asked = { challenge: `${text}.${signature}`, seed: signature.slice(0, 32), bits, parts: 8, path: PATH };
  return solve(asked);
}

describe('a challenge', () => {
  it.each<[string, Signed, number]>([
    ['of this node', {}, 200],
    ['that ends soon', { age: 290 }, 200],
    ['that has ended', { age: 301 }, 403],
    ['of the key of yesterday', { key: YESTERDAY }, 200],
    ['of the key of tomorrow', { key: TOMORROW }, 200],
    ['of a key that no longer counts', { key: 'challenge key of last week' }, 403],
    ['of a key that is empty', { key: '' }, 403],
    ['of another run of the node, or another node', { boot: '0123456789abcdef' }, 403],
    ['that is signed as a pass is', { purpose: 'pass' }, 403],
    ['of another route', { route: '00000000-0000-4000-8000-000000000001' }, 403],
  ])('%s is met, or not', async (_, signed, status) => {
    const answer = await show(await signedProof(signed));
    expect(answer.status).toBe(status);
    expect(answer.headers['set-cookie'] !== undefined).toBe(status === 200);
  });

  it('is met once, by however many at a time it is shown, and by whichever worker', async () => {
    const proof = solve(readChallenge(await visit()));
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => show(proof)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 403)).toHaveLength(39);
  });

  it('that fails says so with the id of the request', async () => {
    const answer = await show('js.1.1.0.x.y 1,2,3,4,5,6,7,8');
    const id = answer.headers['x-request-id'];
    expect(JSON.parse(answer.body)).toEqual({ success: false, code: 'CHALLENGE_FAILED', request_id: id });
  });

  it('is answered before a body without an end, while others are served', async () => {
    const socket = connect(edge.httpPort, '127.0.0.1').on('error', () => {});
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: ${HOST}\r\nCordon-Proof: x y\r\nContent-Length: 99999999999\r\n\r\n`);
    const drip = setInterval(() => socket.write('a'.repeat(1000)), 10);
    expect(await answered).toMatch(/^HTTP\/1\.1 403 /);
    expect((await edge.request('beside.test')).status).toBe(200);
    clearInterval(drip);
    socket.destroy();
  });
});

describe('a pass', () => {
  it('holds over a change of keys until its own is retired', async () => {
    const pass = cookieOf(await show(await signedProof({})));
    const statusWith = async (keys: string[]) => {
      const before = edge.control.settings;
      edge.control.setSettings({ ...before, challenge_keys: keys });
      // What is signed by one that it did not have shows that the node has them.
      const key = keys.find((each) => !before.challenge_keys?.includes(each)) ?? '';
      await vi.waitFor(async () => expect((await show(await signedProof({ key }))).status).toBe(200), 10_000);
      return (await visit(pass)).status;
    };
    expect((await visit(pass)).status).toBe(200);
    expect(await statusWith(['next day', 'day after', TODAY])).toBe(200);
    expect(await statusWith(['day after', 'and after', 'next day'])).toBe(403);
    edge.control.setSettings(testSettings());
    await vi.waitFor(async () => expect((await visit(pass)).status).toBe(200), 10_000);
  });
});

it('a proof is not taken again of a node that was killed and has forgotten which were', async () => {
  const proof = solve(readChallenge(await visit()));
  const pass = cookieOf(await show(proof));
  const before = await bootId();
  process.kill(edge.nginxPid, 'SIGKILL');
  // Its workers serve on for a moment.
  await vi.waitFor(async () => expect(await bootId()).not.toBe(before), 20_000);
  await vi.waitFor(async () => expect((await visit(pass)).status).toBe(200), 20_000);
  expect((await show(proof)).status).toBe(403);
  expect((await show(solve(readChallenge(await visit())))).status).toBe(200);
});
