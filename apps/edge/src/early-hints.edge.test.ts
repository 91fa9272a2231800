import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { sendRaw, sendRawSecurely } from './testing/raw.ts';
import { type RawOrigin, rawAnswer, startRawOrigin } from './testing/raw-origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Interim answers of origins on their way to visitors (RFC 8297, RFC 9110 15.2). */
const PLAIN = 'plain-hints.test';
const CACHED = 'cached-hints.test';
/** Between the hints and the answer. */
const THINKING_MS = 200;
const LINKS = ['</a.css>; rel=preload; as=style', '<https://fonts.test>; rel=preconnect'];
const INTERIM = LINKS.map((link) => `Link: ${link}\r\n`).join('');
const LARGE = 'line of a large file\n'.repeat(1_000_000);

let origin: RawOrigin;
let edge: TestEdge;
/** What comes before the answer, by path; else `INTERIM` in one 103. */
const interims = new Map<string, string>();

function answer(socket: Socket, path: string): void {
  if (path.startsWith('/broken')) {
    socket.destroy();
    return;
  }
  if (path.startsWith('/endless')) {
    socket.write('HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nConnection: close\r\n\r\nand so on');
    return;
  }
  const cached = path.startsWith('/kept') ? 'Cache-Control: max-age=60\r\n' : 'Cache-Control: no-store\r\n';
  socket.end(path === '/large' ? rawAnswer('', LARGE) : rawAnswer(cached, 'page'));
}

beforeAll(async () => {
  origin = await startRawOrigin((socket, path) => {
    socket.write(interims.get(path) ?? `HTTP/1.1 103 Early Hints\r\n${INTERIM}\r\n`);
    setTimeout(() => answer(socket, path), THINKING_MS);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    workers: 2,
    routes: [
      testRoute({ hosts: [PLAIN], upstream }),
      testRoute({ hosts: [CACHED], upstream, plugins: [cachePlugin('advance-proxy-cache', {})] }),
    ],
  });
  // The first ones are led round: by now the node knows.
  for (const host of [PLAIN, CACHED])
    for (let round = 0; round < 3; round++) await edge.request(host, { path: '/known' });
}, 60_000);
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

interface Seen {
  readonly hints: IncomingHttpHeaders[];
  /** From the first hint to the answer. */
  readonly aheadMs: number | undefined;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const open = (host: string): ClientHttp2Session =>
  connect(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false, servername: host });

function visit(session: ClientHttp2Session, host: string, path: string, headers: object = {}): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ':authority': host, ...headers });
    const hints: IncomingHttpHeaders[] = [];
    let hintedAt: number | undefined;
    stream.on('headers', (got) => {
      hintedAt ??= performance.now();
      hints.push(got);
    });
    stream.on('error', reject);
    stream.on('response', (got) => {
      const aheadMs = hintedAt === undefined ? undefined : performance.now() - hintedAt;
      let body = '';
      stream.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      stream.on('end', () => resolve({ hints, aheadMs, status: Number(got[':status']), headers: got, body }));
    });
  });
}

async function visitOnce(host: string, path: string, headers: object = {}): Promise<Seen> {
  const session = open(host);
  try {
    return await visit(session, host, path, headers);
  } finally {
    session.close();
  }
}

const linksOf = ({ hints }: Seen): string[] => hints.flatMap(({ link }) => String(link).split(/, (?=<)/));

