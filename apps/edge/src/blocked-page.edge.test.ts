import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw, sendRawSecurely } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** nginx answers a blocked request by itself, with what the runner would answer it with. */

const BLOCKED = '45.9.9.9';
const HOST = 'blocked.test';
/** Whoever sends this is answered by the runner, although it is no test. */
const BY_RUNNER = 'Cordon-Test: none\r\n';

let origin: TestOrigin;
let edge: TestEdge;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const restriction = {
    name: 'ip-restriction',
    config: { allow: [], deny: [BLOCKED], whitelistMode: false, blacklistMode: true, allow_spiders: true },
  };
  edge = await startEdge({
    workers: 1,
    environment: { CORDON_TRUSTED_PROXIES: '127.0.0.1' },
    routes: [testRoute({ hosts: [HOST], upstream, plugins: [restriction] })],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const head = (start = 'GET / HTTP/1.1', more = 'Accept: text/html\r\n') =>
  `${start}\r\nHost: ${HOST}\r\nX-Forwarded-For: ${BLOCKED}\r\n${more}`;
const ask = (start?: string, more?: string) => sendRaw(edge.httpPort, `${head(start, more)}Connection: close\r\n\r\n`);

/** An answer without what is different each time. */
function alike(answer: string) {
  const id = /x-request-id: ([0-9a-f]{32})/i.exec(answer)?.[1] ?? 'none';
  const [fields = '', ...body] = answer.replaceAll(id, '{id}').split('\r\n\r\n');
  const lines = fields.split('\r\n').filter((line) => !/^date:/i.test(line));
  return { fields: lines.map((line) => line.toLowerCase()).toSorted(), body: body.join('\r\n\r\n') };
}

/** nginx writes the length that it knows itself before `Connection`, and fields that were set by name after it. */
const isAnsweredByNginx = (answer: string) => /^content-length: \d+\r\nconnection: /im.test(answer);

it.each([
  ['a page', 'GET / HTTP/1.1', 'Accept: text/html\r\n'],
  ['a page in Chinese', 'GET / HTTP/1.1', 'Accept: text/html\r\nAccept-Language: zh-CN\r\n'],
  ['a page, whatever the path looks like', 'GET /a/photo.jpg?x=1 HTTP/1.1', ''],
  ['JSON', 'GET / HTTP/1.1', 'Accept: application/json\r\n'],
  ['a head alone', 'HEAD / HTTP/1.1', 'Accept: text/html\r\n'],
  ['a page after a body', 'POST / HTTP/1.1', 'Content-Length: 3\r\n'],
  ['a page of HTTP/1.0', 'GET / HTTP/1.0', ''],
])('is %s', async (_, start, more) => {
  const [byNginx, byRunner] = await Promise.all([ask(start, more), ask(start, more + BY_RUNNER)]);
  expect(byNginx).toMatch(/^HTTP\/1\.1 403 /);
  expect([isAnsweredByNginx(byNginx), isAnsweredByNginx(byRunner)]).toEqual([!more.includes('json'), false]);
  const answer = alike(byNginx);
  expect(answer).toEqual(alike(byRunner));
  expect(answer.fields).toContain('cache-control: no-store');
  expect(answer.body.includes('{id}')).toBe(!start.startsWith('HEAD'));
});

it('names the request three times on the page, and its owner and abuse contact', async () => {
  const { body } = alike(await ask());
  expect(body.split('{id}')).toHaveLength(4);
  expect(body).toContain('https://console.cordon.test/#/domain/list?request={id}');
  expect(body).toContain('mailto:abuse@cordon.test');
});

it('is the same over TLS', async () => {
  const secure = await sendRawSecurely(edge.httpsPort, HOST, `${head()}Connection: close\r\n\r\n`);
  expect(alike(secure)).toEqual(alike(await ask()));
});

it('leaves the connection to the next request, and takes no body for one', async () => {
  const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const post = `${head('POST / HTTP/1.1', `Content-Length: ${smuggled.length}\r\n`)}\r\n${smuggled}`;
  const next = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
  const answers = (await sendRaw(edge.httpPort, post + next)).match(/HTTP\/1\.1 \d{3}/g);
  expect(answers).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200']);
  const broken = await sendRaw(
    edge.httpPort,
    `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked\r\n')}\r\nzz\r\n${next}`,
  );
  expect(broken).toMatch(/^HTTP\/1\.1 400 /);
  expect(broken.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
});
