import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuditChange, WebsocketEvent } from '@cordon/contract';
import {
  type DatabaseConnection,
  type Generated,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { Json, Timestamp } from './columns.ts';
import type { Log } from './log.ts';

/** Every table by its name, with bigint as number. Each module adds its own (`tables.ts`). */
export interface Database {
  audit_log: {
    id: Generated<number>;
    account_id: string | null;
    actor_kind: 'user' | 'token' | 'operator' | 'system';
    actor: string;
    action: string;
    subject: string;
    reason: string | null;
    details: Json<Record<string, unknown>>;
    changes: Json<readonly AuditChange[]>;
    /** Of the request; null where there was none. */
    address: string | null;
    user_agent: string | null;
    at: Timestamp;
  };
  events: {
    id: Generated<number>;
    account_id: string;
    slot: WebsocketEvent['slot'];
    subject_id: string;
    payload: Json<Record<string, unknown>>;
    at: Timestamp;
  };
  idempotency_keys: {
    account_id: string;
    key: string;
    request_hash: Buffer;
    status: number | null;
    response: Buffer | null;
    created_at: Timestamp;
    /** Of the request that runs or ran with the key. */
    claim: string | null;
    held_until: Timestamp;
    carried_out: Generated<boolean>;
  };
  /** What is true of the deployment as a whole, for every process: its epoch, its sealed keys. */
  deployment: { name: string; value: Buffer };
  queue_pools: { id: number; worker_ids: string[]; started_at: Timestamp };
}

export type Db = Kysely<Database>;
/** The database inside or outside of a transaction. */
export type Executor = Db | Transaction<Database>;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** `2026-11-20 10:55:42.123456+00`, as PostgreSQL writes with time zone UTC, to ISO 8601 with milliseconds. */
function isoTime(text: string): string {
  if (text.length >= 22 && text.endsWith('+00')) {
    const milliseconds = text.charCodeAt(19) === 46 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000';
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  return new Date(text).toISOString();
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return isoTime;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

/** No connection could be had of the database. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
  }
}

/** Connection exceptions, shutdowns, no connection left; then what a socket says. */
const LOST_CODE = /^(08...|57P0[123]|53300|ECONNRESET|EPIPE)$/;
/** What pg says of a connection that ended under a query, without a code. */
const LOST_MESSAGE = /^(Connection terminated|Client has encountered a connection error)/;

/** Whether the database could not be reached, or ended the connection meanwhile. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  if (!(error instanceof Error)) return false;
  return LOST_CODE.test(String((error as { code?: unknown }).code)) || LOST_MESSAGE.test(error.message);
}

/** Names the failure to connect, which has as many shapes as there are causes. `query` connects by it as well. */
class ApiPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error: unknown) => {
        throw new DatabaseUnreachable(error);
      });
    super.connect((error, client, done) => callback(error && new DatabaseUnreachable(error), client, done));
    return undefined;
  }
}

/** The pool of this process. bigint is read as number, timestamptz as ISO 8601 text. */
export function createPool(databaseUrl: string, log: Log, max = 20): pg.Pool {
  const pool = new ApiPool({
    connectionString: databaseUrl,
    max,
    types,
    options: '-c timezone=UTC -c idle_in_transaction_session_timeout=60000 -c statement_timeout=60000',
    application_name: 'cordon-api',
    connectionTimeoutMillis: 10_000,
  });
  // Without a listener the error of an idle connection (a restart of PostgreSQL) would end the process.
  pool.on('error', (err) => log.warn({ err }, 'a database connection was lost'));
  // The pool listens to idle ones only. One that is in use and lost between two queries of a transaction emits an
  // error without a listener, which would end the process as well; its next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const TRIES = 4;

/** Runs again what PostgreSQL has undone for the sake of another transaction, which has gone on since. */
async function retryUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const { code } = (error ?? {}) as { code?: string };
      if ((code !== DEADLOCK && code !== SERIALIZATION_FAILURE) || tries >= TRIES) throw error;
    }
  }
}

