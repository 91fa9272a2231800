import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import type { EdgeUpstream } from '@cordon/contract/edge-config';
import { COMPRESSED_TYPES } from '@cordon/plugin-kit/shared-cache';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { TestAuthority } from './testing/certificates.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Compression of answers that come straight from an origin: RFC 9110 7.7, 8.8.3, 12.5.3 and 12.5.5. */

const PLAIN = 'plain.test';
/** Its requests are handed over to another location. */
const LIMITED = 'limited.test';
/** Its cache keeps nothing of what is asked for here. */
const PASSING = 'passing.test';
/** Its pages take the place of errors. */
const PAGES = 'pages.test';
/** Its origin sends interim answers. */
const HINTING = 'hinting.test';
/** Over TLS, with a certificate that is not looked at, or is of an authority of its own. */
const UNVERIFIED = 'unverified.test';
const TRUSTED = 'trusted.test';
/** Sets Content-Type itself. */
const TYPING = 'typing.test';
const HOSTS = [PLAIN, LIMITED, PASSING, HINTING, UNVERIFIED, TRUSTED] as const;

const text = 'All that is said twice is said too often. '.repeat(100);
const pageOf = (length: number) => text.slice(0, length);
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answers = new Map<string, Answer>();
let count = 0;
/** A path of its own, with what the origin answers there. */
function serve(answer: Answer): string {
  const path = `/answer-${++count}`;
  answers.set(path, answer);
  return path;
}
const sending = (fields: Readonly<Record<string, string | string[]>>, body: string | Buffer = text, status = 200) =>
  serve((request, response) => {
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...fields });
    response.end(request.method === 'HEAD' ? undefined : body);
  });

let origin: TestOrigin;
let secureOrigin: SecureServer;
let authority: TestAuthority;
let edge: TestEdge;
function answerOf(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['x-forwarded-host'] === HINTING) response.writeEarlyHints({ link: '</a.css>; rel=preload' });
  const answer = answers.get((request.url ?? '').split('?')[0] ?? '');
  if (answer === undefined) response.end('ready');
  else answer(request, response);
}
beforeAll(async () => {
  origin = await startOrigin(answerOf);
  authority = new TestAuthority('authority of a domain');
  const { key, certificate } = authority.sign([TRUSTED]);
  secureOrigin = createSecureServer({ key, cert: certificate }, answerOf);
  const port = await freePort();
  await new Promise<void>((resolve) => secureOrigin.listen(port, '127.0.0.1', resolve));
  const secured = (more: Partial<EdgeUpstream>) => testUpstream([testTarget(port)], { protocol: 'https', ...more });
  const upstream = testUpstream([testTarget(origin.port)]);
  const routes = [
    testRoute({ hosts: [PLAIN], upstream }),
    testRoute({ hosts: [LIMITED], upstream: { ...upstream, connection_limit: 50 } }),
    testRoute({ hosts: [PASSING], upstream, plugins: [cachePlugin('proxy-cache', { cache_paths: ['/kept'] })] }),
    testRoute({ hosts: [HINTING], upstream }),
    testRoute({ hosts: [UNVERIFIED], upstream: secured({ tls_verification: 'off' }) }),
    testRoute({ hosts: [TRUSTED], upstream: secured({ tls_verification: 'custom', tls_ca: authority.pem }) }),
    testRoute({
      hosts: [PAGES],
      upstream,
      plugins: [
        {
          name: 'custom-error-page',
          config: { error_404: 'https://pages.example/404' },
          resolved: { pages: [{ status: 404, contentType: 'text/html', body: `<p>${text}</p>` }] },
        },
      ],
    }),
    testRoute({
      hosts: [TYPING],
      upstream,
      plugins: [
        { name: 'response-transformer', config: { add: { headers: [{ name: 'Content-Type', value: 'text/plain' }] } } },
      ],
    }),
  ];
  edge = await startEdge({ routes });
  // From the second on its requests go another way.
  await vi.waitFor(async () => expect((await get('/', { host: HINTING })).status).toBe(200), { timeout: 10_000 });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  secureOrigin?.closeAllConnections();
  secureOrigin?.close();
  authority?.remove();
});

