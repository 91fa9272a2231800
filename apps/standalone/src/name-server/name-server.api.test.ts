import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowdown } from '../../../../tests/support/slowness.ts';
import { type Customer, createCustomer, createDomain, startFakeNode } from '../../../api/src/testing/fixtures.ts';
import { startApi, type TestApi } from '../../../api/src/testing/start-api.ts';
import { readerUrl } from '../parts.ts';
import { freePort } from '../process/ports.ts';
import { until } from '../process/until.ts';
import { NameServer } from './name-server.ts';

const EDGE = 'edge.cordon.test';
const run = promisify(execFile);
const password = randomBytes(24).toString('base64url');
let test: TestApi;
let customer: Customer;
let directory: string;
let port: number;
let server: NameServer;

interface Answer {
  readonly status: string;
  readonly flags: string[];
  readonly answers: string[];
  readonly authority: string[];
  readonly text: string;
}

async function dig(...args: string[]): Promise<Answer> {
  const common = ['@127.0.0.1', '-p', String(port), '+tries=1', '+time=2', '+nocmd', '+nostats'];
  const { stdout } = await run('dig', [...common, ...args]).catch((error: { stdout: string }) => error);
  const section = (name: string) =>
    (new RegExp(`;; ${name} SECTION:\n([^;]*?)(?:\n\n|$)`).exec(stdout)?.[1] ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace(/\s+/g, ' '));
  return {
    status: /status: (\w+)/.exec(stdout)?.[1] ?? 'none',
    flags: (/flags: ([a-z ]*);/.exec(stdout)?.[1] ?? '').split(' '),
    answers: section('ANSWER'),
    authority: section('AUTHORITY'),
    text: stdout,
  };
}

beforeAll(async () => {
  test = await startApi({ CORDON_DNS_PASSWORD: password });
  customer = await createCustomer(test, { plan: 'vip' });
  for (const addresses of [['203.0.113.1', '2001:db8::1'], ['203.0.113.2']]) {
    const node = await startFakeNode(test, undefined, { addresses });
    node.stop();
  }
  // No heartbeat comes for them.
  await test.api.platform.pool.query("UPDATE edge_nodes SET last_seen_at = now() + interval '1 hour'");
  directory = await mkdtemp(join(tmpdir(), 'cordon-test-dns-'));
  await chmod(directory, 0o711);
  port = await freePort();
  const program = ['/usr/sbin/pdns_server', '/usr/local/sbin/pdns_server'].find((path) => existsSync(path)) ?? '';
  server = new NameServer({
    databaseUrl: readerUrl(test.databaseUrl, password),
    directory: join(directory, 'dns'),
    bind: '127.0.0.1',
    port,
    program,
    output: 'ignore',
  });
  server.run();
  expect(await until(async () => (await dig(EDGE, 'SOA')).status === 'NOERROR', 20_000)).toBe(true);
});
afterAll(async () => {
  await server?.stop();
  await test?.stop();
  if (directory) await rm(directory, { recursive: true, force: true });
});

describe('an exclusive CNAME', () => {
  it('answers within a second of its creation, with the addresses in the same message', async () => {
    const route = await createDomain(customer);
    const addedAt = performance.now();
    expect(await until(async () => (await dig(route.cname, 'A')).answers.length > 0, 5_000, 5)).toBe(true);
    expect((performance.now() - addedAt) / slowdown()).toBeLessThan(1_000);
    const { flags, answers } = await dig(route.cname, 'A');
    const czone = `v4.${customer.cname.split('.')[1]}.${EDGE}`;
    expect(flags).toContain('aa');
    expect(answers[0]).toMatch(new RegExp(`^${route.cname.replaceAll('.', '\\.')}\\. \\d+ IN CNAME ${czone}\\.$`));
    expect(
      answers
        .slice(1)
        .map((line) => line.split(' ').at(-1))
        .sort(),
    ).toEqual(['203.0.113.1', '203.0.113.2']);
    expect(answers.slice(1).every((line) => Number(line.split(' ')[1]) <= 30)).toBe(true);
  });

  it('has IPv6 addresses once the subscription has IPv6 on', async () => {
    const route = await createDomain(customer);
    expect((await dig(route.cname, 'AAAA')).answers.filter((line) => line.includes('AAAA'))).toEqual([]);
    await test.api.platform.pool.query('UPDATE subscriptions SET ipv6 = true WHERE id = $1', [customer.subscriptionId]);
    const hasIpv6 = async () => (await dig(route.cname, 'AAAA')).answers.some((line) => line.endsWith(' 2001:db8::1'));
    expect(await until(hasIpv6, 10_000)).toBe(true);
  });

  it('answers in whatever letters it is asked (0x20), and over TCP', async () => {
    const { cname } = await createDomain(customer);
    const mixed = [...cname].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter)).join('');
    const { answers } = await dig(mixed, 'A', '+tcp');
    expect(answers).toHaveLength(3);
    expect(answers[0]?.startsWith(mixed)).toBe(true);
  });
});

