import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
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
let origin: TestOrigin;
let customer: Customer;

beforeAll(async () => {
  origin = await startOrigin();
  instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
  customer = await createCustomer(instance, 'launcher@example.com');
  await deployDomain(instance, customer, host, origin.port);
});
afterAll(async () => {
  await instance?.stop();
  await origin?.close();
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Exit code and last words of a start that must fail. */
async function failingStart(environment: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const main = spawn(process.execPath, [join(root, 'tools/launch.mjs'), 'start'], {
    cwd: root,
    env: { ...instance.environment, ...environment },
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
    const [port = 0, ...others] = await freePorts(4);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { code, said } = await failingStart({
      CORDON_DATA_DIR: `${instance.dataDirectory}-other`,
      CORDON_PORT: String(port),
      CORDON_EDGE_HTTP_PORT: String(others[0]),
      CORDON_EDGE_HTTPS_PORT: String(others[1]),
      CORDON_DNS_PORT: String(others[2]),
    });
    server.close();
    expect(code).toBe(1);
    expect(said).toContain(String(port));
    expect(said).toContain('CORDON_PORT');
  });

  it('names a wrong setting', async () => {
    const { code, said } = await failingStart({ CORDON_PORT: 'eighty' });
    expect(code).toBe(1);
    expect(said).toContain('CORDON_PORT');
    expect(said).toContain('eighty');
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
