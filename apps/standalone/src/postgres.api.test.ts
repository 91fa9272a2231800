import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl, POSTGRES_READY, type PostgresOptions, preparePostgres } from './postgres.ts';
import { stopOrphanPostmaster } from './postgres-orphan.ts';
import { freePort } from './process/ports.ts';
import { identify, isRunning } from './process/process-identity.ts';
import { until } from './process/until.ts';

const parent = mkdtempSync(join(tmpdir(), 'cordon-postgres-'));
let options: PostgresOptions;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  chmodSync(parent, 0o711);
  options = { directory: join(parent, 'postgres'), port: await freePort(), password: 'of the test/@:' };
});

afterEach(async () => {
  for (const child of running) {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
    running.delete(child);
  }
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function start(given = options): Promise<ChildProcess> {
  const { command, args, options: spawnOptions } = await preparePostgres(given);
  const child = spawn(command, args, {
    ...spawnOptions,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  running.add(child);
  let log = '';
  for await (const chunk of child.stderr ?? []) {
    log += chunk;
    if (log.includes(POSTGRES_READY)) {
      child.stderr?.resume();
      return child;
    }
  }
  throw new Error(log);
}

async function query<Row>(text: string, given = options): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl(given) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}

describe('the embedded PostgreSQL', () => {
  it('makes a cluster with our database, durable, on loopback only, without a Unix socket', async () => {
    await start();
    const [settings] = await query<Record<string, string>>(
      `SELECT current_database() AS database, current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listen,
              current_setting('unix_socket_directories') AS sockets, current_setting('server_encoding') AS encoding`,
    );
    expect(settings).toEqual({ database: 'cordon', fsync: 'on', listen: '127.0.0.1', sockets: '', encoding: 'UTF8' });
  });

  it('refuses a wrong password, also from this machine', async () => {
    await start();
    await expect(query('SELECT 1', { ...options, password: 'wrong' })).rejects.toThrow(
      /password authentication failed/,
    );
  });

  it('stops the postmaster that a killed supervisor left, and loses no committed row', async () => {
    const orphan = await start();
    await query('CREATE TABLE kept (n int)');
    await query('INSERT INTO kept VALUES (1)');
    const backend = new Client({ connectionString: databaseUrl(options) });
    backend.on('error', () => {});
    await backend.connect();
    expect(await stopOrphanPostmaster(options.directory)).toBe(true);
    expect(identify(orphan.pid ?? 0)).toBeUndefined();
    await start();
    expect(await query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('starts again after the postmaster alone was killed -9 under its backends', async () => {
    const killed = await start();
    await query('CREATE TABLE crashed (n int)');
    const backend = new Client({ connectionString: databaseUrl(options) });
    backend.on('error', () => {});
    await backend.connect();
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    await stopOrphanPostmaster(options.directory);
    await start();
    expect(await query('SELECT n FROM crashed')).toEqual([]);
  });

  it('waits for the backends of a postmaster that is dead, and ends one that does not exit', async () => {
    const killed = await start();
    const backend = new Client({ connectionString: databaseUrl(options) });
    backend.on('error', () => {});
    await backend.connect();
    const { rows } = await backend.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    // It notices nothing while it is stopped, as one that hangs in the kernel would not.
    process.kill(pid, 'SIGSTOP');
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    const hanging = identify(pid);
    expect(hanging).toBeDefined();
    try {
      expect(await stopOrphanPostmaster(options.directory)).toBe(false);
      // What holds the directory and the memory is gone a moment before the process itself is.
      expect(await until(() => identify(pid) === undefined, 500)).toBe(true);
    } finally {
      if (hanging && isRunning(hanging)) process.kill(pid, 'SIGKILL');
    }
    await start();
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('leaves alone another process that was given the number of a dead postmaster', async () => {
    const otherProcess = spawn('sleep', ['60'], { cwd: '/' });
    try {
      writeFileSync(join(options.directory, 'postmaster.pid'), `${otherProcess.pid}\n${options.directory}\n`);
      expect(await stopOrphanPostmaster(options.directory)).toBe(false);
      expect(identify(otherProcess.pid ?? 0)).toBeDefined();
      await start();
    } finally {
      otherProcess.kill('SIGKILL');
    }
  });

  it('leaves alone what merely stands in its directory, as a shell does', async () => {
    await start();
    const shell = spawn('sleep', ['60'], { cwd: options.directory });
    try {
      expect(await stopOrphanPostmaster(options.directory)).toBe(true);
      expect(identify(shell.pid ?? 0)).toBeDefined();
    } finally {
      shell.kill('SIGKILL');
    }
  });

  it('makes a new cluster after an interrupted first start', async () => {
    const given = { ...options, directory: join(parent, 'second'), port: await freePort() };
    mkdirSync(`${given.directory}.unfinished`);
    writeFileSync(join(`${given.directory}.unfinished`, 'PG_VERSION'), '18\n');
    await start(given);
    expect(await query('SELECT 1 AS one', given)).toEqual([{ one: 1 }]);
  });

  it('runs below a directory that is closed to others, as root’s home is', async () => {
    const closed = join(parent, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const given = { ...options, directory: join(closed, 'postgres'), port: await freePort() };
    await start(given);
    expect(await query('SELECT 1 AS one', given)).toEqual([{ one: 1 }]);
    expect(readFileSync(join(given.directory, 'PG_VERSION'), 'utf8')).toMatch(/^18/);
  });
});
