import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { EdgeRecaptcha, EdgeSettings } from '@cordon/contract/edge-config';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { slowdown } from '../../../tests/support/slowness.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { passOf, readChallenge, solve } from './testing/prove.ts';
import { SECRET_KEY, SITE_KEY, testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { type Siteverify, startSiteverify } from './testing/siteverify.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

const HOST = 'asked.test';
const OTHER = 'other.test';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PATH = '/.well-known/cordon/challenge';

let origin: TestOrigin;
let google: Siteverify;
let edge: TestEdge;
const routes: ReturnType<typeof testRoute>[] = [];
let client = 0;
/** Of its own, since each shows proofs of its own. */
const newClient = () => `198.51.100.${++client}`;

const { recaptcha: keys, ...WITHOUT_KEYS } = testSettings();
const settings = (more: Partial<EdgeRecaptcha> = {}) => {
  if (!keys) throw new Error('the settings of the tests have no keys');
  return { ...WITHOUT_KEYS, recaptcha: { ...keys, verify_url: google.url, ...more } };
};

beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`origin ${request.url}`));
  google = await startSiteverify();
  const plugins = [{ name: 'challenge', config: { mode: 'google_recaptcha', path: '.*', pass_time: '30m' } }];
  const upstream = testUpstream([testTarget(origin.port)]);
  routes.push(testRoute({ hosts: [HOST], upstream, plugins }), testRoute({ hosts: [OTHER], upstream, plugins }));
  edge = await startEdge({ routes });
  await withSettings(settings());
});
afterAll(async () => {
  await edge?.stop();
  await google?.stop();
  await origin?.stop();
});
afterEach(() => {
  google.answer = undefined;
});

const visit = (from: string, headers: Record<string, string> = {}, host = HOST) =>
  edge.request(host, { path: '/shop?a=1', headers: { ...BROWSER, ...headers }, from });
const show = (proof: string, from: string, host = HOST) =>
  edge.request(host, { method: 'POST', path: PATH, headers: { 'cordon-proof': proof }, from });
const cookieOf = (answer: EdgeAnswer) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const work = async (from: string, host = HOST) => solve(readChallenge(await visit(from, {}, host)));
/** Shows the work of a new page with a token. */
const prove = async (token: string, from: string, host = HOST) =>
  show(`${await work(from, host)} ${token}`, from, host);

/** Sends settings, and waits until nginx asks visitors by them. */
async function withSettings(next: EdgeSettings): Promise<void> {
  edge.control.setSettings(next);
  const wanted = next.recaptcha ? 'google_recaptcha' : 'js';
  const deadline = Date.now() + 5000;
  let asked: unknown;
  while (asked !== wanted && Date.now() < deadline) asked = (await visit(newClient())).headers['cordon-challenge'];
  expect(asked).toBe(wanted);
}

describe('a visitor that Google is to judge', () => {
  it('is let in for the time of the settings once Google says that it is human, and Google is asked as it wants to be', async () => {
    const from = newClient();
    const token = google.give(HOST);
    const met = await prove(token, from);
    expect(met.status).toBe(200);
    expect(JSON.parse(met.body)).toEqual({ success: true });
    expect(String(met.headers['set-cookie'])).toMatch(
      /^cordon_pass=google_recaptcha\..*; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    );
    expect((await visit(from, { cookie: cookieOf(met) })).body).toBe('origin /shop?a=1');
    expect(google.asked.at(-1)).toEqual({
      method: 'POST',
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
      form: { secret: SECRET_KEY, response: token, remoteip: from },
    });
    const row = await edge.control.row(({ request_id: id }) => id === met.headers['x-request-id'], 'the proof');
    expect(row).toMatchObject({ plugin: '', action: '', reason: 'challenge_met' });
  });

  it('gets a page that may load Google and nothing else, with the public key and not the secret one', async () => {
    const page = await visit(newClient());
    const id = page.headers['x-request-id'];
    expect(page.status).toBe(403);
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${id}' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; ` +
        `connect-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/; ` +
        `img-src data:; base-uri 'none'; frame-ancestors 'self'`,
    );
    expect(page.body).toContain(`data-key="${SITE_KEY}"`);
    expect(page.body).not.toContain(SECRET_KEY);
    expect(page.body.match(/<script/g)).toHaveLength(1);
    expect(page.body).toContain('<h1 id="title">Confirm that you are human</h1>');
    const chinese = await visit(newClient(), { 'accept-language': 'zh-CN' });
    expect(chinese.body).toContain('<h1 id="title">请确认您是真人</h1>');
    expect(chinese.body).toContain('hl=zh-CN');
  });

  it('gets an object that says so where it does not accept HTML', async () => {
    const answer = await edge.request(HOST, { headers: { accept: '*/*' }, from: newClient() });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'CHALLENGE_REQUIRED', challenge: 'google_recaptcha' });
  });
});

