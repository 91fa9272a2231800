import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts';
import { slowdown } from '../../../tests/support/slowness.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer({
    // Real crawlers' names at addresses that none of their published ranges holds.
    '1.100.51.198.in-addr.arpa': { PTR: 'baiduspider-1.crawl.baidu.com' },
    'baiduspider-1.crawl.baidu.com': { A: ['198.51.100.1'] },
    '2.100.51.198.in-addr.arpa': { PTR: 'baiduspider-2.crawl.baidu.com' },
    'baiduspider-2.crawl.baidu.com': { A: ['198.51.100.99'] },
    '3.100.51.198.in-addr.arpa': { PTR: 'crawl.baidu.com.evil.test' },
    'crawl.baidu.com.evil.test': { A: ['198.51.100.3'] },
    '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': {
      PTR: 'baiduspider-6.crawl.baidu.com',
    },
    'baiduspider-6.crawl.baidu.com': { AAAA: ['2001:db8::1'] },
    '8.100.51.198.in-addr.arpa': { PTR: 'baiduspider-8.crawl.baidu.com' },
    'baiduspider-8.crawl.baidu.com': { A: ['198.51.100.8'] },
    '9.100.51.198.in-addr.arpa': { PTR: 'baiduspider-9.crawl.baidu.com' },
    'baiduspider-9.crawl.baidu.com': { A: ['198.51.100.9'] },
    '4.100.51.198.in-addr.arpa': { PTR: 'xbaidu.com' },
    'xbaidu.com': { A: ['198.51.100.4'] },
    'origin.test': { A: ['127.0.0.1'] },
    'metadata.test': { A: ['169.254.169.254'] },
  });
  origin = await startOrigin((_, response) => response.end('origin'));
  const config = { allow: ['1.1.1.1'], deny: [], whitelistMode: true, blacklistMode: false, allow_spiders: true };
  const limit = { banpath: '.*', findtime: 3600, maxretry: 2, bantime: '1h', only_dynamic: false };
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    environment: {
      CORDON_DEMO_SECRET: '',
      CORDON_TRUSTED_PROXIES: '127.0.0.0/8, 10.1.0.0/16',
      CORDON_RESOLVER: dns.address,
      CORDON_EDGE_RESOLVE_SECONDS: '0.2',
    },
    // All requests meet in it.
    workers: 1,
    routes: [
      testRoute({ hosts: ['plain.test'], upstream }),
      testRoute({ hosts: ['limited.test'], upstream, plugins: [{ name: 'request-limit', config: limit }] }),
      testRoute({ hosts: ['guarded.test'], upstream, plugins: [{ name: 'ip-restriction', config }] }),
      testRoute({
        hosts: ['combined.test'],
        upstream,
        plugins: [
          { name: 'ip-restriction', config: { ...config, allow_spiders: false } },
          {
            name: 'geoip',
            config: {
              mode: 'Whitelist',
              blacklist_countries: [],
              whitelist_countries: ['DE'],
              whitelist_ips: [],
              combine_geoip: true,
            },
          },
        ],
      }),
      testRoute({
        hosts: ['named.test'],
        upstream: testUpstream([testTarget(origin.port, { host: 'origin.test' })]),
      }),
      testRoute({ hosts: ['meta.test'], upstream: testUpstream([testTarget(80, { host: 'metadata.test' })]) }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  await dns?.close();
});

describe('behind trusted proxies the client', () => {
  const clientOf = async (forwarded: string) => {
    await edge.request('plain.test', { headers: { 'X-Forwarded-For': forwarded } });
    return origin.requests.at(-1)?.headers['x-forwarded-for'];
  };

  it('is the last hop that is none of them', async () => {
    expect(await clientOf('8.8.8.8')).toBe('8.8.8.8');
    expect(await clientOf('6.6.6.6, 8.8.8.8, 10.1.2.3')).toBe('8.8.8.8');
    expect(await clientOf('8.8.8.8,10.1.0.1 , 10.1.0.2')).toBe('8.8.8.8');
    expect(await clientOf('10.1.0.1')).toBe('10.1.0.1');
  });

  it('is the last good hop when an entry is no address', async () => {
    expect(await clientOf('8.8.8.8, nonsense, 10.1.2.3')).toBe('10.1.2.3');
    expect(await clientOf('unknown')).toBe('127.0.0.1');
    expect(await clientOf('')).toBe('127.0.0.1');
  });
});

