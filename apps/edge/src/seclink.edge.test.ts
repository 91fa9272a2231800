import { createHmac } from 'node:crypto';
import { sealSecret } from '@cordon/plugin-kit/sealed-secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { passOf, readChallenge, solve } from './testing/prove.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

const HOST = 'links.test';
const CLOSED = 'closed.test';
const PROVED = 'proved.test';
const SECRET = 'a-secret-of-the-tests';
const HANDLE = `secret_${'a'.repeat(22)}`;
const CLIENT = '203.0.113.7';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const WAIT_MS = 1000;

const config = { path: '.*', api_secret: HANDLE, sleep_seconds: 1, expire_seconds: 300 };
const key = Buffer.from(testSettings().secret_keys?.free01 ?? '', 'base64url');

let origin: TestOrigin;
let edge: TestEdge;
const routes: ReturnType<typeof testRoute>[] = [];

/** A route whose secret is sealed as the control plane does it. */
function routeOf(host: string, others: { name: string; config: Record<string, unknown> }[] = [], sealedBy = key) {
  const route = testRoute({ hosts: [host], upstream: testUpstream([testTarget(origin.port)]) });
  const sealed = sealSecret(sealedBy, SECRET, { accountId: route.account_id, handle: HANDLE });
  return { ...route, plugins: [...others, { name: 'seclink', config, secrets: { api_secret: sealed } }] };
}

beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`origin ${request.url}`));
  const challenge = { name: 'challenge', config: { mode: 'js', path: '.*', pass_time: '30m' } };
  routes.push(routeOf(HOST), routeOf(CLOSED, [], Buffer.alloc(32, 1)), routeOf(PROVED, [challenge]));
  edge = await startEdge({ routes });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const now = () => Math.floor(Date.now() / 1000);
const linkTo = (path: string, ts = now()) =>
  `${path}?link_ts=${ts}&link_sig=${createHmac('sha256', SECRET).update(`${path}\n${ts}`).digest('hex')}`;
const visit = (path: string, headers: Record<string, string> = {}, from = CLIENT, host = HOST) =>
  edge.request(host, { path, headers: { ...BROWSER, ...headers }, from });
const show = (proof: string, from = CLIENT, host = HOST) =>
  edge.request(host, {
    method: 'POST',
    path: '/.well-known/cordon/challenge',
    headers: { 'cordon-proof': proof },
    from,
  });
const cookieOf = (answer: EdgeAnswer) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const waitOf = ({ body }: EdgeAnswer) => /data-challenge="([^"]*)"/.exec(body)?.[1] ?? '';
/** For as long as the page counts, from when it was sent. */
const pass = () => new Promise((resolve) => setTimeout(resolve, WAIT_MS));

describe('a visitor of a signed link', () => {
  it('waits on a page, and gets what the link is to', async () => {
    const link = linkTo('/files/a.zip');
    const page = await visit(link);
    expect(page.status).toBe(403);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).toContain('data-seconds="1"');
    await pass();
    const met = await show(`${waitOf(page)} waited`);
    expect(met.status).toBe(200);
    expect(String(met.headers['set-cookie'])).toMatch(/^cordon_wait=.*; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/);
    // Counted by itself: to have waited proves nothing.
    const ended = await edge.control.row(({ request_id: id }) => id === met.headers['x-request-id'], 'the end');
    expect(ended).toMatchObject({ plugin: '', action: '', reason: 'wait_met' });
    expect((await visit(link, { cookie: cookieOf(met) })).body).toBe(`origin ${link}`);
    // A link from after the wait has a wait of its own.
    const next = await visit(linkTo('/files/a.zip', now() + 5), { cookie: cookieOf(met) });
    expect(next.body).toContain('data-seconds="1"');
    const row = await edge.control.row(({ request_id: id }) => id === page.headers['x-request-id'], 'the wait');
    expect(row).toMatchObject({ plugin: 'seclink', action: 'challenge', reason: 'wait_required' });
    expect(row.query).toContain('link_sig=REDACTED');
  });

  it('finds the page in its language, with one script that may run', async () => {
    const page = await visit(linkTo('/a'), { 'accept-language': 'zh-CN' });
    const id = String(page.headers['x-request-id']);
    expect(page.body).toContain('<html lang="zh-CN">');
    expect(page.body).toContain('请稍候');
    expect(page.body).toContain('<noscript>');
    expect(page.headers['content-security-policy']).toContain(`script-src 'nonce-${id}'`);
    expect(page.body.match(/<script/g)).toHaveLength(1);
    expect(page.body).toContain(`<script nonce="${id}">`);
  });

  it('is told how long to wait where it does not accept HTML', async () => {
    const answer = await edge.request(HOST, { path: linkTo('/a'), headers: { accept: '*/*' }, from: CLIENT });
    expect(answer.status).toBe(403);
    expect(answer.headers['retry-after']).toBe('1');
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: 'WAIT_REQUIRED', wait_seconds: 1 });
  });

  it('is let in by a clock that is ahead as well, once it has waited', async () => {
    const link = linkTo('/a', now() + 30);
    const page = await visit(link);
    await pass();
    const met = await show(`${waitOf(page)} waited`);
    expect((await visit(link, { cookie: cookieOf(met) })).status).toBe(200);
  });
});

