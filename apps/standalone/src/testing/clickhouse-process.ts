import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

const PROGRAM = fileURLToPath(new URL('../clickhouse.ts', import.meta.url));
const PASSWORD = 'of-the-test';

/** The ClickHouse server as the supervisor starts it, on a free port. */
export class ClickHouseProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(directory: string): Promise<ClickHouseProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
      env: {
        ...process.env,
        CORDON_CLICKHOUSE_DIR: directory,
        CORDON_CLICKHOUSE_PORT: '0',
        CORDON_CLICKHOUSE_USER: 'cordon',
        CORDON_CLICKHOUSE_PASSWORD: PASSWORD,
        CORDON_CLICKHOUSE_DATABASE: 'cordon',
        UV_THREADPOOL_SIZE: '16',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    for await (const chunk of child.stdout ?? []) {
      output += chunk;
      const port = /listening (\d+)/.exec(output)?.[1];
      if (port) return new ClickHouseProcess(child, `http://127.0.0.1:${port}`);
    }
    throw new Error(`ClickHouse ended: ${output}`);
  }

  client(settings: Record<string, string | number> = {}, compression = false): ClickHouseClient {
    return createClient({
      url: this.url,
      username: 'cordon',
      password: PASSWORD,
      database: 'cordon',
      clickhouse_settings: settings,
      log: { level: ClickHouseLogLevel.OFF },
      compression: { request: compression, response: compression },
    });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
