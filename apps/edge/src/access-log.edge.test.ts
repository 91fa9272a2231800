import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
const route = () => testRoute({ hosts: ['log.test'], version: 9, upstream: testUpstream([testTarget(origin.port)]) });
let site: ReturnType<typeof route>;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  site = route();
  const config = { allow: [], deny: ['8.8.8.0/24'], whitelistMode: false, blacklistMode: true, allow_spiders: false };
  edge = await startEdge({
    routes: [
      site,
      testRoute({ hosts: ['down.test'], upstream: testUpstream([testTarget(await freePort())]) }),
      testRoute({
        hosts: ['denied.test'],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [{ name: 'ip-restriction', config }],
      }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const requestIdOf = (answer: { headers: Readonly<Record<string, string | string[] | undefined>> }) =>
  answer.headers['x-request-id'] as string;
const rowOf = (requestId: string) => edge.control.row((row) => row.request_id === requestId);
const logged = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  rowOf(requestIdOf(await edge.request('log.test', { path, headers })));
/** Of a target that is sent as it stands. */
async function rowOfPath(target: string) {
  const answer = await sendRaw(edge.httpPort, `GET ${target} HTTP/1.1\r\nHost: log.test\r\n\r\n`);
  return rowOf(/^X-Request-Id: (\w+)/m.exec(answer)?.[1] ?? '');
}
const RARE_NAMES =
  'SAMLResponse wresult refresh access bearer cookie csrf_field magic reset invite invitation verification activation recovery confirm share passphrase pw mfa'.split(
    ' ',
  );

describe('a row of the access log', () => {
  it('says what happened', async () => {
    const before = Date.now() / 1000;
    const answer = await edge.request('log.test', {
      path: '/a/b?c=d',
      from: '8.8.4.4',
      headers: { 'User-Agent': 'ua "quoted" \\ \u00e9', Referer: 'https://from.test/x?secret=1#y' },
    });
    const row = await rowOf(requestIdOf(answer));
    expect(row).toMatchObject({
      route_id: site.id,
      account_id: site.account_id,
      host: 'log.test',
      method: 'GET',
      path: '/a/b',
      query: 'c=d',
      scheme: 'http',
      protocol: 'HTTP/1.1',
      status: 200,
      client_address: '8.8.4.4',
      country: 'US',
      user_agent: 'ua "quoted" \\ \ufffd',
      referer: 'https://from.test/x',
      upstream_address: `127.0.0.1:${origin.port}`,
      upstream_status: 200,
      plugin: '',
      action: '',
      reason: '',
      rule: '',
      version: 9,
    });
    expect(row.time).toBeGreaterThan(before - 1);
    expect(row.bytes_sent).toBeGreaterThan(100);
    expect(row.bytes_received).toBeGreaterThan(50);
  });

  it.each([
    ['/a/b', '', '/a/b'],
    ['/a.b/%41%20c?//x/../y', '', '/a.b/A c'],
    ['//h/x?q=1', '//h/x', '/h/x'],
    ['/a/../%78', '/a/../%78', '/x'],
    ['/a/%2E%2e/x', '/a/%2E%2e/x', '/x'],
    ['/a%2f/x', '/a%2f/x', '/a/x'],
    ['/.well-known/x', '', '/.well-known/x'],
    ['/c;token=s3cr3t/../x', '-', '/x'],
    ['/c%3Btoken=s3cr3t/../x', '-', '/x'],
    ['/c%253btoken=s3cr3t/../x', '-', '/x'],
    ['/c;b/../x', '-', '/x'],
    ['//c%3ftoken=s3cr3t&b=1', '-', '/c?REDACTED'],
    ['/c%3Fa=1&token=s3cr3t', '', '/c?REDACTED'],
    ['//c%253ftoken%253ds3cr3t', '-', '/c%3fREDACTED'],
    ['/c%253bjsessionid=s3cr3t/', '', '/c%3bREDACTED'],
    ['//c&pass=s3cr3t', '-', '/c&REDACTED'],
    ['/a%3Fb&c=d', '', '/a?b&c=d'],
  ])(
    'has the path as it was sent where origins may read another one, and no secret with it: %s',
    async (sent, raw, path) => expect(await rowOfPath(sent)).toMatchObject({ path, raw_path: raw }),
  );

  it.each([
    ['of letters', `//${'a'.repeat(2000)}`, `//${'a'.repeat(2000)}`, `/${'a'.repeat(2000)}`],
    ['of escapes', `//${'%61'.repeat(680)}`, `//${'%61'.repeat(680)}`, `/${'a'.repeat(680)}`],
    ['longer than a row has room for', `//${'%61'.repeat(4000)}`, '-', expect.stringMatching(/^\/a{2000}/)],
    ['of beginnings of parameters', `/${'%253b'.repeat(2000)}token=s3cr3t/`, '', '/%3bREDACTED'],
    ['of names of parameters', `/${';token'.repeat(1000)}=s3cr3t/`, '', '/;REDACTED'],
  ])('has long paths whole, and no secret of them: %s', async (_, sent, raw, path) =>
    expect(await rowOfPath(sent)).toMatchObject({ path, raw_path: raw }),
  );

  it('has no path where the visitor sent none that can be read', async () => {
    const answer = await sendRaw(edge.httpPort, 'GET /%2e%2e/a HTTP/1.1\r\nHost: log.test\r\n\r\n');
    const requestId = /^X-Request-Id: (\w+)/m.exec(answer)?.[1];
    expect(await rowOf(requestId ?? '')).toMatchObject({ status: 400, path: '', route_id: '', method: 'GET' });
  });

  it('of a refused request names plugin, reason and rule', async () => {
    const answer = await edge.request('denied.test', { from: '8.8.8.8' });
    expect(answer.status).toBe(403);
    expect(await rowOf(requestIdOf(answer))).toMatchObject({
      status: 403,
      plugin: 'ip-restriction',
      action: 'block',
      reason: 'in_deny_list',
      rule: '8.8.8.0/24',
      upstream_address: '',
    });
  });

  it('of an unknown host has no route', async () => {
    const answer = await edge.request('unknown.test', { path: '/?q=1' });
    expect(await rowOf(requestIdOf(answer))).toMatchObject({
      route_id: '',
      account_id: '',
      reason: 'unknown_host',
      query: 'q=1',
    });
  });

  it('never holds a secret', async () => {
    const query =
      'a=1&token=s3cr3t&API_KEY=s3cr3t&x.password=s3cr3t&sig=s3cr3t&code=s3cr3t&access_token=s3cr3t&tok%65n=s3cr3t&to%6Ben=s3cr3t&PHPSESSID=s3cr3t&auth[x]=s3cr3t&key=s3cr3t&X-Amz-Signature=s3cr3t&b=1;token=s3cr3t;c=2&page=2';
    const answer = await edge.request('log.test', {
      path: `/p?${query}`,
      headers: { Cookie: 'session=s3cr3t', Authorization: 'Bearer s3cr3t', Referer: 'https://x.test/?token=s3cr3t' },
    });
    const row = await rowOf(requestIdOf(answer));
    expect(JSON.stringify(row)).not.toContain('s3cr3t');
    expect(row.query).toContain('a=1&token=REDACTED');
    expect(row.query).toContain('b=1;token=REDACTED;c=2&page=2');
    expect(origin.requests.at(-1)?.url).toBe(`/p?${query}`);
  });

  it('never holds a secret of an address in a value, of a path parameter, or under a rare name', async () => {
    const nested = encodeURIComponent('https://a.test/in?x=1&token=s3cr3t');
    const query = [
      `next=${nested}`,
      `twice=${encodeURIComponent(nested)}`,
      `deep=${encodeURIComponent(encodeURIComponent(encodeURIComponent(encodeURIComponent(nested))))}`,
      'back=/in?token=s3cr3t',
      'to=/in%3ftoken=s3cr3t',
      ...RARE_NAMES.map((name) => `${name}=s3cr3t`),
      'city=K%C3%B6ln',
      'preset=dark',
    ].join('&');
    const answer = await edge.request('log.test', {
      path: `/cart;v=1;jsessionid=s3cr3t/x?${query}`,
      headers: { Referer: 'https://x.test/a;jsessionid=s3cr3t?b' },
    });
    const row = await rowOf(requestIdOf(answer));
    expect(JSON.stringify(row)).not.toContain('s3cr3t');
    expect(row).toMatchObject({ path: '/cart;REDACTED', referer: 'https://x.test/a' });
    expect(row.query).toContain('next=REDACTED&twice=REDACTED&deep=REDACTED&back=REDACTED&to=REDACTED&');
    expect(row.query).toContain('&city=K%C3%B6ln&preset=dark');
    expect(await logged('/basket;sid=s3cr3t/x', { Referer: 'https://bob:s3cr3t@x.test/p' })).toMatchObject({
      path: '/basket;REDACTED',
      referer: 'https://x.test/p',
    });
    for (const hidden of ['%3B', '%3b', '%253B'])
      expect((await logged('/', { Referer: `https://x.test/a${hidden}jsessionid=s3cr3t` })).referer, hidden).toBe(
        'https://x.test/a',
      );
    const plain = await edge.request('log.test', { path: '/p?back=/in?token=s3cr3t&x=1' });
    expect((await rowOf(requestIdOf(plain))).query).toBe('back=/in?token=REDACTED&x=1');
  });

  it.each([
    ['u=https%3A%2F%2Fuser%3As3cr3t%40a.test%2F', 'u=REDACTED'],
    ['u=https://user:s3cr3t@a.test/', 'u=REDACTED'],
    ['q=%7B%22token%22%3A%22s3cr3t%22%7D&x=1', 'q=REDACTED&x=1'],
    ['q={"my-token":"s3cr3t"}', 'q=REDACTED'],
    ['t=eyJhbGciOiJIUzI1NiJ9.s3cr3t.s3cr3t&x=1', 't=REDACTED&x=1'],
    ['eyJhbGciOiJIUzI1NiJ9.s3cr3t.s3cr3t', 'REDACTED'],
    ['t=Bearer%20eyJhbGciOiJIUzI1NiJ9.s3cr3t.s3cr3t', 't=REDACTED'],
    ['a=1&tokens&token=s3cr3t', 'a=1&tokens&token=REDACTED'],
    ['u=https://a.test:8443/b@c&d=eyJ&e={"a":1}', 'u=https://a.test:8443/b@c&d=eyJ&e={"a":1}'],
  ])('takes out a value that tells by itself: %s', async (query, shown) => {
    expect((await logged(`/v?${query}`)).query).toBe(shown);
  });

  it('has nothing of a query of more than 500 parameters with a secret in it', async () => {
    const queryOf = (secret: string, parameters: number) => `a=%41&${secret}${'&b'.repeat(parameters - 2)}`;
    expect((await logged(`/?${queryOf('token=s3cr3t', 500)}`)).query).toBe(queryOf('token=REDACTED', 500));
    expect((await logged(`/?${queryOf('token=s3cr3t', 501)}`)).query).toBe('REDACTED');
    expect((await logged(`/?${queryOf('city=x', 600)}`)).query).toBe(queryOf('city=x', 600));
  });

  it('is not joined by lines of nginx that tell a failed request with its secrets', async () => {
    const answer = await edge.request('down.test', {
      path: '/p?token=s3cr3t',
      headers: { Referer: 'https://x.test/?token=s3cr3t' },
    });
    expect(answer.status).toBe(502);
    expect(edge.errorLog).not.toContain('s3cr3t');
  });

  it('is not joined by faults of the runner that tell the request they happened in', async () => {
    // Can be loaded, and fails with the first visitor.
    const config = { banpath: '.*', findtime: 240, maxretry: {}, bantime: '3h', only_dynamic: false };
    await edge.deploy(testRoute({ hosts: ['broken.test'], plugins: [{ name: 'request-limit', config }] }));
    expect((await edge.request('broken.test', { path: '/?token=s3cr3t' })).status).toBe(500);
    for (let at = 0; at < 100 && !edge.stderr.includes('the runner met faults'); at++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(edge.stderr).toContain('the runner met faults');
    expect(edge.stderr + edge.errorLog).not.toContain('s3cr3t');
  });

  it('of a request that nginx itself refuses has no query', async () => {
    await sendRaw(edge.httpPort, 'GET /bad?token=s3cr3t HTTP/1.1\r\nHost: log.test\r\nContent-Length: x\r\n\r\n');
    const row = await edge.control.row(({ status }) => status === 400);
    expect(row.query).toBe('');
  });

  it('survives bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from(
        'GET /utf8-\xff\xfe HTTP/1.1\r\nHost: log.test\r\nUser-Agent: \xc3\x28\x01"\r\nConnection: close\r\n\r\n',
        'latin1',
      ),
    ]);
    await sendRaw(edge.httpPort, bytes);
    const row = await edge.control.row(({ path }) => path.startsWith('/utf8-'));
    expect(row.path).toBe('/utf8-\ufffd\ufffd');
  });
});

it("is written and shipped where nginx's workers may not enter the folders above, however deep", async () => {
  const top = mkdtempSync(join(tmpdir(), 'cordon-closed-'));
  const deep = join(top, 'a'.repeat(60), 'b'.repeat(60));
  mkdirSync(deep, { recursive: true });
  chmodSync(top, 0o700);
  const closed = await startEdge({ routes: [route()], environment: { CORDON_EDGE_DIR: deep } });
  // Two rows, a rotation apart: workers must have opened the second file themselves.
  for (let at = 0; at < 2; at++) {
    const answer = await closed.request('log.test');
    const row = await closed.control.row(({ request_id }) => request_id === requestIdOf(answer));
    expect(row).toMatchObject({ host: 'log.test', status: answer.status });
  }
  await closed.stop();
  rmSync(top, { recursive: true, force: true });
});

describe('shipping', () => {
  it('brings each row exactly once, whatever is killed and whatever answers are lost', async () => {
    const ids = new Set<string>();
    let isOver = false;
    let answered = 0;
    const visit = async () => {
      while (!isOver) {
        const answer = await edge.request('log.test', { path: '/load' }).catch(() => undefined);
        if (!answer) continue;
        answered++;
        ids.add(requestIdOf(answer));
      }
    };
    const visitors = [visit(), visit(), visit()];
    const moreAnswers = () => {
      const before = answered;
      return vi.waitFor(() => expect(answered).toBeGreaterThan(before + 50), { timeout: 20_000 });
    };
    for (let round = 0; round < 2; round++) {
      await moreAnswers();
      const repeated = edge.control.repeated.length;
      edge.control.losesLogAnswers = true;
      await edge.control.until(() => edge.control.repeated.length > repeated, 'a batch sent again', 10_000);
      await edge.killAgent();
      edge.control.losesLogAnswers = false;
      await moreAnswers();
      edge.startAgent();
      await edge.ready();
      await edge.control.stop();
      await moreAnswers();
      await edge.control.start();
    }
    isOver = true;
    await Promise.all(visitors);
    const shipped = () => edge.control.rows.filter(({ path }) => path === '/load');
    await edge.control.until(() => shipped().length >= ids.size, 'all rows', 25_000);
    const found = shipped().map(({ request_id }) => request_id);
    expect(new Set(found)).toEqual(ids);
    expect(found).toHaveLength(ids.size);
    await edge.control.until(
      () => readdirSync(join(edge.dir, 'logs')).filter((name) => name.startsWith('segment')).length <= 1,
      'the segments to be deleted',
    );
  });

  it('brings each row exactly once when nginx crashes after its agent has done so', async () => {
    const ids = new Set<string>();
    let isOver = false;
    const visit = async () => {
      while (!isOver) {
        const answer = await edge.request('log.test', { path: '/crash' }).catch(() => undefined);
        if (answer?.status !== 200) continue;
        ids.add(requestIdOf(answer));
      }
    };
    const visitors = [visit(), visit(), visit()];
    const moreAnswers = () => {
      const before = ids.size;
      return vi.waitFor(() => expect(ids.size).toBeGreaterThan(before + 50), { timeout: 20_000 });
    };
    for (let round = 0; round < 2; round++) {
      await moreAnswers();
      await edge.killAgent();
      edge.startAgent();
      await edge.ready();
      await moreAnswers();
      const master = edge.nginxPid;
      process.kill(master, 'SIGKILL');
      await vi.waitFor(() => expect(edge.nginxPid).not.toBe(master), { timeout: 20_000 });
      await edge.ready();
    }
    await moreAnswers();
    isOver = true;
    await Promise.all(visitors);
    const shipped = () => edge.control.rows.filter(({ path, status }) => path === '/crash' && status === 200);
    const missing = () => {
      const found = new Set(shipped().map(({ request_id }) => request_id));
      return [...ids].filter((id) => !found.has(id));
    };
    await edge.control.until(() => missing().length === 0, 'all rows', 5_000).catch(() => {});
    expect(missing()).toEqual([]);
    expect(shipped()).toHaveLength(ids.size);
  });
});
