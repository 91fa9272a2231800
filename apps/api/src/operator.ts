import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOperator, wantsHelp } from './operator/run.ts';
import { OperatorError, usageOf } from './operator/usage.ts';
import { createDatabase, createPool, migrate } from './platform/database.ts';
import { createLog } from './platform/log.ts';
import { migrateQueue } from './platform/queue.ts';
import { EnvironmentError, parseOperatorEnvironment } from './settings/env.ts';

/** `npm run operator -- <command>`: the provider's staff works through this (product design, "Words"). */

/** The database of the environment, else of the instance that runs in the data directory. */
function databaseOfRunningInstance(): string | undefined {
  try {
    const file = join(process.env.CORDON_DATA_DIR || '.cordon', 'running.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { databaseUrl?: string }).databaseUrl;
  } catch {
    return undefined;
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function main(args: readonly string[]): Promise<void> {
  if (wantsHelp(args)) {
    process.stdout.write(usageOf(args));
    return;
  }
  const env = parseOperatorEnvironment({
    ...process.env,
    DATABASE_URL: process.env.DATABASE_URL || databaseOfRunningInstance(),
  });
  const log = createLog('error', { write: (line) => process.stderr.write(line) });
  // The standalone adds its node before the API ever ran.
  await migrate(env.databaseUrl, log);
  await migrateQueue(env.databaseUrl);
  const db = createDatabase(createPool(env.databaseUrl, log, 2));
  try {
    await runOperator({ db, env, print: (line) => process.stdout.write(`${line}\n`), readStdin }, args);
  } finally {
    await db.destroy();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof OperatorError || error instanceof EnvironmentError;
  const text = error instanceof Error ? (isExpected ? error.message : `Failed: ${error.message}`) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