describe('a crawler', () => {
  const BAIDU = 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)';
  // The agent asks for the names of origins at any moment.
  const timesAsked = (name: string) => dns.asked.filter((question) => question.name === name).length;
  const visit = async (from: string, userAgent: string) =>
    (await edge.request('guarded.test', { headers: { 'X-Forwarded-For': from, 'User-Agent': userAgent } })).status;

  it('is believed when its name and its address lead to each other', async () => {
    expect(await visit('198.51.100.1', BAIDU)).toBe(200);
    expect(timesAsked('1.100.51.198.in-addr.arpa')).toBe(1);
    expect(await visit('198.51.100.1', BAIDU)).toBe(200);
    expect(timesAsked('1.100.51.198.in-addr.arpa')).toBe(1);
    expect(await visit('2001:db8::1', BAIDU)).toBe(200);
    expect(await visit('2001:db8::2', BAIDU)).toBe(403);
  });

  it('is not asked about when it claims to be none', async () => {
    expect(await visit('198.51.100.1', 'curl/8')).toBe(403);
    expect(timesAsked('1.100.51.198.in-addr.arpa')).toBe(1);
  });

  it('is not believed when its name leads elsewhere, is of another domain, or is missing', async () => {
    for (const last of [2, 3, 4, 5]) expect(await visit(`198.51.100.${last}`, BAIDU)).toBe(403);
  });

  it('is not believed while DNS is silent, and others do not wait for it', async () => {
    dns.isSilent = true;
    const start = performance.now();
    const slow = visit('198.51.100.7', BAIDU);
    expect((await edge.request('plain.test')).status).toBe(200);
    expect((performance.now() - start) / slowdown()).toBeLessThan(500);
    expect(await slow).toBe(403);
    expect((performance.now() - start) / slowdown()).toBeLessThan(3000);
    dns.isSilent = false;
  });

  it('is judged by its own domain, whatever others are refused for while DNS is asked', async () => {
    const answer = dns.hold();
    const crawler = visit('198.51.100.8', BAIDU);
    await edge.control.until(() => timesAsked('8.100.51.198.in-addr.arpa') > 0, 'the question');
    expect((await edge.request('combined.test', { headers: { 'X-Forwarded-For': '198.41.128.7' } })).status).toBe(403);
    answer();
    expect(await crawler).toBe(200);
  });

  it('is refused and not banned for too many requests while DNS is silent, or too much is being asked', async () => {
    const limited = async (from: string, userAgent = BAIDU) => {
      const headers = { 'X-Forwarded-For': from, 'User-Agent': userAgent };
      return (await edge.request('limited.test', { headers })).status;
    };
    const exceed = async (from: string, userAgent?: string) => {
      await limited(from, userAgent);
      return limited(from, userAgent);
    };
    const isBanned = (client: string) => edge.control.bans.some(({ network }) => network === client);
    dns.isSilent = true;
    // More than the worker asks about at a time.
    const clients = Array.from({ length: 40 }, (_, at) => `198.51.101.${at}`);
    try {
      expect(new Set(await Promise.all(clients.map((client) => exceed(client))))).toEqual(new Set([429]));
      expect(await limited(clients[0] ?? '')).toBe(429);
    } finally {
      dns.isSilent = false;
    }
    // Clients that are no crawlers are banned: any ban from before has been reported by then.
    expect([await exceed('198.51.100.5'), await exceed('198.51.100.6', 'curl/8')]).toEqual([429, 429]);
    await edge.control.until(() => isBanned('198.51.100.5') && isBanned('198.51.100.6'), 'the bans');
    expect(clients.filter(isBanned)).toEqual([]);
  });

  it('is believed again soon after many who claimed to be one have left while DNS was asked', async () => {
    dns.isSilent = true;
    const left = Array.from({ length: 40 }, (_, at) => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `GET / HTTP/1.1\r\nHost: guarded.test\r\nX-Forwarded-For: 198.51.102.${at}\r\nUser-Agent: ${BAIDU}\r\n\r\n`,
      );
      return socket;
    });
    try {
      const isAsked = (at: number) => timesAsked(`${at}.102.51.198.in-addr.arpa`) > 0;
      await edge.control.until(() => left.filter((_, at) => isAsked(at)).length >= 32, 'the questions');
    } finally {
      for (const socket of left) socket.destroy();
      dns.isSilent = false;
    }
    await expect.poll(() => visit('198.51.100.9', BAIDU), { timeout: 10_000, interval: 100 }).toBe(200);
  });

  it('is believed by a published range without DNS', async () => {
    expect(await visit('157.55.39.7', 'anything')).toBe(200);
  });
});

describe('the name of an origin', () => {
  const until = async (status: number, host: string) => {
    const deadline = Date.now() + 5000;
    while ((await edge.request(host)).status !== status) if (Date.now() > deadline) throw new Error(`never ${status}`);
  };

  it('is followed where it goes, and keeps its last answer when it stops resolving', async () => {
    await until(200, 'named.test');
    dns.names.delete('origin.test');
    const asked = dns.asked.length;
    await edge.control.until(
      () => dns.asked.slice(asked).filter(({ name, type }) => name === 'origin.test' && type === 'A').length >= 2,
      'questions',
    );
    expect((await edge.request('named.test')).status).toBe(200);
    dns.names.set('origin.test', { A: ['10.0.0.1'] });
    await until(502, 'named.test');
    dns.names.set('origin.test', { A: ['127.0.0.1'] });
    await until(200, 'named.test');
  });

  it('that leads to a special address is refused', async () => {
    const answer = await edge.request('meta.test');
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('No origin');
  });
});
