import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/**
 * Nothing of one domain or visitor reaches another by way of the cache, on the real edge: keys, deception, poisoning. The origin answers
 * each request with who has asked, and with what that is by its Cookie.
 */

const [FILES, ALL, OTHER, MEMBERS, STALLING, ENDLESS, REFUSING] = [
  'files.test',
  'all.test',
  'other.test',
  'members.test',
  'stalling.test',
  'endless.test',
  'refusing.test',
];
let origin: TestOrigin;
let silent: Server;
const held = new Set<Socket>();
let flowing: Server;
/** Answers all with a 400 that says that it may be kept. */
let refusing: Server;
const endless = new Set<Socket>();
let edge: TestEdge;
/** What the origin has been asked for, in their order. */
const targets: string[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    targets.push(request.url ?? '');
    const [path = ''] = (request.url ?? '').split('?');
    const isPage = !path.startsWith('/plain');
    const { cookie = 'nobody', authorization = 'nobody', host, 'x-status': status } = request.headers;
    const vary = /vary-([a-z-]+)/.exec(path)?.[1];
    response.writeHead(status === undefined ? 200 : Number(status), {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain',
      ...(path.includes('fresh') || vary !== undefined ? { 'cache-control': 'public, max-age=60' } : {}),
      ...(vary === undefined ? {} : { vary }),
      'x-target': request.url,
    });
    const echoed = path.includes('echoed') ? ` ${request.rawHeaders.join(' ')} ` : '';
    response.end(`${host} ${cookie} ${authorization} ${request.headers['x-forwarded-proto']} ${request.url}${echoed}`);
  });
  const silentPort = await freePort();
  silent = createServer((socket) => void held.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(silentPort, '127.0.0.1', resolve));
  const flowingPort = await freePort();
  flowing = createServer((socket) => {
    held.add(socket.on('error', () => {}));
    socket.once('data', () => {
      endless.add(socket);
      socket.write(
        'HTTP/1.1 200 OK\r\nCache-Control: public, max-age=600\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
      );
    });
  });
  await new Promise<void>((resolve) => flowing.listen(flowingPort, '127.0.0.1', resolve));
  const refusingPort = await freePort();
  refusing = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.end('HTTP/1.1 400 Bad Request\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n');
      });
  });
  await new Promise<void>((resolve) => refusing.listen(refusingPort, '127.0.0.1', resolve));
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    routes: [
      testRoute({ hosts: [FILES], upstream, plugins: [cachePlugin('proxy-cache', { cache_paths: ['/static'] })] }),
      testRoute({
        hosts: [ALL, 'acme.test', 'sacme.test'],
        upstream,
        plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })],
      }),
      testRoute({ hosts: [OTHER], upstream, plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })] }),
      testRoute({
        hosts: [MEMBERS],
        upstream,
        plugins: [
          cachePlugin('advance-proxy-cache', {
            content_type: [],
            bypass_rules: [
              { on: 'header', name: 'X-Preview' },
              { on: 'cookie', name: 'session' },
            ],
            key: { by_device: true },
          }),
        ],
      }),
      testRoute({
        hosts: [STALLING],
        upstream: testUpstream([testTarget(silentPort)], { tries: 1, read_timeout_ms: 2_000 }),
        plugins: [cachePlugin('advance-proxy-cache')],
      }),
      testRoute({
        hosts: [REFUSING],
        upstream: testUpstream([testTarget(refusingPort)]),
        plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })],
      }),
      testRoute({
        hosts: [ENDLESS],
        upstream: testUpstream([testTarget(flowingPort)], { read_timeout_ms: 60_000 }),
        plugins: [cachePlugin('advance-proxy-cache', { content_type: [] })],
      }),
    ],
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ connections: 1_600, origin_queue_seconds: 1 }) },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  for (const socket of held) socket.destroy();
  silent?.close();
  flowing?.close();
  refusing?.close();
});

const asVisitor = async (host: string, path: string, name: string) =>
  (await edge.request(host, { path, headers: { Cookie: `session=${name}` } })).body;

/** One after the other, each more than once: the answer of nobody is kept for the next. */
async function expectOwn(host: string, path: string): Promise<void> {
  for (const name of ['alice', 'bob', 'alice', 'carol'])
    expect(await asVisitor(host, path, name), path).toContain(`session=${name} `);
}

