import { createSocket } from 'node:dgram';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from './process/ports.ts';
import { identify } from './process/process-identity.ts';
import { until } from './process/until.ts';
import { type StartedMain, StubInstance } from './testing/stub-instance.ts';

const instance = new StubInstance();
let main: StartedMain;

beforeAll(() => instance.prepare());
afterAll(() => instance.dispose());

beforeEach(async () => {
  main = await instance.start();
});

afterEach(() => instance.end(main, 'SIGTERM'));

/** Every process whose command line or environment names the instance's data directory, except the supervisor. */
function leftovers(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== main.child.pid && pid !== process.pid)
    .filter((pid) => {
      try {
        const names = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
        return identify(pid) !== undefined && names.includes(instance.dataDirectory);
      } catch {
        return false;
      }
    });
}

it('ends its output with the address once everything answers, and tells the rest of the machine where the parts are', async () => {
  const origin = `http://127.0.0.1:${instance.environment.CORDON_PORT}`;
  expect(main.stdout.trimEnd().split('\n').at(-1)).toBe(`ready ${origin}`);
  expect(main.stdout).toContain(`open ${origin}/ and create an account`);
  const state = instance.running();
  expect(Object.keys(state.pids).sort()).toEqual(['api', 'clickhouse', 'edge', 'main', 'postgres']);
  expect(state.databaseUrl).toMatch(/^postgres:\/\/cordon:/);
  expect(statSync(join(instance.dataDirectory, 'running.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(instance.dataDirectory, 'node-credential'), 'utf8').trim()).toBe('credential-of-the-test');
});

it('has what counts visitors step back for what serves them, where processors are short', () => {
  const { pids } = instance.running();
  expect(getPriority(pids.clickhouse)).toBe(getPriority(pids.edge) + 5);
  const session = (name: string) => readFileSync(`/proc/${pids[name]}/autogroup`, 'utf8');
  if (!existsSync('/proc/self/autogroup')) return;
  expect(session('clickhouse')).toContain('nice 5');
  expect(session('edge')).toContain('nice 0');
});

it('stops everything it started, also what a part started, and waits for it when asked twice', async () => {
  expect(leftovers().length).toBeGreaterThanOrEqual(5);
  main.child.kill('SIGINT');
  main.child.kill('SIGINT');
  await instance.end(main, 'SIGTERM');
  expect(leftovers()).toEqual([]);
  expect(main.child.exitCode).toBe(0);
  for (const name of ['running.json', 'lock']) expect(existsSync(join(instance.dataDirectory, name))).toBe(false);
});

it('starts a part again that died, with the same addresses', async () => {
  const before = instance.running();
  for (const part of ['api', 'clickhouse', 'postgres', 'edge']) process.kill(before.pids[part] ?? 0, 'SIGKILL');
  const isBack = () =>
    ['api', 'clickhouse', 'postgres', 'edge'].every((part) => main.stderr.includes(`[${part}] runs again`));
  expect(await until(isBack, 20_000)).toBe(true);
  const after = instance.running();
  expect(after.databaseUrl).toBe(before.databaseUrl);
  expect(after.pids.api).not.toBe(before.pids.api);
});

it('starts again after kill -9: ends the orphans, and no other process', async () => {
  const before = instance.running();
  await instance.end(main, 'SIGKILL');
  expect(leftovers().length).toBeGreaterThan(0);
  main = await instance.start();
  expect(main.stdout).toMatch(/^ready /m);
  const orphans = ['api', 'postgres', 'edge', 'clickhouse'].map((part) => before.pids[part] ?? 0);
  expect(orphans.filter((pid) => identify(pid) !== undefined)).toEqual([]);
  await instance.end(main, 'SIGTERM');
  expect(leftovers()).toEqual([]);
});

it('refuses a second instance on one data directory in one sentence, and leaves the first alone', async () => {
  const second = await instance.start({ CORDON_PORT: String(await freePort()) });
  expect(second.child.exitCode).toBe(1);
  expect(second.stderr).toBe(
    `Another instance (process ${main.child.pid}) runs on ${instance.dataDirectory}: stop it, or set CORDON_DATA_DIR and other ports.\n`,
  );
  expect((await fetch(`http://127.0.0.1:${instance.environment.CORDON_PORT}/healthz`)).ok).toBe(true);
});

it('names the DNS port that something else uses, by UDP alone', async () => {
  await instance.end(main, 'SIGTERM');
  const taken = createSocket('udp4');
  await new Promise<void>((resolve) => taken.bind(0, '127.0.0.1', resolve));
  const { port } = taken.address();
  const refused = await instance.start({ CORDON_ABSENT_PARTS: '', CORDON_DNS_PORT: String(port) });
  expect(refused.child.exitCode).toBe(1);
  expect(refused.stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set CORDON_DNS_PORT to another port.\n`,
  );
  await new Promise<void>((resolve) => taken.close(resolve));
});

it('names the port that is in use and its setting, and starts nothing', async () => {
  await instance.end(main, 'SIGTERM');
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const refused = await instance.start({ CORDON_EDGE_HTTP_PORT: String(port) });
  expect(refused.child.exitCode).toBe(1);
  expect(refused.stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set CORDON_EDGE_HTTP_PORT to another port.\n`,
  );
  expect(leftovers()).toEqual([]);
  await new Promise((resolve) => taken.close(resolve));
});
