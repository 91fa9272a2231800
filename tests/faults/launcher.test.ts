import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { freePorts } from '../support/free-ports.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const host = 'launcher.faults.example';
let instance: Instance;
let otherDirectory: string;
let origin: TestOrigin;
let customer: Customer;

beforeAll(async () => {
  otherDirectory = await mkdtemp(join(tmpdir(), 'cordon-test-other-'));
  origin = await startOrigin();
  instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
  customer = await createCustomer(instance, 'launcher@example.com');
  await deployDomain(instance, customer, host, origin.port);
});
afterAll(async () => {
  await instance?.stop();
  await origin?.close();
  await rm(otherDirectory, { recursive: true, force: true });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('a start that goes well complains of nothing', () => {
  const [first] = instance.output.split('\n');
  expect(first).toMatch(/^console /);
});

/** A data directory and ports that the instance does not use. */
async function elsewhere(): Promise<Record<string, string>> {
  const ports = await freePorts(4);
  const names = ['CORDON_PORT', 'CORDON_EDGE_HTTP_PORT', 'CORDON_EDGE_HTTPS_PORT', 'CORDON_DNS_PORT'];
  return {
    CORDON_DATA_DIR: otherDirectory,
    ...Object.fromEntries(names.map((name, at) => [name, String(ports[at])])),
  };
}

/** Exit code and last words of a start that must fail. */
async function failingStart(
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<{ code: number | null; said: string }> {
  const main = spawn(process.execPath, [...nodeOptions, join(root, 'tools/launch.mjs'), 'start'], {
    cwd: root,
    // What a stale build makes here is what later tests use: not the development build that NODE_ENV=test asks for.
    env: { ...instance.environment, NODE_ENV: undefined, ...environment },
  });
  let said = '';
  main.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  main.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(main, 'exit')) as [number | null];
  return { code, said: said.trim() };
}

describe('the launcher', () => {
  it('killed with -9, a second start recovers with everything that was there', async () => {
    const pids = Object.values(instance.running.pids);
    await instance.killMain();
    await instance.startAgain();
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await edgeRequest(instance.ports.edgeHttp, host)).status).toBe(200);
    expect((await customer.api.listRoutes()).count).toBe(1);
  });

  it('refuses a second start on the same data directory in one sentence', async () => {
    const { code, said } = await failingStart({});
    expect(code).toBe(1);
    expect(said.split('\n').at(-1)).toContain(instance.dataDirectory);
  });

  it('names the port that is in use and its setting', async () => {
    const environment = await elsewhere();
    const port = Number(environment.CORDON_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { code, said } = await failingStart(environment);
    server.close();
    expect(code).toBe(1);
    expect(said).toBe(`Port ${port} on 127.0.0.1 is in use: stop what uses it, or set CORDON_PORT to another port.`);
  });

  it('names a wrong setting', async () => {
    const { code, said } = await failingStart({ CORDON_PORT: 'eighty' });
    expect(code).toBe(1);
    expect(said).toContain('CORDON_PORT');
    expect(said).toContain('eighty');
  });

  it('says in one sentence that Node is too old', async () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})";
    const { code, said } = await failingStart({}, ['--import', older]);
    expect(code).toBe(1);
    expect(said).toBe('Cordon needs Node.js 20.19 or newer; this is 18.19.0.');
  });

  it('names the settings that only a part can judge, without the part’s log', async () => {
    const { code, said } = await failingStart({
      ...(await elsewhere()),
      CORDON_LOG_LEVEL: 'loud',
      CORDON_EDGE_DOMAIN: 'x',
    });
    expect(code).toBe(1);
    expect(said).toMatch(/^Settings are wrong:\n.*CORDON_EDGE_DOMAIN.*\n.*CORDON_LOG_LEVEL.*$/);
  });

  it('says that the database of its own does not answer', async () => {
    const { code, said } = await failingStart({
      ...(await elsewhere()),
      DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^The database of DATABASE_URL cannot be used: .*127\.0\.0\.1:1\.$/),
    ]);
    expect(said).not.toContain('secret-word');
  });

  it('names a data directory that cannot be written', async () => {
    const { code, said } = await failingStart({ CORDON_DATA_DIR: '/proc/cordon' });
    expect(code).toBe(1);
    expect(said).toContain('/proc/cordon');
  });

  it('stops every part on Ctrl-C', async () => {
    const pids = Object.values(instance.running.pids);
    await instance.interrupt();
    await until('all parts gone', () => pids.every((pid) => !isAlive(pid)));
    await instance.startAgain();
    expect((await edgeRequest(instance.ports.edgeHttp, host)).status).toBe(200);
  });
});