interface Options {
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Received {
  readonly status: number;
  /** Lines of each field. */
  readonly fields: NodeJS.Dict<string[]>;
  readonly body: Buffer;
}
function open(path: string, { host = PLAIN, method = 'GET', headers = {}, body }: Options): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      { host: '127.0.0.1', port: edge.httpPort, method, path, headers: { host, ...headers }, agent: false },
      resolve,
    );
    call.on('error', reject);
    call.end(body);
  });
}
async function get(path: string, options: Options = {}): Promise<Received> {
  const response = await open(path, options);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, fields: response.headersDistinct, body: Buffer.concat(parts) };
}
const BROTLI = { headers: { 'accept-encoding': 'gzip, deflate, br' } };
const GZIP = { headers: { 'accept-encoding': 'gzip' } };
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

describe.each(HOSTS)('an answer to a visitor of %s', (host) => {
  it('is compressed as the visitor takes it, and says that it differs, also to who gets it as it is', async () => {
    const path = sending({ ...HTML, ETag: '"v1"', 'Accept-Ranges': 'bytes' });
    const [brotli, gzip, plain] = await Promise.all([
      get(path, { host, ...BROTLI }),
      get(path, { host, ...GZIP }),
      get(path, { host }),
    ]);
    expect(brotli.fields['content-encoding']).toEqual(['br']);
    expect(brotliDecompressSync(brotli.body).toString()).toBe(text);
    expect(gzip.fields['content-encoding']).toEqual(['gzip']);
    expect(gunzipSync(gzip.body).toString()).toBe(text);
    for (const { fields, body } of [brotli, gzip]) {
      expect(fields.etag).toEqual(['W/"v1"']);
      expect(fields['accept-ranges']).toBeUndefined();
      expect(body.length).toBeLessThan(text.length / 10);
    }
    expect(plain.fields['content-encoding']).toBeUndefined();
    expect(plain.fields.etag).toEqual(['"v1"']);
    expect(plain.body.toString()).toBe(text);
    for (const { fields } of [brotli, gzip, plain]) expect(fields.vary).toEqual(['Accept-Encoding']);
  });

  it.each([
    ['a digest of it (RFC 9530)', { ...HTML, 'Repr-Digest': 'sha-256=:AAAA:' }],
    ['no-transform', { ...HTML, 'Cache-Control': 'max-age=60, No-Transform' }],
    ['an encoding of its own', { ...HTML, 'Content-Encoding': 'gzip' }],
    ['a type that is compressed by itself', { 'Content-Type': 'image/png' }],
    ['no type', {}],
  ])('is left as it is with %s', async (_, fields) => {
    const body = gzipSync(text).toString('latin1').padEnd(3000, 'x');
    const path = sending({ ...fields, ETag: '"v1"' } as Record<string, string>, Buffer.from(body, 'latin1'));
    const got = await get(path, { host, ...BROTLI });
    expect(got.body.toString('latin1')).toBe(body);
    expect(got.fields.etag).toEqual(['"v1"']);
    expect(got.fields.vary).toBeUndefined();
    expect(got.fields['content-encoding']).toEqual('Content-Encoding' in fields ? ['gzip'] : undefined);
  });

  it.each([
    ['br', BROTLI, createBrotliDecompress],
    ['gzip', GZIP, createGunzip],
  ] as const)('that is streamed as %s arrives piece by piece', async (coding, options, decoder) => {
    let goOn = (_: string) => {};
    const path = serve((_, response) => {
      response.writeHead(200, HTML);
      goOn = (piece) => (piece === '' ? response.end() : response.write(piece));
      response.write('first');
    });
    const response = await open(path, { host, ...options });
    expect(response.headers['content-encoding']).toBe(coding);
    let got = '';
    const decoded = response.pipe(decoder());
    decoded.on('data', (piece: Buffer) => {
      got += piece;
    });
    await vi.waitFor(() => expect(got).toBe('first'), { timeout: 10_000 });
    goOn(', second');
    await vi.waitFor(() => expect(got).toBe('first, second'), { timeout: 10_000 });
    goOn('');
    await vi.waitFor(() => expect(decoded.readableEnded).toBe(true), { timeout: 10_000 });
  });
});