describe('web cache deception: a page of one visitor under the name of a file', () => {
  it.each([
    ...[
      '/account/x.css',
      '/account;x.css',
      '/account%3bx.css',
      '/account%3Bx.css',
      '/account%2fx.css',
      '/account%2Fx.css',
    ],
    ...['/account/%2e%2e/x.css', '/account%0a.css', '/account%23x.css', '/account%3fx.css', '/account.php/x.css'],
    ...['/account//x.css', '/account/.css', '/account%5cx.css', '/account/x.css;jsessionid=1', '/account/x.CSS'],
  ])('%s is each visitor’s own', (path) => expectOwn(FILES, path));

  it.each([
    ...['/static/..%2faccount', '/static/%2e%2e/account', '/static/..;/account', '/static/%2e%2e%2faccount'],
    ...[
      '/static/%252e%252e/account',
      '/static/..%252Faccount',
      '/static%2f..%2faccount',
      '/static/..%5caccount',
      '/static/../account',
    ],
  ])('%s, which an origin may take for another folder, is each visitor’s own', (path) => expectOwn(FILES, path));

  it('a file that is one is kept for all', async () => {
    const first = await asVisitor(FILES, '/plain/x.css', 'alice');
    expect(await asVisitor(FILES, '/plain/x.css', 'bob')).toBe(first);
  });
});

/** What is answered to the path over TLS. */
const overTls = (host: string, path: string) =>
  new Promise<{ body: string }>((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: edge.httpsPort,
        path,
        servername: host,
        headers: { host },
        rejectUnauthorized: false,
        agent: false,
      },
      (response) => {
        let body = '';
        response.on('data', (part) => {
          body += part;
        });
        response.on('end', () => resolve({ body }));
      },
    );
    call.on('error', reject);
    call.end();
  });

describe('keys', () => {
  it('tell domains apart that have one origin, and schemes', async () => {
    const path = '/plain/fresh/shared';
    const answers = [
      await edge.request(ALL, { path }),
      await edge.request(OTHER, { path }),
      await overTls(ALL, path),
    ].map(({ body }) => body.split(' ').filter((_, at) => at === 0 || at === 3));
    expect(answers).toEqual([
      [ALL, 'http'],
      [OTHER, 'http'],
      [ALL, 'https'],
    ]);
  });

  it('do not run parts together: a scheme and a name, a target and a slice', async () => {
    const path = '/plain/fresh/together';
    await edge.request('sacme.test', { path });
    expect((await overTls('acme.test', path)).body.split(' ')[0]).toBe('acme.test');
    const file = '/plain/fresh/setup.zip';
    const slice = 'bytes=0-4194303';
    await edge.request(ALL, { path: `${file}${slice}`, headers: { Cookie: 'evil' } });
    await edge.request(ALL, { path: `${file}%23${slice}`, headers: { Cookie: 'evil' } });
    expect((await edge.request(ALL, { path: file })).body).not.toContain('evil');
  });

  it('take a name for the same in any case of letters, and a port for none', async () => {
    const path = '/plain/fresh/name';
    const first = (await edge.request(ALL, { path })).body;
    for (const host of ['ALL.test', 'aLL.TEST', `${ALL}:80`, `${ALL}.`])
      expect((await edge.request(host, { path })).body, host).toBe(first);
  });

  it.each(['cookie', 'authorization'])('tell visitors apart by %s where an answer varies by it', async (name) => {
    const path = `/plain/vary-${name}`;
    for (const value of ['alice', 'bob', 'alice', 'bob', undefined]) {
      const headers: Record<string, string> = value === undefined ? {} : { [name]: value };
      expect((await edge.request(ALL, { path, headers })).body).toContain(` ${value ?? 'nobody nobody'} `);
    }
    expect(targets.filter((target) => target === path)).toHaveLength(3);
  });

  it('have the path as it was sent, so that no two readings of it are one object', async () => {
    const paths = [
      '/plain/fresh/a%2fb',
      '/plain/fresh/a/b',
      '/plain/fresh//a/b',
      '/plain/fresh/a%252fb',
      '/plain/fresh/a/b?',
    ];
    for (const path of [...paths, ...paths]) expect((await edge.request(ALL, { path })).body).toContain(` ${path}`);
  });
});

