import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
let arrived: string[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      arrived.push(`${request.method} ${request.url} ${body}`);
      response.end('ok');
    });
    request.on('error', () => {});
  });
  const denied = { allow: [], deny: ['8.8.8.8'], whitelistMode: false, blacklistMode: true, allow_spiders: false };
  edge = await startEdge({
    routes: [
      testRoute({ hosts: ['site.test'], upstream: testUpstream([testTarget(origin.port)]) }),
      testRoute({
        hosts: ['denied.test'],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [{ name: 'ip-restriction', config: denied }],
      }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

beforeEach(() => {
  arrived = [];
});

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: site.test\r\n\r\n';

describe('request smuggling', () => {
  it.each([
    [
      'Content-Length with Transfer-Encoding',
      `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'two Content-Length fields',
      `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a Content-Length that is no number', `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: +0\r\n\r\n${HIDDEN}`],
    [
      'an unknown transfer coding',
      `POST / HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'two transfer codings',
      `POST / HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['two Host fields', `GET / HTTP/1.1\r\nHost: site.test\r\nHost: denied.test\r\n\r\n`],
    ['a space before the colon', `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length : 5\r\n\r\nhello`],
    ['a folded line', `GET / HTTP/1.1\r\nHost: site.test\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['a NUL in a field', `GET / HTTP/1.1\r\nHost: site.test\r\nX-A: b\0c\r\n\r\n`],
    [
      'Transfer-Encoding in HTTP/1.0',
      `POST / HTTP/1.0\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ])('by %s is refused and reaches no origin', async (_, bytes) => {
    const answer = await sendRaw(edge.httpPort, bytes);
    expect(answer).toMatch(/^HTTP\/1.1 (400|501) /);
    expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(arrived).toEqual([]);
  });

  it.each([
    ['a size that is no number', 'zz\r\nhello\r\n0\r\n\r\n'],
    ['a size beyond all bounds', 'fffffffffffffffff1\r\nhello\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
    ['a negative size', '-1\r\nhello\r\n0\r\n\r\n'],
  ])('by %s of a chunk ends the request', async (_, body) => {
    const answer = await sendRaw(
      edge.httpPort,
      `POST / HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    );
    expect(answer).not.toMatch(/^HTTP\/1.1 [23]/);
    expect((await edge.request('site.test', { path: '/next' })).status).toBe(200);
    expect(arrived).toEqual(['GET /next ']);
  });

  it('by chunk extensions and trailers reaches the origin as one plain request', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      'POST /x HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(arrived).toEqual(['POST /x hello']);
  });

  it('by field names with an underscore is dropped', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      'GET /underscore HTTP/1.1\r\nHost: site.test\r\nTransfer_Encoding: chunked\r\nX_Forwarded_For: 1.1.1.1\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(arrived).toEqual(['GET /underscore ']);
    expect(JSON.stringify(origin.requests.at(-1)?.rawHeaders)).not.toContain('_');
  });

  it('by the body of a refused request is not read as a request', async () => {
    const head = 'Host: denied.test\r\nCordon-Demo-Secret: demo-secret-of-the-tests\r\nX-Forwarded-For: 8.8.8.8\r\n';
    const answer = await sendRaw(
      edge.httpPort,
      `POST / HTTP/1.1\r\n${head}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(arrived).toEqual([]);
  });

  it.each(['text/html', 'application/json'])('by a body that waits to be asked for: it is not (%s)', async (type) => {
    const field = 'Cordon-Demo-Secret: demo-secret-of-the-tests\r\nX-Forwarded-For: 8.8.8.8\r\n';
    const head = `POST / HTTP/1.1\r\nHost: denied.test\r\n${field}Accept: ${type}\r\nExpect: 100-continue\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`;
    for (const body of ['', HIDDEN]) {
      const answer = await sendRaw(edge.httpPort, head + body);
      expect(answer).toMatch(/^HTTP\/1.1 403 /);
      expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1);
    }
    expect(arrived).toEqual([]);
  });

  it('by the body of a request to an unknown host is not read as a request', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      `POST / HTTP/1.1\r\nHost: unknown.test\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 421 /);
    expect(arrived).toEqual([]);
  });
});

it.each([
  ['a field that is none', 400, '/', 'Content-Length: x'],
  ['a path above the root', 400, '/..', ''],
  ['a broken escape', 400, '/%zz', ''],
  ['a target that is none', 400, 'x', ''],
  ['a target that is too long', 414, `/${'a'.repeat(20_000)}`, ''],
])('pages for broken requests are ours: %s', async (_, status, target, field) => {
  const answer = await sendRaw(
    edge.httpPort,
    `GET ${target} HTTP/1.1\r\nHost: site.test\r\nAccept: text/html\r\n${field}${field === '' ? '' : '\r\n'}\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain('Cordon');
  expect(answer).not.toContain('<center>nginx</center>');
});