it('compresses an answer to a body', async () => {
  const got = await get(sending(HTML), { method: 'POST', body: 'x=1', ...GZIP });
  expect(gunzipSync(got.body).toString()).toBe(text);
  expect(got.fields.vary).toEqual(['Accept-Encoding']);
});

it.each(['Accept-Encoding', 'Origin, accept-encoding', '*'])(
  'does not name the field twice beside Vary: %s',
  async (vary) => {
    const path = sending({ ...HTML, Vary: vary });
    for (const options of [BROTLI, {}]) expect((await get(path, options)).fields.vary).toEqual([vary]);
  },
);

it('adds it to what an origin names', async () => {
  const { fields } = await get(sending({ ...HTML, Vary: ['Origin', 'Cookie'] }), GZIP);
  expect(fields.vary).toEqual(['Origin, Cookie, Accept-Encoding']);
  expect(fields['content-encoding']).toEqual(['gzip']);
});

it.each([1399, 1400, 999])('leaves %s bytes of a text as they are, but from 1,400 on', async (length) => {
  const { fields, body } = await get(sending(HTML, pageOf(length)), GZIP);
  const isCompressed = length >= 1400;
  expect(fields['content-encoding']).toEqual(isCompressed ? ['gzip'] : undefined);
  expect(fields.vary).toEqual(isCompressed ? ['Accept-Encoding'] : undefined);
  expect(isCompressed ? gunzipSync(body).toString() : body.toString()).toBe(pageOf(length));
});

it('compresses every type that the cache does, with whatever parameters, and no other', async () => {
  const types = [...COMPRESSED_TYPES, 'application/json; profile="x"', 'TEXT/HTML;charset=utf-8'];
  const others = [
    'font/woff2',
    'image/webp',
    'video/mp4',
    'application/zip',
    'application/octet-stream',
    'text/event-stream',
  ];
  for (const type of [...types, ...others]) {
    const { fields } = await get(sending({ 'Content-Type': type }), GZIP);
    const isCompressed = types.includes(type);
    expect([type, fields['content-type'], fields['content-encoding'], fields.vary]).toEqual([
      type,
      [type],
      isCompressed ? ['gzip'] : undefined,
      isCompressed ? ['Accept-Encoding'] : undefined,
    ]);
  }
});

it('leaves parts, and errors of origins but 403 and 404, as they are', async () => {
  const part = sending({ ...HTML, 'Content-Range': `bytes 0-${text.length - 1}/99999` }, text, 206);
  const got = await get(part, { headers: { ...GZIP.headers, range: 'bytes=0-' } });
  expect([got.status, got.body.toString(), got.fields.vary]).toEqual([206, text, undefined]);
  for (const status of [500, 201]) expect((await get(sending(HTML, text, status), GZIP)).body.toString()).toBe(text);
  for (const status of [403, 404])
    expect(gunzipSync((await get(sending(HTML, text, status), GZIP)).body).toString()).toBe(text);
});

it('says of HEAD what it says of GET', async () => {
  const path = sending({ ...HTML, ETag: '"v1"' });
  const [head, whole] = await Promise.all([get(path, { ...BROTLI, method: 'HEAD' }), get(path, BROTLI)]);
  for (const name of ['content-type', 'content-encoding', 'etag', 'vary', 'accept-ranges'])
    expect([name, head.fields[name]]).toEqual([name, whole.fields[name]]);
  expect(head.fields['content-length']).toBeUndefined();
  expect(head.body).toHaveLength(0);
});

