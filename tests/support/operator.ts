import { runOperator } from '../../apps/api/src/operator/run.ts';
import { createDatabase, createPool } from '../../apps/api/src/platform/database.ts';
import { createLog } from '../../apps/api/src/platform/log.ts';
import { parseOperatorEnvironment } from '../../apps/api/src/settings/env.ts';
import type { Instance } from './instance.ts';

/** What `instance.operator` does, without a process for each command; gives what was printed. */
export async function operate(instance: Instance, ...args: string[]): Promise<string> {
  const env = parseOperatorEnvironment({ ...instance.environment, DATABASE_URL: instance.running.databaseUrl });
  const log = createLog('error', { write: (line) => process.stderr.write(line) });
  const db = createDatabase(createPool(env.databaseUrl, log, 2));
  const printed: string[] = [];
  const readStdin = () => Promise.reject(new Error('nothing to read'));
  try {
    await runOperator({ db, env, print: (line) => void printed.push(line), readStdin }, args);
  } finally {
    await db.destroy();
  }
  return printed.join('\n').trim();
}
