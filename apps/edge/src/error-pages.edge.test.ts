import { connect as connectHttp2 } from 'node:http2';
import type { EdgeUpstream } from '@cordon/contract/edge-config';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

/** A customer's page for 403 and 502, with a header of the customer's, where the edge itself answers. */

const HOST = 'pages.test';
const DOWN = 'pages-down.test';
const PLAIN = 'pages-none.test';
const HINTING = 'pages-hints.test';
const LATE = 'pages-late.test';
const BLOCKED = '8.8.8.8';
const VISITOR = '198.41.128.7';
const LINKED = 'pages-linked.test';
const JSON_ONLY = { accept: 'application/json' };
const page = (status: number) => ({
  status,
  contentType: 'text/html; charset=utf-8',
  body: `<h1>Own ${status}</h1>{{request_id}}/{{request_id}}`,
});

/** Of the origin's body. */
const DESCRIPTION = {
  'content-encoding': 'gzip',
  'content-range': 'bytes 0-11/12',
  'content-language': 'de',
  'accept-ranges': 'bytes',
  etag: '"origin"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
};

/** Resolves when the test lets the origin answer. */
let answerSlow: (() => void) | undefined;
let origin: TestOrigin;
let edge: TestEdge;
let up: EdgeUpstream;
const pages = {
  name: 'custom-error-page',
  config: { error_403: 'https://pages.example/403', error_502: 'https://pages.example/502' },
  resolved: { pages: [page(403), page(502)] },
};
const linked = {
  ...pages,
  resolved: {
    pages: [
      { ...page(403), body: '<a href="{{request_url}}">{{request_id}}</a>' },
      { status: 404, contentType: 'text/plain; charset=utf-8', body: '{{request_url}}' },
    ],
  },
};
const OWN_PAGE = /^<h1>Own 403<\/h1>([0-9a-f]{32})\/\1$/;
const LATE_ID = '00000000-0000-4000-8000-00000000001a';

beforeAll(async () => {
  origin = await startOrigin(async (request, response) => {
    if (request.url === '/slow') await new Promise<void>((resolve) => (answerSlow = resolve));
    const isLong = request.url === '/long';
    if (request.url === '/fine') return response.end('fine');
    if (request.url === '/described') return response.writeHead(403, DESCRIPTION).end('origin says!');
    if (request.url === '/missing') return response.writeHead(404).end();
    if (request.url === '/late-body') {
      response.writeHead(403, { 'Content-Length': '12' }).flushHeaders();
      return undefined;
    }
    if (request.url === '/hints') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.writeHead(403, { 'Content-Language': 'de', ...(isLong ? {} : { 'Content-Length': '12' }) });
    if (!isLong) response.end('origin says!');
    // A body in many pieces, of which none may follow the page.
    else for (let piece = 0; piece <= 50; piece++) response[piece === 50 ? 'end' : 'write']('x'.repeat(2000));
  });
  const restriction = {
    name: 'ip-restriction',
    config: { allow: [], deny: [BLOCKED], whitelistMode: false, blacklistMode: true, allow_spiders: true },
  };
  const header = {
    name: 'response-transformer',
    config: {
      add: {
        headers: [
          { name: 'X-Of-Customer', value: 'yes' },
          { name: 'Content-Language', value: 'en' },
        ],
      },
    },
  };
  up = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    // All requests meet in it.
    workers: 1,
    routes: [
      testRoute({ hosts: [HOST], upstream: up, plugins: [restriction, header, pages] }),
      testRoute({ hosts: [DOWN], upstream: testUpstream([testTarget(1)]), plugins: [header, pages] }),
      testRoute({ hosts: [LINKED], upstream: up, plugins: [linked] }),
      testRoute({ hosts: [HINTING], upstream: up, plugins: [header, pages] }),
      testRoute({ hosts: [PLAIN], upstream: up, plugins: [restriction] }),
      testRoute({ id: LATE_ID, hosts: [LATE], upstream: up }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

async function ownPage(status: number, host: string, more: Parameters<TestEdge['request']>[1] = {}): Promise<void> {
  const answer = await edge.request(host, { from: VISITOR, ...more });
  const id = String(answer.headers['x-request-id']);
  const text = `<h1>Own ${status}</h1>${id}/${id}`;
  expect(answer).toMatchObject({ status, body: more.method === 'HEAD' ? '' : text });
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(text.length),
    'x-of-customer': 'yes',
    'content-language': 'en',
    vary: 'Accept',
    // With this visitor's request ID in it.
    'cache-control': 'no-store',
  });
}

/** Asks the origin, has its answer wait until the pages are there, and answers head and body. */
async function askBefore(version: number, comes: typeof pages | undefined): Promise<readonly [string, string]> {
  const answer = sendRaw(edge.httpPort, `GET /slow HTTP/1.1\r\nHost: ${LATE}\r\nConnection: close\r\n\r\n`, 10_000);
  await vi.waitFor(() => expect(answerSlow).toBeDefined(), { timeout: 5_000 });
  const plugins = comes === undefined ? [] : [comes];
  await edge.deploy(testRoute({ id: LATE_ID, version, hosts: [LATE], upstream: up, plugins }));
  // What was remembered of requests under way is forgotten.
  await edge.request(PLAIN, { from: VISITOR });
  answerSlow?.();
  answerSlow = undefined;
  const [head = '', body = ''] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 403 /);
  return [head, body];
}

const lengthOf = (head: string) => Number(/\r\ncontent-length: (\d+)(\r\n|$)/i.exec(head)?.[1]);

it('gives whole answers to requests that were let through before the pages came, or went', async () => {
  // The worker has had no request that pages were in place for.
  const [first, untouched] = await askBefore(2, pages);
  expect([lengthOf(first), untouched]).toEqual([12, 'origin says!']);
  expect((await edge.request(LATE, { from: VISITOR })).body).toContain('Own 403');
  const [second, gone] = await askBefore(3, undefined);
  expect([lengthOf(second), gone]).toEqual([12, 'origin says!']);
  const [third, replaced] = await askBefore(4, pages);
  expect(replaced).toContain('Own 403');
  expect(lengthOf(third)).toBe(replaced.length);
});

it('stands in for the brand’s page where a plugin blocks', () => ownPage(403, HOST, { from: BLOCKED }));
it('stands in for the answer of an origin', () => ownPage(403, HOST));
it('stands in for the body of the origin without what described that', async () => {
  expect((await edge.request(PLAIN, { path: '/described', from: VISITOR })).headers).toMatchObject(DESCRIPTION);
  const { status, headers } = await edge.request(LINKED, { path: '/described', from: VISITOR });
  expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  for (const name of Object.keys(DESCRIPTION)) expect(headers).not.toHaveProperty(name);
});
it('stands in for an answer that comes in many pieces', () => ownPage(403, HOST, { path: '/long' }));
it('stands in over TLS, for the first answer and for later ones', async () => {
  for (let at = 0; at < 3; at++) {
    const { status, body } = await secureRequest(edge.httpsPort, HOST);
    expect([status, body]).toEqual([403, expect.stringMatching(OWN_PAGE)]);
  }
});
it('stands in for the answers of many streams of HTTP/2', async () => {
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false, servername: HOST });
  const ask = async (path: string) => {
    let text = '';
    for await (const part of session.request({ ':path': path, ':authority': HOST })) text += String(part);
    return text;
  };
  const texts = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at % 2 === 0 ? '/' : '/fine')));
  session.close();
  expect(texts.filter((text, at) => !(at % 2 === 0 ? OWN_PAGE.test(text) : text === 'fine'))).toEqual([]);
});
it('keeps the connection to the origin', async () => {
  await ownPage(403, HOST);
  let opened = 0;
  origin.server.on('connection', () => opened++);
  for (let at = 0; at < 10; at++) await ownPage(403, HOST);
  expect(opened).toBe(0);
});
it('has no body for HEAD, and the length that it would have', () => ownPage(403, HOST, { method: 'HEAD' }));
it('stands in where no origin answers', () => ownPage(502, DOWN));