it('names in 304 the form that the visitor has', async () => {
  const path = serve((_, response) => response.writeHead(304, { ETag: '"v1"' }).end());
  const compressed = await get(path, { headers: { ...GZIP.headers, 'if-none-match': '"v0", W/"v1"' } });
  expect([compressed.status, compressed.fields.etag, compressed.fields.vary]).toEqual([
    304,
    ['W/"v1"'],
    ['Accept-Encoding'],
  ]);
  const plain = await get(path, { headers: { 'if-none-match': '"v1"' } });
  expect([plain.status, plain.fields.etag, plain.fields.vary]).toEqual([304, ['"v1"'], ['Accept-Encoding']]);
});

describe.each([PLAIN, LIMITED, HINTING])('RFC 9110 15.4.5: 304 has the Vary of its 200: %s', (host) => {
  it.each([
    [{}, 'Accept-Encoding'],
    [{ Vary: 'Cookie' }, 'Cookie, Accept-Encoding'],
    [{ Vary: 'accept-encoding, Cookie' }, 'accept-encoding, Cookie'],
    [{ Vary: '*' }, '*'],
    [HTML, 'Accept-Encoding'],
    [{ 'Content-Type': 'image/png' }, undefined],
    [{ 'Content-Encoding': 'br' }, undefined],
    [{ 'Cache-Control': 'no-transform' }, undefined],
  ])('%j', async (fields, vary) => {
    const path = serve((request, response) => {
      const isKnown = request.headers['if-none-match'] !== undefined;
      response
        .writeHead(isKnown ? 304 : 200, { ETag: 'W/"v1"', ...(isKnown ? {} : HTML), ...(fields as object) })
        .end(isKnown ? undefined : text);
    });
    const whole = await get(path, { host });
    const unchanged = await get(path, { host, headers: { 'if-none-match': 'W/"v1"' } });
    expect(unchanged.status).toBe(304);
    expect([unchanged.fields.vary?.join(', '), whole.fields.vary?.join(', ')]).toEqual([vary, vary]);
  });
});

it('tells the origin what the visitor takes, and of an answer that a plugin calls a text the same as of any', async () => {
  let asked: unknown;
  const path = serve((request, response) => {
    asked = request.headers['accept-encoding'];
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(text);
  });
  const { fields, body } = await get(path, { host: TYPING, headers: { 'accept-encoding': 'gzip;q=0.5' } });
  expect(asked).toBe('gzip;q=0.5');
  expect([fields['content-encoding'], fields.vary]).toEqual([['gzip'], ['Accept-Encoding']]);
  expect(gunzipSync(body).toString()).toBe(text);
});

it("leaves pages of the domain and the edge's own as they are", async () => {
  const path = sending(HTML, text, 404);
  for (let request = 0; request < 3; request++) {
    const { fields, body } = await get(path, { host: PAGES, ...BROTLI });
    expect(body.toString()).toContain(`<p>${text}</p>`);
    expect(fields.vary).toEqual(['Accept']);
  }
  const unknown = await get('/', { host: 'unknown.test', ...BROTLI });
  expect([unknown.status, unknown.fields['content-encoding']]).toEqual([421, undefined]);
});

it('does the same over HTTP/2', async () => {
  const path = sending({ ...HTML, ETag: '"v1"', Vary: 'Origin' });
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false, servername: PLAIN });
  try {
    const stream = session.request({ ':path': path, ':authority': PLAIN, 'accept-encoding': 'br' });
    let fields: Readonly<Record<string, unknown>> = {};
    stream.on('response', (given) => {
      fields = given;
    });
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    expect(fields).toMatchObject({
      ':status': 200,
      'content-encoding': 'br',
      etag: 'W/"v1"',
      vary: 'Origin, Accept-Encoding',
    });
    expect(brotliDecompressSync(Buffer.concat(parts)).toString()).toBe(text);
  } finally {
    session.close();
  }
});
