import { createServer, type Server } from 'node:https';
import { createServer as createSecureServer, type Server as TlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workersOf } from './agent/processes.ts';
import { selfSigned, TestAuthority, type TestCertificate } from './testing/certificates.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
/** Stands for the public CAs: the node's bundle holds it alone. */
let known: TestAuthority;
let own: TestAuthority;
let other: TestAuthority;
const servers: (Server | TlsServer)[] = [];

beforeAll(async () => {
  known = new TestAuthority('Known Authority');
  own = new TestAuthority('Own Authority');
  other = new TestAuthority('Other Authority');
  edge = await startEdge({
    workers: 2,
    environment: { CORDON_CA_BUNDLE: known.file, CORDON_EDGE_RELOAD_SECONDS: '1' },
  });
});
afterAll(async () => {
  await edge?.stop();
  for (const server of servers) server.close();
  for (const authority of [known, own, other]) authority?.remove();
});

interface SecureOrigin {
  readonly port: number;
  requests: number;
  /** Connections on which TLS was finished. */
  connections: number;
  /** What answers to `/held` wait for, and how many do. */
  hold: Promise<void>;
  held: number;
}

async function startSecureOrigin({ key, certificate }: TestCertificate): Promise<SecureOrigin> {
  const origin: SecureOrigin = {
    port: await freePort(),
    requests: 0,
    connections: 0,
    hold: Promise.resolve(),
    held: 0,
  };
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    origin.requests++;
    if (request.url === '/held') {
      origin.held++;
      await origin.hold;
    }
    response.end('origin');
  });
  server.on('secureConnection', () => origin.connections++);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(origin.port, '127.0.0.1', resolve));
  return origin;
}

type Verification = { tls_verification: 'strict' | 'off' } | { tls_verification: 'custom'; tls_ca: string };
const secured = (port: number, verification: Verification) =>
  testUpstream([testTarget(port)], { protocol: 'https', ...verification });
const route = (host: string, port: number, verification: Verification, id?: string) =>
  testRoute({
    hosts: [host],
    ...(id === undefined ? {} : { id }),
    upstream: secured(port, verification),
  });
const STRICT = { tls_verification: 'strict' } as const;
const OFF = { tls_verification: 'off' } as const;
const custom = (...certificates: string[]) => ({ tls_verification: 'custom', tls_ca: certificates.join('') }) as const;

/** Deploys, asks once and returns the status and what the log says about it. */
async function ask(host: string, port: number, verification: Verification) {
  const made = route(host, port, verification);
  await edge.deploy(made);
  const { status } = await edge.request(host);
  const row = await edge.control.row(({ route_id }) => route_id === made.id, `the row of ${host}`);
  return { status, reason: row.reason, action: row.action };
}

describe('strict verification', () => {
  it('lets a certificate of a known authority for the visited name pass', async () => {
    const { port } = await startSecureOrigin(known.sign(['good.test']));
    expect(await ask('good.test', port, STRICT)).toEqual({ status: 200, reason: '', action: '' });
  });

  it.each([
    ['expired', () => known.sign(['expired.test'], true), 'origin_tls_expired'],
    ['name', () => known.sign(['elsewhere.test']), 'origin_tls_name'],
    ['unknown', () => other.sign(['unknown.test']), 'origin_tls_untrusted'],
    ['self', () => selfSigned('self.test'), 'origin_tls_untrusted'],
  ])('refuses what is not: %s', async (kind, make, reason) => {
    const origin = await startSecureOrigin(make());
    expect(await ask(`${kind}.test`, origin.port, STRICT)).toEqual({ status: 502, reason, action: '' });
    expect(origin.requests).toBe(0);
  });

  it('looks at the name that is sent, where a plugin has put another', async () => {
    const { port } = await startSecureOrigin(known.sign(['inner.test']));
    const asking = { name: 'upstream-host', config: { hostname: 'inner.test' } };
    await edge.deploy({ ...route('outer.test', port, STRICT), plugins: [asking] });
    expect((await edge.request('outer.test')).status).toBe(200);
  });

  it('says nothing about certificates when the connection is refused', async () => {
    expect(await ask('nobody.test', await freePort(), STRICT)).toEqual({ status: 502, reason: '', action: '' });
  });
});

describe('verification switched off', () => {
  it('takes any certificate', async () => {
    const { port } = await startSecureOrigin(selfSigned('whatever.test'));
    expect(await ask('off.test', port, OFF)).toEqual({ status: 200, reason: '', action: '' });
  });

  it('shares no connections with a route that verifies', async () => {
    const origin = await startSecureOrigin(selfSigned('shared.test'));
    const made = route('shared.test', origin.port, OFF);
    await edge.deploy(made);
    for (let at = 0; at < 8; at++) expect((await edge.request('shared.test')).status).toBe(200);
    // Kept, so that there is something to lend.
    expect(origin.connections).toBeLessThan(8);
    await edge.deploy(route('shared.test', origin.port, STRICT, made.id));
    for (let at = 0; at < 8; at++) expect((await edge.request('shared.test')).status).toBe(502);
    expect(origin.requests).toBe(8);
  });
});