/** Runs the statements outside of transactions again as well: each is a transaction of its own. */
class RetryingDriver extends PostgresDriver {
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  readonly #prepared = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.#prepared.has(connection)) return connection;
    this.#prepared.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query) =>
      this.#inTransaction.has(connection) ? execute(query) : retryUndone(() => execute(query));
    return connection;
  }

  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    await super.beginTransaction(...args);
    this.#inTransaction.add(args[0]);
  }

  override async releaseConnection(...args: Parameters<PostgresDriver['releaseConnection']>): Promise<void> {
    this.#inTransaction.delete(args[0]);
    await super.releaseConnection(...args);
  }
}

class RetryingDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  constructor(pool: pg.Pool) {
    super({ pool });
    this.#pool = pool;
  }
  override createDriver(): PostgresDriver {
    return new RetryingDriver({ pool: this.#pool });
  }
}

export const createDatabase = (pool: pg.Pool): Db => new Kysely<Database>({ dialect: new RetryingDialect(pool) });

/** Resolves when the database answers. */
export const probeDatabase = async (db: Db): Promise<void> => void (await sql`SELECT 1`.execute(db));

/** Resolves when PostgreSQL takes a new connection: one that hangs may go on serving those that are open. */
export async function probeConnection(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'cordon-health',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    // After a time-out its end may never be told.
    void client.end().catch(() => undefined);
  }
}

interface Migration {
  readonly name: string;
  readonly file: string;
}

const NUMBERED = /^\d{4}-.*\.sql$/;
const numberedFiles = (folder: string) => readdirSync(folder).filter((file) => NUMBERED.test(file));

/** The folder of the API's own migrations, from the sources as well as from the bundle. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, 'migrations'), join(folder, 'apps/api/migrations')]) {
      if (existsSync(candidate) && numberedFiles(candidate).length > 0) return candidate;
    }
    if (dirname(folder) === folder) throw new Error('the folder of migrations was not found');
    folder = dirname(folder);
  }
}

/** Where plugins' folders are: beside the own migrations in the bundle, else in the sources. */
const pluginFolders = (own: string): string =>
  [join(own, '../plugins'), join(own, '../../../packages/plugins')].find((folder) => existsSync(folder)) ?? '';

/** All migrations in their order: first the API's own, then those of plugins, by plugin. */
function listMigrations(): Migration[] {
  const own = migrationsFolder();
  const plugins = pluginFolders(own);
  const inFolder = (folder: string, prefix: string) =>
    numberedFiles(folder)
      .sort()
      .map((file) => ({ name: prefix + file, file: join(folder, file) }));
  const ofPlugins = (plugins === '' ? [] : readdirSync(plugins).sort()).flatMap((plugin) => {
    const folder = join(plugins, plugin, 'migrations');
    return existsSync(folder) ? inFolder(folder, `${plugin}/`) : [];
  });
  return [...inFolder(own, ''), ...ofPlugins];
}

const MIGRATION_LOCK = 0x436f7264;

/**
 * Runs the numbered SQL files (`0001-name.sql`) that this database has not seen, each in a transaction, under a lock
 * so that processes that start together do not meet. Forward only.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const migrations = listMigrations();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map((row) => row.name));
    for (const { name, file } of migrations.filter((migration) => !applied.has(migration.name))) {
      log.info({ migration: name }, 'migrating');
      await client.query('BEGIN');
      await client.query(readFileSync(file, 'utf8'));
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
      await client.query('COMMIT');
    }
  } finally {
    await client.end();
  }
}

const lastStep = new AsyncLocalStorage<(trx: Executor) => Promise<void>>();

/** Runs `work`; each transaction that it begins by `runInTransaction` ends with `step`, or fails with it. */
export const endingTransactionsWith = <T>(step: (trx: Executor) => Promise<void>, work: () => Promise<T>): Promise<T> =>
  lastStep.run(step, work);

/** A transaction whose victim is run once more after a deadlock. `work` may be called several times. */
export const runInTransaction = <T>(db: Db, work: (trx: Executor) => Promise<T>): Promise<T> =>
  retryUndone(() =>
    db.transaction().execute(async (trx) => {
      const result = await work(trx);
      await lastStep.getStore()?.(trx);
      return result;
    }),
  );

const UNIQUE_VIOLATION = '23505';

/** The violated constraint, when the error is a violation of a unique one. */
export function uniqueViolation(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION ? (constraint ?? '') : undefined;
}
