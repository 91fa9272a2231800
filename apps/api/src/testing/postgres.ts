import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, POSTGRES_READY, preparePostgres } from '../../../standalone/src/postgres.ts';
import { freePort } from '../../../standalone/src/process/ports.ts';

/** A PostgreSQL server of its own for one run of tests. */
export interface TestPostgres {
  /** Of a superuser; ends in `/postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** What a test does not need: surviving a crash. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];

/** Starts a server whose data is in the temporary directory until it stops. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'cordon-test-postgres-'));
  // The server may run as another user than the tests do.
  await chmod(root, 0o711);
  const options = { directory: join(root, 'postgres'), port: await freePort(), password: 'of-the-test' };
  const { command, args, options: account } = await preparePostgres(options);
  const flags = SETTINGS.flatMap((setting) => ['-c', setting]);
  const server = spawn(command, [...args, ...flags], { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => server.kill('SIGINT');
  process.on('exit', end);
  let log = '';
  for await (const chunk of server.stderr) {
    log += chunk;
    if (log.includes(POSTGRES_READY)) break;
  }
  if (server.exitCode !== null || !log.includes(POSTGRES_READY)) throw new Error(`PostgreSQL did not start:\n${log}`);
  server.stderr.resume();
  return {
    url: databaseUrl(options).replace(/\/[^/]*$/, '/postgres'),
    async stop() {
      process.off('exit', end);
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }
      await rm(root, { recursive: true, force: true });
    },
  };
}