describe('the zone', () => {
  it('says of unknown names that they do not exist, with the SOA that bounds how long to believe it', async () => {
    const { status, flags, authority } = await dig(`nobody.free01.${EDGE}`, 'A');
    expect(status).toBe('NXDOMAIN');
    expect(flags).toContain('aa');
    expect(authority[0]).toMatch(/ SOA ns1\.edge\.cordon\.test\. .* 30$/);
  });

  it('has names without the type asked for, which is not the same', async () => {
    for (const name of [EDGE, `v4.free01.${EDGE}`]) {
      const { status, answers, authority } = await dig(name, 'AAAA');
      expect([status, answers.length]).toEqual(['NOERROR', 0]);
      expect(authority[0]).toContain(' SOA ');
    }
  });

  it('names its servers, with glue', async () => {
    expect((await dig(EDGE, 'NS')).answers).toEqual([`${EDGE}. 300 IN NS ns1.${EDGE}.`]);
    expect((await dig(`ns1.${EDGE}`, 'A')).answers[0]).toContain('127.0.0.1');
  });

  it('speaks EDNS with a size that is not fragmented', async () => {
    expect((await dig(EDGE, 'SOA', '+bufsize=4096')).text).toContain('EDNS: version: 0, flags:; udp: 1232');
    expect((await dig(EDGE, 'SOA', '+noedns')).status).toBe('NOERROR');
  });
});

describe('what the name server does not do', () => {
  it('answer ANY over UDP: it asks to come by TCP', async () => {
    const { flags, answers } = await dig(`v4.free01.${EDGE}`, 'ANY', '+notcp', '+ignore');
    expect(flags).toContain('tc');
    expect(answers).toEqual([]);
  });

  it('hand out the zone', async () => {
    expect((await dig(EDGE, 'AXFR')).text).toContain('Transfer failed');
    expect((await dig(EDGE, 'AXFR')).text).not.toContain('CNAME');
  });

  it('resolve what is not its own', async () => {
    const { status, flags } = await dig('example.com', 'A');
    expect(status).toBe('REFUSED');
    expect(flags).not.toContain('ra');
  });

  it('tell its software or its machine', async () => {
    for (const name of ['version.bind', 'version.pdns', 'id.server', 'hostname.bind']) {
      const { answers } = await dig(name, 'TXT', 'CH');
      expect(answers).toEqual([]);
    }
  });

  it('take changes', async () => {
    const update = `server 127.0.0.1 ${port}\nzone ${EDGE}\nupdate add evil.${EDGE} 60 A 192.0.2.1\nsend\n`;
    const child = execFile('nsupdate', ['-t', '2', '-r', '0']);
    child.stdin?.end(update);
    const said = await new Promise<string>((resolve) => {
      let text = '';
      child.stderr?.on('data', (chunk) => (text += chunk));
      child.on('close', () => resolve(text));
    });
    expect(said).toMatch(/REFUSED|NOTIMP|NOTAUTH/);
    expect((await dig(`evil.${EDGE}`, 'A')).status).toBe('NXDOMAIN');
  });
});

// Last: the others need the database.
it('answers from the copy when the database refuses it, and from the database again when it is back', async () => {
  const routes = [];
  for (let count = 0; count < 12; count += 1) routes.push(await createDomain(customer));
  const last = routes.at(-1);
  const { pool } = test.api.platform;
  const copied = join(directory, 'dns/copy', `${EDGE}.zone`);
  const { readFile } = await import('node:fs/promises');
  expect(await until(async () => (await readFile(copied, 'utf8')).includes(last?.cname ?? '-'), 15_000)).toBe(true);
  const role = readerUrl(test.databaseUrl, password).split('//')[1]?.split(':')[0] ?? '';
  await pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
  await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  const goneAt = performance.now();
  // A name that no cache has: each is asked once.
  const fresh = routes.values();
  const isAnswered = async () => (await dig(fresh.next().value?.cname ?? '', 'A')).answers.length === 3;
  expect(await until(isAnswered, 5_000, 200)).toBe(true);
  expect((performance.now() - goneAt) / slowdown()).toBeLessThan(3_000);
  await pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 60`);
  // The copy knows nothing of it.
  const route = await createDomain(customer);
  expect(await until(async () => (await dig(route.cname, 'A')).answers.length === 3, 15_000)).toBe(true);
});