describe('RFC 9111 7.1: poisoning', () => {
  const sent = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(edge.httpPort, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (part) => {
        answer += part.toString('latin1');
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
      socket.setTimeout(2_000, () => socket.destroy());
    });

  it.each([
    ['a head that is too large', '431 undefined', { 'X-Large': 'x'.repeat(17_000) }],
    [
      'a head that is too large for the origin',
      '431 Cordon; fwd=uri-miss; fwd-status=431',
      { 'X-Large': 'x'.repeat(12_000), 'x-LARGER': 'x'.repeat(12_000) },
    ],
    [
      'more fields than are read',
      '400 undefined',
      Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`X-Field-${at}`, '1'])),
    ],
    [
      'a method that is asked for beside',
      '200 Cordon; fwd=bypass; detail=request',
      { 'X-HTTP-Method-Override': 'DELETE' },
    ],
    ['an answer to one client’s pace', '429 Cordon; fwd=uri-miss; fwd-status=429', { 'X-Status': '429' }],
    ['an answer to one request’s fields', '431 Cordon; fwd=uri-miss; fwd-status=431', { 'X-Status': '431' }],
  ])('%s leaves nothing for others', async (_, said, headers) => {
    const path = `/plain/fresh/refused-${Math.random()}`;
    const own = await edge.request(ALL, { path, headers });
    expect(`${own.status} ${own.headers['cache-status']}`).toContain(said);
    const next = await edge.request(ALL, { path });
    expect(next).toMatchObject({ status: 200 });
    expect(next.headers['cache-status']).not.toContain('hit');
  });

  it.each([
    ['a proxy before the visitor', 'X-Forwarded-For: 10.0.0.7\r\nConnection: close'],
    ['a field of ours', 'Cordon-Junk: 1\r\nConnection: close'],
    ['a field of this hop', 'X-Junk: 1\r\nConnection: close, x-junk'],
  ])('%s, which no origin gets, leaves Cookie and User-Agent what they are', async (_, fields) => {
    const path = `/plain/fresh/members-${Math.random()}`;
    const ask = (more: string) => sent(`GET ${path} HTTP/1.1\r\nHost: ${MEMBERS}\r\n${more}\r\n\r\n`);
    const behind = 'Accept: */*\r\nX-Next: 1';
    const own = await ask(`${fields}\r\nUser-Agent: x\r\nCookie: session=alice\r\n${behind}`);
    expect(own).toMatch(/^Cache-Status: Cordon; fwd=bypass; detail=rule\r$/m);
    expect(await ask('Connection: close')).not.toContain('alice');
    const phone = `${path}?phone`;
    const onPhone = `${fields}\r\nUser-Agent: Mozilla/5.0 (iPhone) Mobile\r\n${behind}`;
    const asked = (agent: string) => sent(`GET ${phone} HTTP/1.1\r\nHost: ${MEMBERS}\r\n${agent}\r\n\r\n`);
    await asked(onPhone);
    expect(await asked('Connection: close\r\nUser-Agent: Mozilla/5.0 (X11)')).toContain('fwd=uri-miss');
    expect(await asked(onPhone)).toContain('Cordon; hit');
  });

  /** Of an origin that echoes all fields that it gets: what a visitor with this one is answered, and then two without it. */
  async function echoed(name: string, value: string) {
    const path = `/plain/fresh/echoed-${Math.random()}`;
    const own = await edge.request(ALL, { path, headers: { [name]: value, 'X-Own': 'own' } });
    const others = [await edge.request(ALL, { path }), await edge.request(ALL, { path })];
    return { own, others };
  }
  const oddly = (name: string) =>
    [...name].map((letter, at) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');
  const LONG = `evil.test/${'x'.repeat(16_200)}`;

  it.each(
    [
      ...['X-Forwarded-Host', 'X-Forwarded-Scheme', 'X-Forwarded-Server', 'X-Forwarded-Prefix', 'X-Forwarded-Port'],
      ...['X-Forwarded-Proto', 'X-Forwarded-For', 'X-Forwarded', 'Forwarded', 'Forwarded-For', 'X-Host'],
      ...['X-HTTP-Host-Override', 'X-Original-Host', 'X-Original-URL', 'X-Original-Path', 'X-Rewrite-URL'],
      ...['X-Envoy-Original-Path', 'X-Override-URL', 'X-Original-Forwarded-For', 'X-Real-IP', 'Client-IP'],
      ...['X-Client-IP', 'X-Cluster-Client-IP', 'True-Client-IP', 'X-Remote-IP', 'X-Remote-Addr', 'CF-Connecting-IP'],
      ...['Fastly-Client-IP', 'WL-Proxy-Client-IP', 'X-ProxyUser-IP', 'X-Scheme', 'X-URL-Scheme', 'Front-End-HTTPS'],
      ...['X-Backend-Host', 'X-Proxy-Host', 'X-Host-Override', 'X-Real-Host', 'X-Server-Name', 'X-Script-Name'],
      ...['X-Original-URI', 'X-Original-Method', 'X-Rewrite-Path', 'X-HTTP-Path-Override', 'X-Forward-For'],
      ...['X-Originating-IP', 'X-True-IP', 'X-Invoke-Path', 'X-Invoke-Query', 'X-Invoke-Status', 'X-Invoke-Output'],
      ...['X-Middleware-Prefetch', 'X-Matched-Path', 'X-Now-Route-Matches'],
      ...['Content-Type', 'Content-Encoding', 'Content-Language', 'Content-Location', 'Content-Disposition'],
      ...[
        'Content-Range',
        'Via',
        'Max-Forwards',
        'Purpose',
        'Sec-Purpose',
        'X-Purpose',
        'X-Moz',
        'X-Wap-Profile',
        'Profile',
      ],
      ...['X-Accel-Redirect', 'Proxy', 'Cordon-Country', 'Cordon-Cache-Prefix', 'Cordon-Raw-Accept', 'Cordon-Shield'],
    ].flatMap((name) => [
      [name, 'evil.test'],
      [oddly(name), LONG],
    ]),
  )('%s of one visitor is in no answer to another', async (name, value) => {
    const { own, others } = await echoed(name, value);
    expect(own.body).toContain(' X-Own own ');
    for (const { headers, body } of others) {
      expect(headers['cache-status']).toContain('hit');
      expect(body).toBe(own.body);
      expect(body).not.toContain('evil.test');
    }
  });

  it.each(
    ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'Translate'].flatMap((name) => [
      name,
      oddly(name),
    ]),
  )('%s is for the origin, and for one visitor alone', async (name) => {
    const { own, others } = await echoed(name, 'DELETE');
    expect(own.body).toContain(' DELETE ');
    expect(others.map(({ headers }) => String(headers['cache-status']).split(';')[1])).toEqual([
      ' fwd=uri-miss',
      ' hit',
    ]);
    for (const { body } of others) expect(body).not.toContain('DELETE');
  });

  it('RFC 9110 7.6.3: origins get no Via, which would have them compress nothing, and CDN-Loop in its place', async () => {
    const { own } = await echoed('X-Other', 'other');
    expect(own.body.toLowerCase()).not.toContain(' via ');
    expect(own.body.toLowerCase()).toContain(' cdn-loop ');
  });

  it.each([
    ['a field that is long', `X-Long: ${'x'.repeat(5_000)}`, /detail=status/, /fwd=uri-miss/],
    ['a byte that no field may have', 'X-Meta: a\u0001b', /detail=status/, /fwd=uri-miss/],
    ['nothing of the kind', 'X-Short: x', /stored; ttl=\d+/, /hit; ttl=\d+/],
  ])('RFC 9110 15.5.1: a 400 with a lifetime, to a request with %s', async (_, field, first, second) => {
    const path = `/${Math.random()}`;
    const ask = (line: string) =>
      sendRaw(edge.httpPort, `GET ${path} HTTP/1.1\r\nHost: ${REFUSING}\r\n${line}Connection: close\r\n\r\n`);
    const told = await ask(`${field}\r\n`);
    expect(told).toMatch(/^HTTP\/1\.1 400 /);
    expect(told).toMatch(first);
    expect(await ask('')).toMatch(second);
  });

  it('RFC 9110 12.5.5: Vary has no effect where it names a field that origins do not get', async () => {
    const path = `/plain/vary-sec-purpose/${Math.random()}`;
    const first = await edge.request(ALL, { path, headers: { 'Sec-Purpose': 'prefetch' } });
    const second = await edge.request(ALL, { path });
    expect([second.body, String(second.headers['cache-status'])]).toEqual([first.body, expect.stringContaining('hit')]);
  });

  it('a GET with a body asks for itself alone (fat GET)', async () => {
    const path = '/plain/fresh/fat';
    await sent(`GET ${path} HTTP/1.1\r\nHost: ${ALL}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil`);
    expect((await edge.request(ALL, { path })).headers['cache-status']).toContain('uri-miss');
  });

  it('a GET with a body that nothing says asks for nothing (fat GET over HTTP/2)', async () => {
    const path = '/plain/fresh/fat-http2';
    const asked = targets.length;
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { servername: ALL, rejectUnauthorized: false });
    const stream = session.request({ ':path': path, ':authority': ALL, ':method': 'GET' }, { endStream: false });
    stream.end('evil');
    const status = await new Promise((resolve) => stream.on('response', (fields) => resolve(fields[':status'])));
    stream.resume();
    session.destroy();
    expect(status).toBe(411);
    expect(targets.slice(asked)).toEqual([]);
    expect((await edge.request(ALL, { path })).headers['cache-status']).toContain('uri-miss');
  });

  it.each(['Cordon-Country', 'X-Forwarded-For'])(
    'what varies by %s, which the edge adds, is for nobody else',
    async (name) => {
      const path = `/plain/vary-${name.toLowerCase()}`;
      for (let round = 0; round < 2; round++)
        expect((await edge.request(ALL, { path })).headers['cache-status']).not.toContain('hit');
    },
  );

  it('the absolute form names the host, whatever stands in Host', async () => {
    const path = '/plain/fresh/absolute';
    const own = await sent(`GET http://${OTHER}${path} HTTP/1.1\r\nHost: ${ALL}\r\nConnection: close\r\n\r\n`);
    expect(own).toMatch(/^HTTP\/1.1 200 .*uri-miss.*\r\n\r\n[0-9a-f]+\r\nother.test nobody /s);
    const [named, inHost] = [await edge.request(OTHER, { path }), await edge.request(ALL, { path })];
    expect([named.body.split(' ')[0], named.headers['cache-status']]).toEqual([OTHER, expect.stringContaining('hit')]);
    expect([inHost.body.split(' ')[0], inHost.headers['cache-status']]).toEqual([
      ALL,
      expect.stringContaining('uri-miss'),
    ]);
  });

  it('line ends in a target are no fields of a request or an answer, stored or not (response splitting)', async () => {
    const path = '/plain/fresh/echoed-split%0d%0aX-Evil:%201%0d%0a%0d%0a<script>';
    for (const status of ['uri-miss', 'hit']) {
      const answer = await edge.request(ALL, { path });
      expect(answer.headers).toMatchObject({ 'x-target': path, 'cache-status': expect.stringContaining(status) });
      expect(answer.headers['x-evil']).toBeUndefined();
      expect(answer.body).toContain(` ${path} `);
      expect(answer.body.split(path).join('')).not.toMatch(/x-evil|script/i);
    }
    const refused = await sent(`GET /plain/fresh/x\rX-Evil: 1 HTTP/1.1\r\nHost: ${ALL}\r\n\r\n`);
    expect(refused).toMatch(/^HTTP\/1.1 400/);
  });
});

