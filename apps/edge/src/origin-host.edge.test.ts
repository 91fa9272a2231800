import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A plugin that puts another name in the place of the visited one, for origins. */
const asking = (hostname: string) => ({ name: 'upstream-host', config: { hostname } });

interface SecureOrigin {
  readonly port: number;
  readonly server: Server;
  /** Server name of each connection. */
  readonly names: (string | false)[];
}

let edge: TestEdge;
let plain: TestOrigin;
let hinting: TcpServer;
let hintingPort: number;
let dir: string;
const secureOrigins: SecureOrigin[] = [];

/** Answers with the server name of the connection and the Host of the request. */
async function startSecureOrigin(): Promise<SecureOrigin> {
  const names: (string | false)[] = [];
  const server = createServer(
    { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) },
    (request, response) => response.end(`${(request.socket as TLSSocket).servername} ${request.headers.host}`),
  );
  server.on('secureConnection', (socket: TLSSocket) =>
    names.push((socket as TLSSocket & { servername: string }).servername),
  );
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = { port, server, names };
  secureOrigins.push(origin);
  return origin;
}
const secureRoute = (hosts: string[], { port }: SecureOrigin, hostname?: string) =>
  testRoute({
    hosts,
    upstream: testUpstream([testTarget(port)], { protocol: 'https' }),
    plugins: hostname === undefined ? [] : [asking(hostname)],
  });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cordon-origin-'));
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=o',
      ...files,
    ],
    {
      stdio: 'ignore',
    },
  );
  plain = await startOrigin((request, response) =>
    response.end(`${request.httpVersion} ${request.headers.host} ${request.headers['x-forwarded-host']}`),
  );
  plain.server.on('upgrade', (request, socket) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\nX-Host: ${request.headers.host}\r\n\r\n`,
    );
  });
  // An origin that sends early hints, which nginx's own proxy cannot read.
  hinting = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const host = /^host: (.*)\r$/im.exec(data.toString('latin1'))?.[1] ?? '';
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
      socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${host.length}\r\n\r\n${host}`);
    });
  });
  hintingPort = await freePort();
  await new Promise<void>((resolve) => hinting.listen(hintingPort, '127.0.0.1', resolve));
  const upstream = testUpstream([testTarget(plain.port)]);
  edge = await startEdge({
    // One worker: each worker keeps connections of its own.
    workers: 1,
    routes: [
      testRoute({ hosts: ['plain.test', '*.plain.test'], upstream, plugins: [asking('asked.test')] }),
      testRoute({ hosts: ['other.test'], upstream }),
      testRoute({ hosts: ['free.test'], tier: 'free', upstream, plugins: [asking('asked.test')] }),
      testRoute({
        hosts: ['hints.test'],
        upstream: testUpstream([testTarget(hintingPort)]),
        plugins: [asking('asked.test')],
      }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await plain?.stop();
  hinting?.close();
  for (const { server } of secureOrigins) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(dir, { recursive: true, force: true });
});

it('is what the origin is asked for over HTTP/1.1, while it learns the visited name beside it', async () => {
  for (const host of ['plain.test', 'shop.plain.test'])
    expect((await edge.request(host)).body).toBe(`1.1 asked.test ${host}`);
});

it('does not cling to a connection that another domain uses next', async () => {
  for (let at = 0; at < 3; at++) {
    expect((await edge.request('plain.test')).body).toBe('1.1 asked.test plain.test');
    expect((await edge.request('other.test')).body).toBe('1.1 other.test other.test');
  }
});

it.each(['plain.test', 'free.test'])('is asked for by websockets of %s', async (host) => {
  const text = await sendRaw(
    edge.httpPort,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1.1 101 /);
  expect(/^x-host: (.*)\r$/im.exec(text)?.[1]).toBe('asked.test');
});

it('is asked of an origin that sends early hints', async () => {
  // The first answer is given up and asked for again.
  expect((await edge.request('hints.test')).status).toBe(307);
  expect(await edge.request('hints.test')).toMatchObject({ status: 200, body: 'asked.test' });
});

it('is server name and Host over https, on connections that many names share', async () => {
  const origin = await startSecureOrigin();
  await edge.deploy(secureRoute(['a.shared.test', 'b.shared.test', '*.shared.test'], origin, 'shared.origin.test'));
  for (const host of ['a.shared.test', 'b.shared.test', 'c.shared.test'])
    expect((await edge.request(host)).body).toBe('shared.origin.test shared.origin.test');
  expect(origin.names).toEqual(['shared.origin.test']);
  // Another domain that asks for the same name may use the same connection.
  await edge.deploy(secureRoute(['d.other.test'], origin, 'shared.origin.test'));
  expect((await edge.request('d.other.test')).body).toBe('shared.origin.test shared.origin.test');
  expect(origin.names).toEqual(['shared.origin.test']);
});

it('never travels on a connection that was opened for another name', async () => {
  const origin = await startSecureOrigin();
  const first = secureRoute(['first.test'], origin);
  await edge.deploy(first);
  for (let at = 0; at < 2; at++) expect((await edge.request('first.test')).body).toBe('first.test first.test');
  expect(origin.names).toEqual(['first.test']);
  // The same domain asks for another name from now on: its kept connection is not used for that.
  await edge.deploy({ ...first, version: 2, plugins: [asking('second.origin.test')] });
  for (let at = 0; at < 2; at++)
    expect((await edge.request('first.test')).body).toBe('second.origin.test second.origin.test');
  // And a neighbour at the same address asks for its own.
  await edge.deploy(secureRoute(['neighbour.test'], origin));
  for (const [host, name] of [
    ['neighbour.test', 'neighbour.test'],
    ['first.test', 'second.origin.test'],
    ['neighbour.test', 'neighbour.test'],
  ] as const)
    expect((await edge.request(host)).body).toBe(`${name} ${name}`);
});

it('is asked for as the visitor came with http_https', async () => {
  const origin = await startSecureOrigin();
  const upstream = testUpstream([testTarget(origin.port)], { protocol: 'http_https' });
  await edge.deploy(testRoute({ hosts: ['both.test'], upstream, plugins: [asking('both.origin.test')] }));
  expect(await secureRequest(edge.httpsPort, 'both.test')).toMatchObject({
    status: 200,
    body: 'both.origin.test both.origin.test',
  });
  const plainUpstream = testUpstream([testTarget(plain.port)], { protocol: 'http_https' });
  await edge.deploy(
    testRoute({ hosts: ['both-plain.test'], upstream: plainUpstream, plugins: [asking('asked.test')] }),
  );
  expect((await edge.request('both-plain.test')).body).toBe('1.1 asked.test both-plain.test');
});