it('leads its owner to the request, where it has a place for that', async () => {
  const [html, plain] = await Promise.all([
    edge.request(LINKED, { from: VISITOR }),
    edge.request(LINKED, { from: VISITOR, path: '/missing' }),
  ]);
  const urlOf = (answer: EdgeAnswer) =>
    `https://console.cordon.test/#/domain/list?request=${String(answer.headers['x-request-id'])}`;
  expect(html.body).toBe(`<a href="${urlOf(html)}">${String(html.headers['x-request-id'])}</a>`);
  expect(plain.body).toContain(urlOf(plain));
  for (const answer of [html, plain]) expect(answer.headers['content-length']).toBe(String(answer.body.length));
});

it('is not for programs: they get the JSON of the edge, and what their origin answers', async () => {
  const blocked = await edge.request(HOST, { from: BLOCKED, headers: JSON_ONLY });
  expect(JSON.parse(blocked.body)).toMatchObject({ status: 403, request_id: blocked.headers['x-request-id'] });
  expect(blocked.headers['content-type']).toBe('application/json');
  const down = await edge.request(DOWN, { from: VISITOR, headers: JSON_ONLY });
  expect([down.status, JSON.parse(down.body).code]).toEqual([502, 'NO_UPSTREAM']);
  const passed = await edge.request(HOST, { from: VISITOR, headers: JSON_ONLY });
  expect(passed).toMatchObject({ status: 403, body: 'origin says!' });
  // A cache must not give it to people.
  expect(passed.headers).toMatchObject({ 'x-of-customer': 'yes', vary: 'Accept' });
  for (const accept of ['application/json;q=0', 'application/json;q=0, */*'])
    await ownPage(403, HOST, { headers: { accept } });
});

it('stands in for the answer of an origin that sends early hints', async () => {
  // Such an origin is spoken to over another way after the first request.
  expect((await edge.request(HINTING, { from: VISITOR, path: '/hints' })).status).toBe(307);
  await ownPage(403, HINTING, { path: '/hints' });
  const forProgram = await edge.request(HINTING, { from: VISITOR, path: '/hints', headers: JSON_ONLY });
  expect(forProgram).toMatchObject({ status: 403, body: 'origin says!', headers: { vary: 'Accept' } });
});

it('comes with the head of an answer whose body never comes, and goes to nobody else', async () => {
  const ask = (path: string) => sendRaw(edge.httpPort, `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 300);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/late-body')));
  expect(answers.filter((text) => !text.includes('\r\n\r\n<h1>Own 403</h1>'))).toEqual([]);
  const others = await Promise.all(Array.from({ length: 40 }, () => ask('/fine')));
  expect(others.map((text) => text.split('\r\n\r\n')[1]).filter((body) => body !== 'fine')).toEqual([]);
});

it('is not shown to visitors of another domain', async () => {
  const blocked = await edge.request(PLAIN, { from: BLOCKED });
  expect(blocked.status).toBe(403);
  expect(blocked.body).toContain('Access denied');
  expect(blocked.headers['x-of-customer']).toBeUndefined();
  const passed = await edge.request(PLAIN, { from: VISITOR });
  expect(passed).toMatchObject({ status: 403, body: 'origin says!' });
  expect(passed.headers['x-of-customer']).toBeUndefined();
});