describe('a token', () => {
  const refused = (met: EdgeAnswer) => {
    expect(met.status).toBe(403);
    expect(met.headers['set-cookie']).toBeUndefined();
  };

  it('that Google does not know is refused, and logged so', async () => {
    const met = await prove('made-up', newClient());
    refused(met);
    const row = await edge.control.row(({ request_id: id }) => id === met.headers['x-request-id'], 'the proof');
    expect(row).toMatchObject({ plugin: '', reason: 'challenge_failed' });
  });

  it('of another site is refused', async () => refused(await prove(google.give(OTHER), newClient())));

  it.each(['asked.test.evil.test', 'ASKED.TEST.', '', null, undefined])(
    'is refused where Google names another host: %s',
    async (hostname) => {
      google.answer = (response) => response.end(JSON.stringify({ success: true, hostname }));
      refused(await prove(google.give(HOST), newClient()));
    },
  );

  it('is taken once, of which Google hears once, and once by Google where another node has taken it', async () => {
    const token = google.give(HOST);
    expect((await prove(token, newClient())).status).toBe(200);
    const before = google.asked.length;
    refused(await prove(token, newClient()));
    expect(google.asked).toHaveLength(before);
    refused(await prove(`given-elsewhere${before}`, newClient()));
    expect(google.asked).toHaveLength(before + 1);
  });

  it.each([
    ['empty', ''],
    ['two', 'a b'],
    ['of other characters', 'a=b&secret=c'],
    ['of more than ASCII', 'é'],
    ['too long', 'x'.repeat(4097)],
  ])('that is none asks nothing of Google: %s', async (_, token) => {
    const before = google.asked.length;
    refused(await prove(token, newClient()));
    expect(google.asked).toHaveLength(before);
  });

  it('costs work: without it, nothing is asked', async () => {
    const from = newClient();
    const { challenge } = readChallenge(await visit(from));
    const before = google.asked.length;
    refused(await show(`${challenge} 0,0,0,0,0,0,0,0 ${google.give(HOST)}`, from));
    expect(google.asked).toHaveLength(before);
  });

  it('is asked about for the client alone that got the challenge, and once', async () => {
    const from = newClient();
    const proof = await work(from);
    refused(await show(`${proof} ${google.give(HOST)}`, newClient()));
    expect((await show(`${proof} ${google.give(HOST)}`, from)).status).toBe(200);
    refused(await show(`${proof} ${google.give(HOST)}`, from));
  });
});

