import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { Instance } from '../support/instance.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const host = 'disk.faults.example';
const disk = mkdtempSync(join(tmpdir(), 'cordon-test-disk-'));

/** A small disk of our own: mounting takes root (docs/testing.md). */
function mount(megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'cordon-test', disk], { stdio: 'pipe' });
}

const filler = join(disk, 'filler');

function fill(): void {
  for (const bytes of [1024 * 1024, 4096]) {
    const piece = Buffer.alloc(bytes);
    try {
      for (;;) writeFileSync(filler, piece, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

describe('a disk that is full', () => {
  let instance: Instance;
  let origin: TestOrigin;
  let customer: Customer;

  beforeAll(async () => {
    mount(420);
    origin = await startOrigin();
    mkdirSync(join(disk, 'data'), { mode: 0o711 });
    instance = await Instance.start({
      dataDirectory: join(disk, 'data'),
      environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` },
    });
    customer = await createCustomer(instance, 'disk@example.com');
    await deployDomain(instance, customer, host, origin.port);
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await instance?.stop();
    await origin?.close();
    execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
    rmSync(disk, { recursive: true, force: true });
  });

  it('while running leaves the edge serving, is told in one sentence, and is overcome by freeing space', async () => {
    const before = (await customer.api.listRoutes()).results.map(({ id, version_live }) => ({ id, version_live }));
    fill();
    // The next piece of PostgreSQL's log does not fit: the server ends, and cannot start.
    const client = new pg.Client({ connectionString: instance.running.databaseUrl });
    client.on('error', () => {});
    await client.connect();
    await client.query('SELECT pg_switch_wal()').catch(() => {});
    await client.query('CREATE TABLE filled AS SELECT 1').catch(() => {});
    await client.end().catch(() => {});
    await until('PostgreSQL ends', () => instance.output.includes('[postgres] ended'));
    const sentences = () => instance.output.split('\n').filter((line) => line.startsWith('The disk that holds'));
    await until('the sentence', () => sentences().length > 0);
    expect((await edgeRequest(instance.ports.edgeHttp, host)).status).toBe(200);

    rmSync(filler);
    await until('everything works again', async () => (await fetch(`${instance.origin}/readyz`)).ok, 60_000);
    await until('the news of it', () => sentences().length > 1);
    expect(sentences()).toEqual([expect.stringMatching(/all but full/), expect.stringMatching(/has space again/)]);
    const after = (await customer.api.listRoutes()).results.map(({ id, version_live }) => ({ id, version_live }));
    expect(after).toEqual(before);
    await deployDomain(instance, customer, `again.${host}`, origin.port);
  });

  it('is one sentence and exit code 1 at the start', async () => {
    await instance.interrupt();
    fill();
    const failure = await instance.startAgain().catch((error: Error) => error.message);
    rmSync(filler);
    expect(failure).toMatch(
      /^ended with 1 before it was ready:\nThe disk that holds \S+ is full \(0 MB left, 200 MB are needed\): [^\n]+\n$/,
    );
  });
});
