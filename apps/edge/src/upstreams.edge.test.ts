import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { secureRequest } from './testing/secure-request.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
const origins: TestOrigin[] = [];
let deadPort: number;
let silentPort: number;
const silent = createTcpServer(() => {});

async function named(name: string): Promise<number> {
  const origin = await startOrigin((request, response) => {
    request.resume();
    if (request.url === '/status-502') response.statusCode = 502;
    request.on('end', () => response.end(name));
  });
  origins.push(origin);
  return origin.port;
}

beforeAll(async () => {
  deadPort = await freePort();
  silentPort = await freePort();
  await new Promise<void>((resolve) => silent.listen(silentPort, '127.0.0.1', resolve));
  // One worker: each worker has its own round robin.
  edge = await startEdge({ workers: 1 });
});

afterAll(async () => {
  await edge?.stop();
  for (const origin of origins) await origin.stop();
  silent.close();
});

const bodies = async (host: string, count: number) => {
  const found: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const { status, body } = await edge.request(host);
    const key = status === 200 ? body : String(status);
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
};

describe('targets', () => {
  it('share the requests by their weights', async () => {
    const targets = [testTarget(await named('a'), { weight: 3 }), testTarget(await named('b'), { weight: 1 })];
    await edge.deploy(testRoute({ hosts: ['weights.test'], upstream: testUpstream(targets) }));
    expect(await bodies('weights.test', 40)).toEqual({ a: 30, b: 10 });
  });

  it('stand in for one that refuses connections, and for a while leave it out', async () => {
    const targets = [testTarget(deadPort), testTarget(await named('alive'))];
    const upstream = testUpstream(targets, { max_fails: 2, fail_timeout_ms: 60_000 });
    const route = testRoute({ hosts: ['retry.test'], upstream });
    await edge.deploy(route);
    expect(await bodies('retry.test', 10)).toEqual({ alive: 10 });
    const row = await edge.control.row(({ host, path }) => host === 'retry.test' && path === '/');
    expect(row).toMatchObject({ status: 200, upstream_status: 200 });
    await edge.control.until(
      () => JSON.stringify(edge.control.heartbeats.at(-1) ?? '').includes(`127.0.0.1:${deadPort}`),
      'a heartbeat that names the target that is down',
    );
    const rows = edge.control.rows.filter(({ host }) => host === 'retry.test');
    expect(rows).toHaveLength(10);
  });

  it('that failed a request are not tried again by it, whatever their weight', async () => {
    const targets = [testTarget(deadPort, { weight: 100 }), testTarget(await named('light'))];
    const upstream = testUpstream(targets, { tries: 2, max_fails: 1000 });
    await edge.deploy(testRoute({ hosts: ['heavy.test'], upstream }));
    expect(await bodies('heavy.test', 10)).toEqual({ light: 10 });
  });

  it('that are backups answer only while no other does', async () => {
    const alive = await named('primary');
    const backup = testTarget(await named('backup'), { backup: true });
    await edge.deploy(testRoute({ hosts: ['spare.test'], upstream: testUpstream([testTarget(alive), backup]) }));
    expect(await bodies('spare.test', 5)).toEqual({ primary: 5 });
    const upstream = testUpstream([testTarget(deadPort), backup], { max_fails: 1 });
    await edge.deploy(testRoute({ hosts: ['spare2.test'], upstream }));
    expect(await bodies('spare2.test', 5)).toEqual({ backup: 5 });
  });

  it('that all fail give 502 of the edge, or 504 when they are silent', async () => {
    await edge.deploy(testRoute({ hosts: ['dead.test'], upstream: testUpstream([testTarget(deadPort)]) }));
    const dead = await edge.request('dead.test');
    expect(dead.status).toBe(502);
    expect(dead.body).toContain('Origin unreachable');
    const upstream = testUpstream([testTarget(silentPort)], { read_timeout_ms: 200 });
    await edge.deploy(testRoute({ hosts: ['silent.test'], upstream }));
    const late = await edge.request('silent.test');
    expect(late.status).toBe(504);
    expect(late.body).toContain('Origin too slow');
  });

  it('keep their own error pages', async () => {
    await edge.deploy(
      testRoute({ hosts: ['own.test'], upstream: testUpstream([testTarget(await named('own page'))]) }),
    );
    expect(await edge.request('own.test', { path: '/status-502' })).toMatchObject({ status: 502, body: 'own page' });
  });

  it('are not sent a request a second time once its body has gone out', async () => {
    let posts = 0;
    const breaking = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        posts++;
        socket.destroy();
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => breaking.listen(port, '127.0.0.1', resolve));
    const upstream = testUpstream([testTarget(port), testTarget(port, { host: '127.0.0.1' })], { tries: 2 });
    await edge.deploy(testRoute({ hosts: ['post.test'], upstream }));
    expect((await edge.request('post.test', { method: 'POST', body: 'x' })).status).toBe(502);
    expect(posts).toBe(1);
    breaking.close();
  });

  it('with addresses that are special, or our own, are refused', async () => {
    const hosts = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '0.0.0.0', '::ffff:127.0.0.1'];
    const targets = hosts.map((host) => testTarget(9, { host }));
    await edge.deploy(testRoute({ hosts: ['special.test'], upstream: testUpstream(targets) }));
    const answer = await edge.request('special.test');
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('No origin');
    expect(await edge.control.row(({ host }) => host === 'special.test')).toMatchObject({ reason: 'no_upstream' });
  });

  it("with another node's address are refused as soon as the node is known", async () => {
    const { settings } = edge.control;
    const target = testTarget(80, { host: '198.41.0.4' });
    edge.control.setSettings({ ...settings, own_addresses: ['127.0.0.1', '198.41.0.4'] });
    await edge.deploy(testRoute({ hosts: ['node.test'], upstream: testUpstream([target], { tries: 1 }) }));
    await edge.request('node.test');
    const row = await edge.control.row(({ host }) => host === 'node.test');
    edge.control.setSettings(settings);
    // Nobody has forbidden anything: it is no blocked request.
    expect(row).toMatchObject({ status: 502, action: '', reason: 'no_upstream', upstream_address: '' });
  });

  it('by name are resolved', async () => {
    const port = await named('by name');
    const route = testRoute({
      hosts: ['name.test'],
      upstream: testUpstream([testTarget(port, { host: 'localhost' })]),
    });
    await edge.deploy(route);
    const deadline = Date.now() + 5000;
    let answer = await edge.request('name.test');
    while (answer.status !== 200 && Date.now() < deadline) answer = await edge.request('name.test');
    expect(answer.body).toBe('by name');
  });
});