describe('where Google does not answer', () => {
  const hang = () => undefined;
  const failures: [string, (response: ServerResponse) => void][] = [
    ['not at all', hang],
    ['with an error', (response) => response.writeHead(500).end('{"success":true,"hostname":"asked.test"}')],
    ['with garbage', (response) => response.end('<html>')],
    ['with no object', (response) => response.end('null')],
    ['neither yes nor no', (response) => response.end('{"hostname":"asked.test"}')],
    [
      'with more than it has to say',
      (response) => response.end(`{"success":true,"hostname":"asked.test","a":"${'x'.repeat(20_000)}"}`),
    ],
    ['by leading elsewhere', (response) => response.writeHead(307, { location: google.url }).end()],
    ['by cutting the line', (response) => response.destroy()],
    [
      'that our secret is wrong',
      (response) => response.end('{"success":false,"error-codes":["invalid-input-secret"]}'),
    ],
  ];

  it.each(failures)('%s: the visitor is told in time, and let in for five minutes by work', async (_, answer) => {
    google.answer = answer;
    const from = newClient();
    const page = await visit(from);
    const asked = Date.now();
    const told = await show(`${solve(readChallenge(page))} ${google.give(HOST)}`, from);
    expect((Date.now() - asked) / slowdown()).toBeLessThan(4500);
    expect(told.status).toBe(200);
    expect(told.headers['set-cookie']).toBeUndefined();
    const { unanswered } = JSON.parse(told.body);
    const proof = solve({ ...readChallenge(page), ...unanswered });
    expect((await show(proof, newClient())).status).toBe(403);
    const met = await show(proof, from);
    expect(String(met.headers['set-cookie'])).toContain('; Max-Age=300;');
    expect((await visit(from, { cookie: cookieOf(met) })).status).toBe(200);
    expect((await show(proof, from)).status).toBe(403);
  });

  it('says so in the log of the domain, and why in that of the node, without the secret', async () => {
    const row = await edge.control.row(({ reason }) => reason === 'challenge_unanswered', 'a proof without an answer');
    expect(row).toMatchObject({ plugin: '', action: '', status: 200 });
    const text = edge.stderr;
    expect(text).toContain('Google reCAPTCHA confirms no answers');
    expect(text).not.toContain(SECRET_KEY);
    expect(readFileSync(join(edge.dir, 'error.log'), 'utf8')).not.toContain(SECRET_KEY);
    expect(JSON.stringify(edge.control.rows)).not.toContain(SECRET_KEY);
  });

  it('asks no more than sixteen questions of one domain at once, and another domain has its turn', async () => {
    let waiting = 0;
    const held: (() => void)[] = [];
    google.answer = (response) => {
      waiting++;
      held.push(() => response.end(JSON.stringify({ success: true, hostname: HOST })));
    };
    const clients = Array.from({ length: 20 }, newClient);
    const proofs = await Promise.all(clients.map((from) => work(from)));
    const others = work('198.51.100.250', OTHER);
    const told = proofs.map((proof, at) => show(`${proof} ${google.give(HOST)}`, clients[at] as string));
    const early = await Promise.race([...told]);
    expect(JSON.parse(early.body)).toHaveProperty('unanswered');
    await expect.poll(() => waiting, { timeout: 2500 }).toBe(16);
    google.answer = undefined;
    const other = await show(`${await others} ${google.give(OTHER)}`, '198.51.100.250', OTHER);
    expect(JSON.parse(other.body)).toEqual({ success: true });
    for (const answer of held) answer();
    const bodies = (await Promise.all(told)).map(({ body }) => JSON.parse(body));
    expect(bodies.filter(({ unanswered }) => unanswered)).toHaveLength(4);
  });
});

describe('a pass of Google', () => {
  const passes = async (way: string) => {
    const from = newClient();
    const { id = '' } = routes[0] ?? {};
    return (await visit(from, { cookie: `cordon_pass=${passOf(id, from, way)}` })).status === 200;
  };
  it('is no less than itself or a puzzle', async () => {
    expect(await passes('google_recaptcha')).toBe(true);
    expect(await passes('puzzle')).toBe(true);
    expect(await passes('js')).toBe(false);
    expect(await passes('wait')).toBe(false);
  });
});

describe('a deployment that has lost its keys', () => {
  it('asks for work in their place, never for nothing, and for Google again once they are back', async () => {
    await withSettings(WITHOUT_KEYS);
    const from = newClient();
    const page = await visit(from);
    expect(page.status).toBe(403);
    expect(page.body).toContain('<h1 id="title">Checking your browser</h1>');
    expect(page.body).not.toContain('data-key');
    expect(page.headers['content-security-policy']).not.toContain('google');
    expect((await edge.request(HOST, { headers: { accept: '*/*' }, from })).status).toBe(403);
    const met = await show(solve(readChallenge(page)), from);
    expect(String(met.headers['set-cookie'])).toContain('; Max-Age=1800;');
    expect((await visit(from, { cookie: cookieOf(met) })).status).toBe(200);
    await withSettings(settings());
    expect((await visit(newClient())).body).toContain(`data-key="${SITE_KEY}"`);
  });

  it('lets a visitor in by work who had the page of before', async () => {
    const from = newClient();
    const page = await visit(from);
    const proof = solve(readChallenge(page));
    await withSettings(WITHOUT_KEYS);
    const before = google.asked.length;
    const told = await show(`${proof} ${google.give(HOST)}`, from);
    expect(google.asked).toHaveLength(before);
    expect(JSON.parse(told.body)).toHaveProperty('unanswered');
    await withSettings(settings());
  });
});

it('is loaded from recaptcha.net where the operator says so', async () => {
  await withSettings(settings({ script_url: 'https://www.recaptcha.net/recaptcha/api.js' }));
  const deadline = Date.now() + 5000;
  let policy = '';
  while (!policy.includes('recaptcha.net') && Date.now() < deadline)
    policy = String((await visit(newClient())).headers['content-security-policy']);
  expect(policy).toContain(
    'https://www.recaptcha.net/recaptcha/ https://www.gstatic.com/recaptcha/ https://www.gstatic.cn/recaptcha/;',
  );
  expect(policy).not.toContain('google.com');
});
