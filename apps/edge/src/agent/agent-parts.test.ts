import { Resolver } from 'node:dns';
import { parseAddress } from '@cordon/contract/address';
import { withoutNulls } from '@cordon/plugin-kit';
import { describe, expect, it } from 'vitest';
import { toAccessLogRow } from './access-log-row.ts';
import { EdgeState } from './edge-state.ts';
import { readEnvironment } from './env.ts';
import { EVENT_CHARACTERS_MAX, EventStreamReader } from './event-stream.ts';
import { textLines } from './text-lines.ts';
import { TlsReuse } from './tls-reuse.ts';
import { UpstreamGuard } from './upstream-guard.ts';

describe('the environment', () => {
  it('is reported with all its faults at once', () => {
    expect(() =>
      readEnvironment({ CORDON_EDGE_HTTP_PORT: 'x', CORDON_TRUSTED_PROXIES: '10.0.0.0/99', CORDON_NGINX: '/nowhere' }),
    ).toThrow(
      /CORDON_CONTROL_URL[\s\S]*CORDON_NODE_CREDENTIAL[\s\S]*CORDON_EDGE_DIR[\s\S]*CORDON_EDGE_HTTP_PORT[\s\S]*CORDON_TRUSTED_PROXIES[\s\S]*CORDON_NGINX/,
    );
  });

  const needed = {
    CORDON_CONTROL_URL: 'http://127.0.0.1:8000',
    CORDON_NODE_CREDENTIAL: 'x',
    CORDON_EDGE_DIR: '/tmp',
    CORDON_NGINX: process.execPath,
  };
  it.each([
    ['CORDON_EDGE_WORKERS', '0', 'must be a whole number from 1 to 256'],
    ['CORDON_EDGE_ROUTES_MB', 'much', 'must be a whole number from 1 to 65536'],
    ['CORDON_EDGE_LOG_DISK_MB', '1', 'must be a whole number from 16 to 1048576'],
    ['CORDON_EDGE_RESOLVE_SECONDS', '0', 'must be a number from 0.1 to 3600'],
    ['CORDON_CONTROL_URL', 'api:8000', 'must be a URL that begins with http:// or https://'],
    ['CORDON_NODE_CREDENTIAL', '', 'is not set'],
    ['CORDON_BIND', 'here', 'must be an address'],
    ['CORDON_UPSTREAM_ALLOW', '10.0.0.1', 'has "10.0.0.1", which is not address:port'],
    ['CORDON_RESOLVER', 'dns.example', 'has "dns.example", which is not an address or address:port'],
    // Node ends the process over it.
    ['CORDON_RESOLVER', '192.0.2.1:0', 'has "192.0.2.1:0", which is not an address or address:port'],
  ])('says of %s=%s what is expected', (name, value, fault) =>
    expect(() => readEnvironment({ ...needed, [name]: value })).toThrow(
      new Error(`The environment has faults:\n  ${name} ${fault}`),
    ),
  );

  it('takes DNS servers with and without a port, IPv6 in brackets or not', () => {
    const text = '192.0.2.1, 192.0.2.1:5353, 2001:db8::1, [2001:db8::2], [2001:db8::1]:5353';
    const { CORDON_RESOLVER: servers } = readEnvironment({ ...needed, CORDON_RESOLVER: text });
    const resolver = new Resolver();
    resolver.setServers(servers);
    expect(resolver.getServers()).toEqual([
      '192.0.2.1',
      '192.0.2.1:5353',
      '2001:db8::1',
      '2001:db8::2',
      '[2001:db8::1]:5353',
    ]);
  });

  it.each(['CORDON_CA_BUNDLE', 'CORDON_COUNTRY_DATABASE'])('names a %s that is not there', (name) =>
    expect(() => readEnvironment({ [name]: '/nowhere' })).toThrow(`${name}: /nowhere does not exist`),
  );
});

describe('server-sent events', () => {
  it('are read whatever pieces they come in', () => {
    const text = ': hello\n\nevent: routes\nid: 7\ndata: {"a":"\u00e9"}\n\nevent: resync\r\ndata:\r\n\r\n';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const reader = new EventStreamReader();
      const events = [];
      for (let at = 0; at < bytes.length; at += size) events.push(...reader.read(bytes.subarray(at, at + size)));
      expect(events.filter(({ event }) => event !== 'message')).toEqual([
        { event: 'routes', id: '7', data: '{"a":"\u00e9"}' },
        { event: 'resync', id: undefined, data: '' },
      ]);
    }
  });

  it('is given up where an event, or a line of a snapshot, has no end', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
    const reader = new EventStreamReader();
    const read = () => {
      for (let at = 0; at <= EVENT_CHARACTERS_MAX / piece.length + 1; at++) reader.read(piece);
    };
    expect(read).toThrow('buffer size');
    const endless = async function* () {
      for (;;) yield piece;
    };
    await expect(textLines(endless(), 3 * piece.length).next()).rejects.toThrow('a line of more than');
  });

  it('has the lines of a snapshot whole, wherever the pieces end', async () => {
    const bytes = new TextEncoder().encode('{"a":"\u00e9"}\n\n{"b":1}\nrest');
    for (const size of [1, 2, 5, bytes.length]) {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const lines: string[] = [];
      for await (const line of textLines(pieces(), 100)) lines.push(line);
      expect(lines).toEqual(['{"a":"\u00e9"}', '', '{"b":1}', 'rest']);
    }
  });
});

