import { EdgeAgent } from './edge-agent.ts';
import { readEnvironment } from './env.ts';
import { log } from './log.ts';

/** EX_CONFIG of sysexits.h. The supervisor then shows what was printed on the terminal as it stands. */
const EXIT_CONFIGURATION = 78;

let agent: EdgeAgent;
try {
  agent = new EdgeAgent(readEnvironment(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_CONFIGURATION);
}

let isStopping = false;
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.on(name, () => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal: name });
    agent.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stopping failed', { error });
        process.exit(1);
      },
    );
  });
}
process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));

await agent.start();