describe.each([PLAIN, CACHED])('RFC 8297 2: 103 reaches visitors over HTTP/2, %s', (host) => {
  it('with its links, while the origin still thinks, and then the answer', async () => {
    const seen = await visitOnce(host, '/page');
    expect(seen).toMatchObject({ status: 200, body: 'page' });
    expect(seen.hints.map((hint) => hint[':status'])).toEqual([103]);
    expect(linksOf(seen)).toEqual(LINKS);
    expect(seen.aheadMs).toBeGreaterThan(THINKING_MS / 3);
  });

  it('on each of many streams of one connection, and each its own', async () => {
    const session = open(host);
    const paths = Array.from({ length: 30 }, (_, at) => `/many-${at}`);
    for (const path of paths)
      interims.set(path, `HTTP/1.1 103 Early Hints\r\nLink: <${path}.css>; rel=preload\r\n\r\n`);
    const all = await Promise.all(paths.map((path) => visit(session, host, path)));
    session.close();
    for (const [at, seen] of all.entries()) {
      expect(seen).toMatchObject({ status: 200, body: 'page' });
      for (const link of linksOf(seen)) expect(link).toBe(`<${paths[at]}.css>; rel=preload`);
    }
    // What finds the connection busy is left out.
    expect(all.filter(({ hints }) => hints.length > 0).length).toBeGreaterThan(15);
  });

  it('several of them, long ones too', async () => {
    const long = `</${'x'.repeat(3000)}.css>; rel=preload`;
    const further = `HTTP/1.1 103 Early Hints\r\nLink: ${long}\r\n\r\n`;
    interims.set('/several', `HTTP/1.1 103 Early Hints\r\n${INTERIM}\r\n${further}`);
    const seen = await visitOnce(host, '/several');
    expect(linksOf(seen)).toEqual([...LINKS, long]);
    expect(seen).toMatchObject({ status: 200, body: 'page' });
  });

  it('of many at once no more than a frame takes, and the connection goes on', async () => {
    const one = `HTTP/1.1 103 Early Hints\r\nLink: </${'y'.repeat(7000)}.css>; rel=preload\r\n\r\n`;
    interims.set('/many-long', one.repeat(5));
    const session = open(host);
    const seen = await visit(session, host, '/many-long');
    expect(seen).toMatchObject({ status: 200, body: 'page' });
    expect(linksOf(seen).length).toBeGreaterThan(0);
    expect((await visit(session, host, '/page')).status).toBe(200);
    session.close();
  });

  it('a visitor who reads nothing and leaves gives the connections to the origin back', async () => {
    const session = connect(`https://127.0.0.1:${edge.httpsPort}`, {
      ...{ rejectUnauthorized: false, servername: host },
      settings: { initialWindowSize: 0 },
    });
    session.on('error', () => {});
    const before = origin.open();
    for (let at = 0; at < 30; at++)
      session.request({ ':path': `/endless-${at}`, ':authority': host }).on('error', () => {});
    await vi.waitFor(() => expect(origin.open()).toBeGreaterThan(before + 20), { timeout: 5000 });
    await delay(2 * THINKING_MS);
    session.destroy();
    await vi.waitFor(() => expect(origin.open()).toBeLessThanOrEqual(before + 2), { timeout: 10_000 });
  });

  it('with the field that browsers read, and no other', async () => {
    interims.set('/fields', `HTTP/1.1 103 Early Hints\r\n${INTERIM}Set-Cookie: a=b\r\nX-Own: 1\r\n\r\n`);
    const seen = await visitOnce(host, '/fields');
    const [hint = {}] = seen.hints;
    expect(Object.keys(hint).filter((name) => !name.startsWith(':'))).toEqual(['link']);
  });

  it.each([
    ['without fields for browsers', 'HTTP/1.1 103 Early Hints\r\nX-Own: 1\r\n\r\n'],
    ['102', `HTTP/1.1 102 Processing\r\n${INTERIM}\r\n`],
    ['of more than 8 kB', `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(9000)}>\r\n\r\n`],
    ['with control characters', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\x01; rel=preload\r\n\r\n'],
  ])('an interim answer %s is passed over', async (what, interim) => {
    const path = `/passed-over-${encodeURIComponent(what)}`;
    interims.set(path, interim);
    const seen = await visitOnce(host, path);
    expect(seen).toMatchObject({ hints: [], status: 200, body: 'page' });
  });

  it('and never inside of what else a connection carries', async () => {
    const session = open(host);
    const downloads = Array.from({ length: 3 }, () => visit(session, host, '/large'));
    const pages: Seen[] = [];
    for (let at = 0; at < 10; at++) pages.push(await visit(session, host, `/beside-${at}`));
    for (const { body } of await Promise.all(downloads)) expect(body === LARGE).toBe(true);
    pages.push(await visit(session, host, '/behind'));
    session.close();
    // Nothing else is on its way.
    expect(pages.at(-1)?.hints).toHaveLength(1);
    for (const page of pages) expect(page).toMatchObject({ status: 200, body: 'page' });
    for (const page of pages.filter(({ hints }) => hints.length > 0)) expect(linksOf(page)).toEqual(LINKS);
  });

  it('not to what a page fetches, which browsers have no use for, nor to other methods', async () => {
    expect((await visitOnce(host, '/style', { 'sec-fetch-mode': 'no-cors' })).hints).toEqual([]);
    expect((await visitOnce(host, '/page', { ':method': 'HEAD' })).hints).toEqual([]);
    expect((await visitOnce(host, '/page', { 'sec-fetch-mode': 'navigate' })).hints).toHaveLength(1);
  });

  it('RFC 8297 3: not to visitors of HTTP/1, who take it for the answer', async () => {
    const asking = `GET /page HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const texts = [
      await sendRaw(edge.httpPort, asking, 2000),
      // As over HTTP/2, but for the protocol.
      await sendRawSecurely(edge.httpsPort, host, asking, 2000),
    ];
    for (const text of texts) {
      expect(text).toMatch(/^HTTP\/1.1 200 /);
      expect(text).not.toContain('HTTP/1.1 103');
      expect(text.endsWith('page')).toBe(true);
    }
  });

  it('a visitor who leaves in between harms nobody', async () => {
    const leaving = open(host);
    const stream = leaving.request({ ':path': '/left', ':authority': host });
    stream.on('error', () => {});
    await delay(THINKING_MS / 4);
    leaving.destroy();
    const reset = open(host);
    const other = reset.request({ ':path': '/reset', ':authority': host });
    other.on('error', () => {});
    await delay(10);
    other.close();
    const seen = await visit(reset, host, '/page');
    reset.close();
    expect(seen.status).toBe(200);
    expect(linksOf(seen)).toEqual(LINKS);
  });

  it('an origin that breaks off after them gets its page of an error', async () => {
    const seen = await visitOnce(host, `/broken-${host}`);
    expect(seen.status).toBe(502);
    expect(linksOf(seen)).toEqual(LINKS);
  });
});

it('what is stored is answered without any', async () => {
  const first = await visitOnce(CACHED, '/kept');
  expect(linksOf(first)).toEqual(LINKS);
  await delay(100);
  const second = await visitOnce(CACHED, '/kept');
  expect(second.headers['cache-status']).toMatch(/^Cordon; hit/);
  expect(second.hints).toEqual([]);
});
