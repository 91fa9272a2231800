import { createApi } from './app.ts';
import { createLog } from './platform/log.ts';
import { parseEnvironment } from './settings/env.ts';
import { EXIT_CONFIGURATION, startProblem } from './start-problem.ts';

const STOP_MS_MAX = 15_000;

async function main(): Promise<void> {
  const env = parseEnvironment(process.env);
  const log = createLog(env.logLevel);
  const api = await createApi({ env, log });
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    // What does not end in time is ended: the database keeps the truth, and jobs are tried again.
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    api.stop().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected without a handler'));
  const address = await api.start();
  log.info({ address, origin: env.origin }, 'listening');
}

main().catch((error: unknown) => {
  const problem = startProblem(error);
  const text = problem ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.stderr.write(`${text}\n`);
  process.exit(problem === undefined ? 1 : EXIT_CONFIGURATION);
});