it('an origin that never answers keeps nobody waiting but its own visitors', async () => {
  const waiting = Array.from({ length: 50 }, (_, at) =>
    edge.request(STALLING, { path: `/stalled-${at % 5}` }).catch(() => undefined),
  );
  const times: number[] = [];
  for (let at = 0; at < 20; at++) {
    const startedAt = performance.now();
    expect((await edge.request(ALL, { path: `/plain/fresh/quick-${at}` })).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  expect(Math.max(...times)).toBeLessThan(1_000);
  await Promise.all(waiting);
});

it('answers without an end, whose visitors have left, take a part of the node’s connections only', async () => {
  for (let at = 0; at < 3; at++) {
    await Promise.all(
      Array.from(
        { length: 60 },
        (_, of) =>
          new Promise<void>((resolve) => {
            const socket = connect(edge.httpPort, '127.0.0.1', () => {
              socket.write(`GET /endless-${at}-${of} HTTP/1.1\r\nHost: ${ENDLESS}\r\n\r\n`);
              setTimeout(() => resolve(void socket.destroy()), 500);
            });
            socket.on('error', () => {});
          }),
      ),
    );
  }
  expect(endless.size).toBe(100);
  expect((await edge.request(ALL, { path: '/plain/fresh/beside' })).status).toBe(200);
  const refused = await edge.request(ENDLESS, { path: '/endless-more' });
  expect(refused.status).toBe(503);
});