describe('a wait', () => {
  it('is not over before its time, and counts once', async () => {
    const wait = waitOf(await visit(linkTo('/a')));
    expect((await show(`${wait} waited`)).status).toBe(403);
    await pass();
    expect((await show(`${wait} waited`)).status).toBe(200);
    expect((await show(`${wait} waited`)).status).toBe(403);
  });

  it.each([
    ['of another client', (text: string) => text, '203.0.113.8', HOST],
    ['on another domain', (text: string) => text, CLIENT, PROVED],
    ['that was made shorter', (text: string) => text.replace(/^(wait\.\d+)\.1\./, '$1.0.'), CLIENT, HOST],
    ['that began earlier', (text: string) => text.replace(/^wait\.\d+/, 'wait.1000'), CLIENT, HOST],
    ['whose pass is longer', (text: string) => text.replace('.300.', '.9000.'), CLIENT, HOST],
    ['of no challenge', () => 'wait.1.1.1.1.1.1', CLIENT, HOST],
    ['that is not finished', () => 'wait.', CLIENT, HOST],
  ])('does not count %s', async (_, forge, from, host) => {
    const text = waitOf(await visit(linkTo('/a')));
    await pass();
    const refused = await show(`${forge(text)} waited`, from, host);
    expect(refused.status).toBe(403);
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await show(`${text} waited`)).status).toBe(200);
  });

  it('is no proof, and a proof is no wait', async () => {
    const id = routes.find(({ hosts }) => hosts[0]?.name === HOST)?.id ?? '';
    const shows = (cookie: string) => visit(linkTo('/a', now() - 5), { cookie });
    expect((await shows(`cordon_wait=${passOf(id, CLIENT, 'wait')}`)).status).toBe(200);
    expect((await shows(`cordon_wait=${passOf(id, CLIENT, 'puzzle')}`)).status).toBe(403);
    expect((await shows(`cordon_pass=${passOf(id, CLIENT, 'wait')}`)).status).toBe(403);
  });

  it('stands beside a proof that is asked for first, which no lack of a link keeps out', async () => {
    const from = '203.0.113.90';
    const link = linkTo('/a');
    const asked = await visit(link, {}, from, PROVED);
    const proof = cookieOf(await show(solve(readChallenge(asked)), from, PROVED));
    const page = await visit(link, { cookie: proof }, from, PROVED);
    expect(page.body).toContain('data-seconds="1"');
    await pass();
    const wait = cookieOf(await show(`${waitOf(page)} waited`, from, PROVED));
    expect((await visit(link, { cookie: `${proof}; ${wait}` }, from, PROVED)).status).toBe(200);
  });
});

describe('a path that needs a link', () => {
  it('is refused without one, also where a request pretends to show a proof', async () => {
    for (const headers of [{}, { 'cordon-proof': 'a b' }] as Record<string, string>[]) {
      const answer = await visit('/files/a.zip', headers);
      expect(answer.status).toBe(403);
      expect(answer.body).not.toContain('origin');
    }
    expect((await show('a b')).body).toContain('CHALLENGE_FAILED');
  });

  it.each([
    ['en', 'expired', now() - 301, 'LINK_EXPIRED', 'Link expired', 'open the link again'],
    ['zh-CN', 'expired', now() - 301, 'LINK_EXPIRED', '链接已过期', '重新打开链接'],
    ['en', 'signed for later', now() + 900, 'LINK_INVALID', 'Link not valid', 'open the link there'],
    ['zh-CN', 'signed for later', now() + 900, 'LINK_INVALID', '链接无效', '再打开其中的链接'],
  ])('says in %s of a link that is %s what to do, not that it is denied', async (...given) => {
    const [language, , ts, code, title, advice] = given;
    const page = await visit(linkTo('/files/a.zip', ts), { 'accept-language': language });
    expect(page.status).toBe(403);
    expect(page.body).toContain(`<h1>${title}</h1>`);
    expect(page.body).toContain(advice);
    expect(page.body).toContain(`/#/domain/list?request=${String(page.headers['x-request-id'])}`);
    const json = await visit(linkTo('/files/a.zip', ts), { accept: 'application/json', 'accept-language': language });
    expect(JSON.parse(json.body)).toMatchObject({ code, message: expect.stringContaining(advice) });
  });

  it('stays closed where this node cannot open the secret, and the receipt says so', async () => {
    const empty = createHmac('sha256', '').update(`/a\n${now()}`).digest('hex');
    const byHandle = createHmac('sha256', HANDLE).update(`/a\n${now()}`).digest('hex');
    for (const path of [
      linkTo('/a'),
      `/a?link_ts=${now()}&link_sig=${empty}`,
      `/a?link_ts=${now()}&link_sig=${byHandle}`,
    ])
      expect((await visit(path, {}, CLIENT, CLOSED)).status).toBe(403);
    const { id } = routes.find(({ hosts }) => hosts[0]?.name === CLOSED) ?? {};
    const receipt = () => edge.control.receipts.find(({ route_id }) => route_id === id);
    await edge.control.until(() => receipt() !== undefined, 'the receipt');
    expect(receipt()?.probe).toMatchObject({
      ok: false,
      error: 'a secret of seclink cannot be opened: what it protects is refused',
    });
  });
});
