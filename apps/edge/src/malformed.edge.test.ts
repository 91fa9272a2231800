import { connect as connectHttp2 } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw, sendRawSecurely } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Requests that nginx gives up before, or while, the runner sees them. */

const HOSTS = ['site.test', 'unknown.test'] as const;

let edge: TestEdge;
let origin: TestOrigin;
let site: ReturnType<typeof testRoute>;
interface Answered {
  readonly id: string;
  readonly status: number;
  /** Whose row it is to be; empty where nobody can tell. */
  readonly host: string;
  readonly hasLink: boolean;
}
const answered: Answered[] = [];

beforeAll(async () => {
  origin = await startOrigin();
  site = testRoute({ hosts: [HOSTS[0]], upstream: testUpstream([testTarget(origin.port)]) });
  edge = await startEdge({
    // Rows of one worker come in the order of its answers.
    workers: 1,
    routes: [site],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

interface Malformed {
  readonly name: string;
  readonly status: number;
  readonly line?: string;
  /** Header fields behind Host, and the body. */
  readonly rest?: string;
  /** nginx reads no further than the line: without TLS, nothing says whose request it is. */
  readonly endsAtLine?: true;
  /** The target names another host. */
  readonly isOfOther?: true;
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const requests: readonly Malformed[] = [
  { name: 'an escaped NUL', status: 400, line: 'GET /%00 HTTP/1.1', endsAtLine: true },
  { name: 'an escape that is none', status: 400, line: 'GET /%zz HTTP/1.1', endsAtLine: true },
  { name: 'an escape that ends early', status: 400, line: 'GET /a%5 HTTP/1.1', endsAtLine: true },
  { name: 'a path above the root', status: 400, line: 'GET /../../x HTTP/1.1', endsAtLine: true },
  { name: 'a method in lower case', status: 400, line: 'get / HTTP/1.1', endsAtLine: true },
  { name: 'the asterisk', status: 400, line: 'OPTIONS * HTTP/1.1', endsAtLine: true },
  { name: 'the authority form', status: 400, line: 'CONNECT site.test:443 HTTP/1.1', endsAtLine: true },
  { name: 'CONNECT with a path', status: 405, line: 'CONNECT / HTTP/1.1' },
  { name: 'TRACE', status: 405, line: 'TRACE / HTTP/1.1' },
  { name: 'a version that there is not', status: 400, line: 'GET / HTTP/9.9', endsAtLine: true },
  { name: 'another protocol', status: 400, line: 'GET / HTTX/1.1', endsAtLine: true },
  { name: 'the preface of HTTP/2 later than it may come', status: 400, line: '\r\nPRI * HTTP/2.0', endsAtLine: true },
  { name: 'a blank in the path', status: 400, line: 'GET /p x HTTP/1.1', endsAtLine: true },
  { name: 'a control character in the path', status: 400, line: 'GET /a\x01b HTTP/1.1', endsAtLine: true },
  { name: 'a blank in an absolute target', status: 400, line: 'GET http://a b/x HTTP/1.1', endsAtLine: true },
  { name: 'an absolute target without host', status: 400, line: 'GET http:///x HTTP/1.1', endsAtLine: true },
  { name: 'bytes of TLS', status: 400, line: '\x16\x03\x01\x02\x00\x01\x00', endsAtLine: true },
  { name: 'a path of 20 kB', status: 414, line: `GET /${'a'.repeat(20_000)} HTTP/1.1`, endsAtLine: true },
  { name: 'a query of 20 kB', status: 414, line: `GET /?${'a'.repeat(20_000)} HTTP/1.1`, endsAtLine: true },
  { name: 'a field of 20 kB', status: 431, rest: `X: ${'a'.repeat(20_000)}\r\n\r\n` },
  { name: 'fields of 72 kB', status: 431, rest: `${`X: ${'a'.repeat(12_000)}\r\n`.repeat(6)}\r\n` },
  { name: '300 fields', status: 400, rest: `Connection: close\r\n${'X: a\r\n'.repeat(300)}\r\n` },
  { name: 'a fragment', status: 400, line: 'GET /a#/../b HTTP/1.1', rest: 'Connection: close\r\n\r\n' },
  {
    name: 'a fragment of an absolute target',
    status: 400,
    line: 'GET http://a/#b HTTP/1.1',
    isOfOther: true,
    rest: 'Connection: close\r\n\r\n',
  },
  { name: 'a second Host', status: 400, rest: 'Host: site.test\r\n\r\n' },
  { name: 'a NUL in a field', status: 400, rest: 'X: a\0b\r\n\r\n' },
  { name: 'a blank in the name of a field', status: 400, rest: 'X y: a\r\n\r\n' },
  { name: 'a folded field', status: 400, rest: 'X: a\r\n b\r\n\r\n' },
  { name: 'a length that is none', status: 400, rest: 'Content-Length: x\r\n\r\n' },
  { name: 'two lengths', status: 400, rest: 'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab' },
  { name: 'a length beside chunks', status: 400, rest: `Content-Length: 4\r\n${CHUNKED}0\r\n\r\n` },
  { name: 'a transfer encoding that is not known', status: 501, rest: 'Transfer-Encoding: gzip\r\n\r\n' },
  { name: 'a chunk without size', status: 400, rest: `${CHUNKED}zz\r\n` },
  { name: 'a chunk longer than its size', status: 400, rest: `${CHUNKED}3\r\nabcdef\r\n` },
  { name: 'a chunk of a size that nothing can have', status: 400, rest: `${CHUNKED}fffffffffffffffff\r\n` },
  {
    name: 'a bad chunk behind a bad path',
    status: 400,
    line: 'GET /%zz HTTP/1.1',
    rest: `${CHUNKED}zz\r\n`,
    endsAtLine: true,
  },
];

/** Rows of all that was answered. */
async function allLogged() {
  const last = await edge.request('site.test');
  const lastId = last.headers['x-request-id'];
  await edge.control.row(({ request_id }) => request_id === lastId);
  const ids = new Set(answered.map(({ id }) => id));
  return { rows: edge.control.rows.filter(({ request_id }) => ids.has(request_id)) };
}

/** The page is the deployment's brand's; what the log has of it, the last test looks at. */
function expectPage(id: string | undefined, body: string, status: number, host: string): void {
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(body).toContain(`<code>${id}</code>`);
  expect(body).toContain('<strong>Cordon</strong>');
  answered.push({ id: String(id), status, host, hasLink: body.includes(`/#/domain/list?request=${id}`) });
}

const ways = [
  ['HTTP', (_: string, bytes: Buffer) => sendRaw(edge.httpPort, bytes)],
  ['HTTPS', (host: string, bytes: Buffer) => sendRawSecurely(edge.httpsPort, host, bytes)],
] as const;

describe.concurrent.each(HOSTS)('a malformed request to %s', (host) => {
  it.each(requests)('gets $status and the brand’s page: $name', async ({ status, line, rest, ...is }) => {
    const bytes = Buffer.from(`${line ?? 'POST / HTTP/1.1'}\r\nHost: ${host}\r\n${rest ?? '\r\n'}`, 'latin1');
    await Promise.all(
      ways.map(async ([way, send]) => {
        const answer = await send(host, bytes);
        expect([way, answer.slice(0, 13)]).toEqual([way, `HTTP/1.1 ${status} `]);
        // What follows cannot be told from the rest of a broken request.
        expect(answer).toMatch(/^Connection: close\r$/im);
        expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
        const isUnknown = is.isOfOther || (way === 'HTTP' && is.endsAtLine);
        expectPage(/^X-Request-Id: (\w+)/im.exec(answer)?.[1], answer, status, isUnknown ? '' : host);
      }),
    );
  });

  it.each([
    ['a path without slash', 400, { ':path': '@x' }],
    ['an escaped NUL', 400, { ':path': '/%00' }],
    ['an escape that is none', 400, { ':path': '/%zz' }],
    ['a path above the root', 400, { ':path': '/../x' }],
    ['the asterisk', 400, { ':path': '*', ':method': 'OPTIONS' }],
    ['a method in lower case', 400, { ':method': 'get' }],
    ['a fragment', 400, { ':path': '/a#b?c' }],
    ['TRACE', 405, { ':method': 'TRACE' }],
    ['a blank in the path', 400, { ':path': '/a b' }],
    ['a length that is none', 400, { ':method': 'POST', 'content-length': 'x' }],
    ['a path of 20 kB', 414, { ':path': `/${'a'.repeat(20_000)}` }],
    ['a query of 20 kB', 414, { ':path': `/?${'a'.repeat(20_000)}` }],
    ['a field of 20 kB', 431, { x: 'a'.repeat(20_000) }],
    ['cookies of 20 kB', 431, { cookie: ['a=1', `b=${'a'.repeat(10_000)}`, `c=${'a'.repeat(10_000)}`] }],
  ])('of HTTP/2 gets the same: %s', async (_, status, fields) => {
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
      rejectUnauthorized: false,
      servername: host,
    });
    const answer = await new Promise<{ status: unknown; id: unknown; body: string }>((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({ ':path': '/', ':authority': host, ...fields });
      let head: Record<string, unknown> = {};
      let body = '';
      stream.on('response', (headers) => {
        head = headers;
      });
      stream.on('data', (part) => {
        body += part;
      });
      stream.on('error', reject);
      stream.on('end', () => resolve({ status: head[':status'], id: head['x-request-id'], body }));
    });
    session.destroy();
    expect(answer.status).toBe(status);
    expectPage(String(answer.id), answer.body, status, host);
  });
});

it('a request without head gets the page of the brand, too', async () => {
  const body = await sendRaw(edge.httpPort, 'GET /%zz\r\n');
  expectPage(/<code>(\w+)</.exec(body)?.[1], body, 400, '');
});

it('a request over HTTP to the port of HTTPS gets the page of the brand', async () => {
  const answer = await sendRaw(edge.httpsPort, 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expectPage(/^X-Request-Id: (\w+)/im.exec(answer)?.[1], answer, 400, 'site.test');
});

it('each malformed request has one row of the log, reaches no origin and is no fault of ours', async () => {
  const { rows } = await allLogged();
  const sort = (of: readonly { id: string; status: number }[]) => of.map(({ id, status }) => `${id} ${status}`).sort();
  expect(answered).toHaveLength(2 * (2 * requests.length + 14) + 2);
  expect(sort(rows.map(({ request_id, status }) => ({ id: request_id, status })))).toEqual(sort(answered));
  for (const row of rows) expect(row).toMatchObject({ action: 'block', reason: 'bad_request', plugin: '', query: '' });
  expect(new Set(origin.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(edge.stderr).not.toContain('the runner met faults');
});

it('the row is of the domain that the request was for, where anything says so, and the page then leads its owner to it', async () => {
  const { rows } = await allLogged();
  const found = answered.map(({ id, host, hasLink }) => {
    const row = rows.find(({ request_id }) => request_id === id);
    return { id, host, isRowOf: row?.route_id ?? '', named: row?.host, hasLink };
  });
  const isOfSite = (host: string) => host === HOSTS[0];
  expect(found).toEqual(
    found.map((one) => ({
      ...one,
      named: one.host === '' ? one.named : one.host,
      isRowOf: isOfSite(one.host) ? site.id : '',
      hasLink: isOfSite(one.host),
    })),
  );
});
