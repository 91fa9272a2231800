import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Api, createApi } from '../../../app.ts';
import { createLog } from '../../../platform/log.ts';
import { type Environment, parseEnvironment } from '../../../settings/env.ts';
import { createTestDatabase } from '../../../testing/start-api.ts';
import { purgeIdentity } from '../module.ts';

export interface IdentityServer {
  readonly api: Api;
  readonly env: Environment;
  readonly origin: string;
  readonly logLines: readonly string[];
  /** What the recurring job does. */
  purge(): Promise<void>;
  /** The same deployment in a new process, as far as it can tell. */
  restart(): Promise<IdentityServer>;
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

async function start(variables: Record<string, string>): Promise<IdentityServer> {
  const env = parseEnvironment(variables);
  const logLines: string[] = [];
  const api = await createApi({
    env,
    log: createLog('debug', { write: (line) => logLines.push(line) }),
    withQueue: false,
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await api.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  await api.start();
  return {
    api,
    env,
    origin: env.origin,
    logLines,
    purge: () => purgeIdentity(api.platform.db),
    async restart() {
      await stop();
      return start(variables);
    },
  };
}

/** The whole API with its own issuer, on its canonical address, over a database of its own. Stops with the test. */
export async function startIdentity(settings: Record<string, string> = {}): Promise<IdentityServer> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const port = String(await freePort());
  return start({
    DATABASE_URL: database.url,
    CORDON_SECRET_KEY: randomBytes(32).toString('base64'),
    CORDON_PORT: port,
    CORDON_ORIGIN: `http://127.0.0.1:${port}`,
    ...settings,
  });
}
