import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from './clickhouse-server/engine.ts';
import { createClickHouseServer } from './clickhouse-server/http-server.ts';
import { acquireLock, LockHeld } from './process/lock.ts';

/**
 * The embedded ClickHouse: chDB behind ClickHouse's HTTP protocol. Started by the supervisor with
 * CORDON_CLICKHOUSE_DIR, CORDON_CLICKHOUSE_PORT, CORDON_CLICKHOUSE_USER, CORDON_CLICKHOUSE_PASSWORD and
 * CORDON_CLICKHOUSE_DATABASE. Prints `listening <port>` when it answers.
 */
const QUERIES_AT_ONCE = 4;
const BODY_BYTES_MAX = 256 * 1024 * 1024;
const STOP_SECONDS_MAX = 10;

function required(name: string): string {
  const value = process.env[name];
  if (!value) fail(`${name} is not set.`);
  return value;
}

function fail(sentence: string): never {
  process.stderr.write(`error: ${sentence}\n`);
  process.exit(1);
}

const directory = required('CORDON_CLICKHOUSE_DIR');
const port = Number(required('CORDON_CLICKHOUSE_PORT'));
const database = required('CORDON_CLICKHOUSE_DATABASE');
const credentials = { user: required('CORDON_CLICKHOUSE_USER'), password: required('CORDON_CLICKHOUSE_PASSWORD') };
// libuv reads this when its first thread starts: each running query holds one thread.
process.env.UV_THREADPOOL_SIZE ??= String(QUERIES_AT_ONCE + 8);

mkdirSync(directory, { recursive: true, mode: 0o700 });
try {
  // chDB opens a directory that another process has open, and both then corrupt it.
  const lock = acquireLock(join(directory, 'cordon.lock'));
  process.on('exit', () => lock.release());
} catch (error) {
  if (error instanceof LockHeld) fail(`${directory} is in use by process ${error.owner.pid}.`);
  throw error;
}

const engine = Engine.open(directory, QUERIES_AT_ONCE);
await engine.run({
  statement: `CREATE DATABASE IF NOT EXISTS \`${database.replaceAll('`', '')}\``,
  body: undefined,
  database: 'default',
  settings: new Map(),
  parameters: new Map(),
  defaultFormat: 'TabSeparated',
});

const server = createClickHouseServer({ engine, credentials, bodyBytesMax: BODY_BYTES_MAX });
server.on('error', (error) => fail(error.message));
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening ${typeof address === 'object' && address ? address.port : port}\n`);
});

let isStopping = false;
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  const finish = () => {
    engine.close();
    process.exit(0);
  };
  server.close(finish);
  server.closeIdleConnections();
  // In-flight requests may finish; a query that outlives the bound is lost with its connection, which is not acknowledged.
  setTimeout(() => process.exit(0), STOP_SECONDS_MAX * 1000).unref();
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

// Without its supervisor it would never be stopped, and the next start would find the directory taken.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop();
}, 1000).unref();