describe('an https origin', () => {
  let server: SecureServer;
  let port: number;
  let dir: string;
  /** Server name of each connection. */
  const names: (string | false)[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'cordon-origin-'));
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=o', ...files],
      { stdio: 'ignore' },
    );
    server = createSecureServer(
      { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) },
      (request, response) => response.end(`${(request.socket as TLSSocket).servername} ${request.headers.host}`),
    );
    server.on('secureConnection', (socket: TLSSocket) =>
      names.push((socket as TLSSocket & { servername: string }).servername),
    );
    port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const secure = (name: string) =>
    testRoute({ hosts: [name], upstream: testUpstream([testTarget(port)], { protocol: 'https' }) });

  it('sees the visited name, on connections that are kept while it is the only one', async () => {
    await edge.deploy(secure('tls-a.test'));
    for (let at = 0; at < 3; at++) expect((await edge.request('tls-a.test')).body).toBe('tls-a.test tls-a.test');
    expect(names).toEqual(['tls-a.test']);
  });

  it('never sees a request of one name on a connection of another', async () => {
    await edge.deploy(secure('tls-b.test'));
    for (let at = 0; at < 6; at++) {
      const name = at % 2 === 0 ? 'tls-a.test' : 'tls-b.test';
      expect((await edge.request(name)).body).toBe(`${name} ${name}`);
    }
    expect(names.slice(-2)).toEqual(['tls-a.test', 'tls-b.test']);
    expect(names.length).toBeGreaterThanOrEqual(6);
  });

  it('is spoken to as the visitor came with http_https', async () => {
    const upstream = testUpstream([testTarget(port)], { protocol: 'http_https' });
    await edge.deploy(testRoute({ hosts: ['both.test'], upstream }));
    // Plain HTTP to the port that speaks TLS only.
    expect((await edge.request('both.test')).status).toBe(502);
    expect(await secureRequest(edge.httpsPort, 'both.test')).toMatchObject({
      status: 200,
      body: 'both.test both.test',
    });
  });
});