describe('authorities of its own', () => {
  it('are the only authorities trusted for the origin', async () => {
    const origin = await startSecureOrigin(own.sign(['own.test']));
    expect(await ask('own.test', origin.port, custom(own.pem))).toMatchObject({ status: 200 });
    const foreign = await startSecureOrigin(other.sign(['own-other.test']));
    expect(await ask('own-other.test', foreign.port, custom(own.pem))).toMatchObject({
      status: 502,
      reason: 'origin_tls_untrusted',
    });
    const publicly = await startSecureOrigin(known.sign(['own-known.test']));
    expect(await ask('own-known.test', publicly.port, custom(own.pem))).toMatchObject({ status: 502 });
    expect(foreign.requests + publicly.requests).toBe(0);
  });

  it('can be several, or the server certificate itself', async () => {
    const origin = await startSecureOrigin(other.sign(['several.test']));
    expect(await ask('several.test', origin.port, custom(own.pem, other.pem))).toMatchObject({ status: 200 });
    const made = selfSigned('itself.test');
    const itself = await startSecureOrigin(made);
    expect(await ask('itself.test', itself.port, custom(made.certificate))).toMatchObject({ status: 200 });
  });

  it('are looked at with name and expiry', async () => {
    const expired = await startSecureOrigin(own.sign(['own-expired.test'], true));
    expect(await ask('own-expired.test', expired.port, custom(own.pem))).toMatchObject({
      status: 502,
      reason: 'origin_tls_expired',
    });
    const named = await startSecureOrigin(own.sign(['elsewhere.test']));
    expect(await ask('own-name.test', named.port, custom(own.pem))).toMatchObject({
      status: 502,
      reason: 'origin_tls_name',
    });
  });

  it('no longer count once they are replaced', async () => {
    const origin = await startSecureOrigin(own.sign(['replaced.test']));
    const made = route('replaced.test', origin.port, custom(own.pem));
    await edge.deploy(made);
    expect((await edge.request('replaced.test')).status).toBe(200);
    await edge.deploy(route('replaced.test', origin.port, custom(other.pem), made.id));
    for (let at = 0; at < 4; at++) expect((await edge.request('replaced.test')).status).toBe(502);
    expect(origin.requests).toBe(1);
  });

  it('find room again after an account changed them often, without an end of what is under way', async () => {
    const origin = await startSecureOrigin(own.sign(['often.test', 'slow.test']));
    const slow = route('slow.test', origin.port, custom(own.pem));
    await edge.deploy({ ...slow, upstream: { ...secured(origin.port, custom(own.pem)), read_timeout_ms: 60_000 } });
    let finish = () => {};
    origin.hold = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const underWay = edge.request('slow.test', { path: '/held' });
    await edge.control.until(() => origin.held === 1, 'the request under way');
    const made = route('often.test', origin.port, custom(own.pem));
    const pid = edge.nginxPid;
    const workers = workersOf(pid);
    // Different sets need no different certificates: more than an account gets before nginx makes room.
    for (let at = 0; at < 30; at++)
      await edge.deploy({ ...made, upstream: secured(origin.port, custom(own.pem, `# ${at}\n`)) });
    await edge.control.until(
      () => workersOf(pid).filter((worker) => !workers.includes(worker)).length === 2,
      'two new workers',
    );
    await expect.poll(async () => (await edge.request('often.test')).status).toBe(200);
    expect((await edge.request('own.test')).status).toBe(200);
    finish();
    expect(await underWay).toMatchObject({ status: 200, body: 'origin' });
    expect(edge.nginxPid).toBe(pid);
  });

  it('stay in force for an nginx that is started anew', async () => {
    const origin = await startSecureOrigin(own.sign(['again.test']));
    await edge.deploy(route('again.test', origin.port, custom(own.pem)));
    await edge.stopAgent();
    edge.startAgent();
    await edge.ready();
    expect((await edge.request('again.test')).status).toBe(200);
    expect((await edge.request('own-other.test')).status).toBe(502);
  });

  it('keep apart from new ones after the agent was killed and nginx was not', async () => {
    const fresh = new TestAuthority('Fresh Authority');
    const origin = await startSecureOrigin(own.sign(['fresh.test']));
    const trusting = await startSecureOrigin(fresh.sign(['fresh-own.test']));
    expect((await edge.request('again.test')).status).toBe(200);
    const pid = edge.nginxPid;
    await edge.killAgent();
    edge.startAgent();
    await edge.ready();
    expect(edge.nginxPid).toBe(pid);
    // Workers remember the CA certificates of a location: a new set must not get it.
    await edge.deploy(route('fresh.test', origin.port, custom(fresh.pem)));
    for (let at = 0; at < 4; at++) expect((await edge.request('fresh.test')).status).toBe(502);
    await edge.deploy(route('fresh-own.test', trusting.port, custom(fresh.pem)));
    expect((await edge.request('fresh-own.test')).status).toBe(200);
    expect((await edge.request('again.test')).status).toBe(200);
    fresh.remove();
  });
});

describe('an origin that sends early hints', () => {
  async function startHinting({ key, certificate }: TestCertificate): Promise<number> {
    const server = createSecureServer({ key, cert: certificate }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello');
      });
    });
    servers.push(server);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return port;
  }

  it('is verified on the other way as well', async () => {
    const port = await startHinting(own.sign(['hints-own.test']));
    const made = route('hints-own.test', port, custom(own.pem));
    await edge.deploy(made);
    expect((await edge.request('hints-own.test')).status).toBe(307);
    expect(await edge.request('hints-own.test')).toMatchObject({ status: 200, body: 'hello' });
    await edge.deploy(route('hints-own.test', port, custom(other.pem), made.id));
    expect((await edge.request('hints-own.test')).status).toBe(502);
    await edge.control.row(({ route_id, reason }) => route_id === made.id && reason === 'origin_tls_untrusted');
    await edge.deploy(route('hints-own.test', port, STRICT, made.id));
    expect((await edge.request('hints-own.test')).status).toBe(502);
    await edge.deploy(route('hints-own.test', port, OFF, made.id));
    expect(await edge.request('hints-own.test')).toMatchObject({ status: 200, body: 'hello' });
  });
});
