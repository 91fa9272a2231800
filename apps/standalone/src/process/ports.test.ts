import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allocatePorts, requireFreePort } from './ports.ts';

let directory: string;
let taken: Server;
let takenPort: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-ports-'));
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  takenPort = (taken.address() as { port: number }).port;
});

afterEach(async () => {
  await new Promise((resolve) => taken.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

it('keeps the ports of the first start, in a file of our own', async () => {
  const file = join(directory, 'ports.json');
  const first = await allocatePorts(file, ['postgres', 'clickhouse']);
  expect(await allocatePorts(file, ['postgres', 'clickhouse'])).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('chooses anew only the port that something else took', async () => {
  const file = join(directory, 'ports.json');
  const { postgres } = await allocatePorts(file, ['postgres']);
  writeFileSync(file, JSON.stringify({ postgres, clickhouse: takenPort }));
  const ports = await allocatePorts(file, ['postgres', 'clickhouse']);
  expect(ports.postgres).toBe(postgres);
  expect(ports.clickhouse).not.toBe(takenPort);
});

it('makes do with a damaged file', async () => {
  const file = join(directory, 'ports.json');
  writeFileSync(file, '{"postgres": "x", ');
  const { postgres } = await allocatePorts(file, ['postgres']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ postgres });
});

it('names the port and its setting when the port is in use', async () => {
  await expect(requireFreePort('127.0.0.1', takenPort, 'CORDON_PORT')).rejects.toThrow(
    `Port ${takenPort} on 127.0.0.1 is in use: stop what uses it, or set CORDON_PORT to another port.`,
  );
});
