import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The embedded engine, as the standalone runs it, in a process and a directory of its own. */
export interface TestClickHouse {
  /** With user and password; the same after a restart. */
  readonly url: string;
  /** Where it keeps its data; to be touched only while it is down. */
  readonly directory: string;
  /** As a power cut or the kernel would: no goodbye. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again over the same data. */
  restart(): Promise<void>;
  /** Ends it and forgets its data. */
  stop(): Promise<void>;
}

const root = resolve(fileURLToPath(import.meta.url), '../../../../..');

/** Starts the engine from its sources on a free port, with an empty database `cordon`. */
export async function startTestClickHouse(): Promise<TestClickHouse> {
  const directory = await mkdtemp(join(tmpdir(), 'cordon-test-clickhouse-'));
  const password = randomBytes(12).toString('hex');
  let port = 0;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(process.execPath, ['--import', 'tsx', join(root, 'apps/standalone/src/clickhouse.ts')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        CORDON_CLICKHOUSE_DIR: join(directory, 'data'),
        CORDON_CLICKHOUSE_PORT: String(port),
        CORDON_CLICKHOUSE_USER: 'cordon',
        CORDON_CLICKHOUSE_PASSWORD: password,
        CORDON_CLICKHOUSE_DATABASE: 'cordon',
      },
    });
    child = started;
    const said: string[] = [];
    started.stderr?.on('data', (chunk) => said.push(String(chunk)));
    const listening = new Promise<number>((found) => {
      createInterface({ input: started.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        const match = /^listening (\d+)$/.exec(line);
        if (match) found(Number(match[1]));
      });
    });
    const ended = once(started, 'exit').then(() => {
      throw new Error(`ClickHouse did not start: ${said.join('')}`);
    });
    // What ends later ends by kill or stop.
    ended.catch(() => undefined);
    port = await Promise.race([listening, ended]);
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  await start();
  return {
    url: `http://cordon:${password}@127.0.0.1:${port}/cordon`,
    directory: join(directory, 'data'),
    kill: () => end('SIGKILL'),
    restart: start,
    async stop() {
      await end('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