describe('a line of the access log', () => {
  const line = (more: object) =>
    JSON.stringify({
      ...{
        t: 1.5,
        id: 'i',
        r: 'route account 3',
        h: 'h',
        m: 'GET',
        p: '/',
        q: '',
        s: 'http',
        v: 'HTTP/1.1',
        c: 200,
        o: 1,
        i: 2,
      },
      ...{ d: 0.0125, a: '8.8.8.8', g: '', ua: '', rf: '', ut: '', us: '', ud: '', x: '' },
      ...more,
    });

  it('sums the tries and names the last one', () => {
    const row = toAccessLogRow(line({ ut: '1.1.1.1:80, 2.2.2.2:80', us: '502, 200', ud: '0.010, 0.005' }));
    expect(row).toMatchObject({
      upstream_address: '2.2.2.2:80',
      upstream_status: 200,
      upstream_ms: 15,
      duration_ms: 13,
    });
    expect(toAccessLogRow(line({ ut: '1.1.1.1:80', us: '-', ud: '-' }))).toMatchObject({
      upstream_status: 0,
      upstream_ms: 0,
    });
  });

  it('takes verdicts apart and bounds what visitors send', () => {
    const row = toAccessLogRow(
      line({ x: 'geoip\tblock\tcountry\tDE', p: `/${'\u{1f600}'.repeat(3000)}`, ua: 'u'.repeat(999) }),
    );
    expect(row).toMatchObject({ plugin: 'geoip', action: 'block', reason: 'country', rule: 'DE', version: 3 });
    expect(row?.path.length).toBeLessThanOrEqual(2048);
    expect(Buffer.from(row?.path ?? '').toString()).toBe(row?.path);
    expect(row?.user_agent).toHaveLength(512);
  });

  it('that is cut off is none', () => expect(toAccessLogRow(line({}).slice(0, -5))).toBeUndefined());
});

describe('kept TLS connections', () => {
  it('are granted to one name alone, and to another only when none of the former can be left', () => {
    const reuse = new TlsReuse(true, 0);
    reuse.add('a 443', 'one.test');
    expect(reuse.mayReuse('a 443', 'one.test', 1000)).toBe(true);
    reuse.add('a 443', 'two.test');
    expect(reuse.mayReuse('a 443', 'one.test', 2000)).toBe(false);
    expect(reuse.mayReuse('a 443', 'two.test', 2000)).toBe(false);
    reuse.remove('a 443', 'one.test', 3000);
    expect(reuse.mayReuse('a 443', 'two.test', 100_000)).toBe(false);
    expect(reuse.mayReuse('a 443', 'two.test', 130_000)).toBe(true);
  });

  it('are not granted at once by the heir of an unknown nginx', () => {
    const reuse = new TlsReuse(false, 1000);
    reuse.add('a 443', 'one.test');
    expect(reuse.mayReuse('a 443', 'one.test', 60_000)).toBe(false);
    expect(reuse.mayReuse('a 443', 'one.test', 130_000)).toBe(true);
  });
});

describe('the guard of connections to origins', () => {
  const guard = new UpstreamGuard(['127.0.0.1:8081', '[::1]:8082']);
  const refusal = (text: string, port: number) => guard.refusal(parseAddress(text) ?? expect.fail(text), port);

  it('refuses special addresses but the exact exceptions', () => {
    expect(refusal('127.0.0.1', 8081)).toBeUndefined();
    expect(refusal('::ffff:127.0.0.1', 8081)).toBeUndefined();
    expect(refusal('127.0.0.1', 8082)).toBe('loopback');
    expect(refusal('::1', 8082)).toBeUndefined();
    expect(refusal('169.254.169.254', 80)).toBe('link_local');
    expect(refusal('64:ff9b::7f00:1', 80)).toBe('translation');
    expect(refusal('8.8.8.8', 80)).toBeUndefined();
  });

  it('refuses exceptions that are no address and port', () => {
    expect(() => new UpstreamGuard(['localhost:80'])).toThrow('localhost:80');
  });
});

describe('the state of the edge', () => {
  it('ignores changes that are older than what it knows, also of removed routes', () => {
    const state = new EdgeState();
    const route = { version: 1 } as never;
    expect(state.apply({ route_id: 'a', revision: 5, route })).toBe(true);
    expect(state.apply({ route_id: 'a', revision: 4, route: null })).toBe(false);
    expect(state.apply({ route_id: 'a', revision: 6, route: null })).toBe(true);
    expect(state.apply({ route_id: 'a', revision: 5, route })).toBe(false);
    expect(state.routes.size).toBe(0);
  });
});

it('null never reaches Lua', () => {
  expect(withoutNulls({ a: null, b: { c: null, d: [1, null, { e: null }] }, f: false, g: '' })).toEqual({
    b: { d: [1, {}] },
    f: false,
    g: '',
  });
});
