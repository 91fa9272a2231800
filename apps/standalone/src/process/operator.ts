import { join } from 'node:path';
import { execa } from 'execa';
import type { Environment } from './part-environment.ts';
import { readSecret, writeSecret } from './secret-file.ts';
import { StartFailure } from './start-failure.ts';

/** Runs an operator command against this instance and returns what it printed. Throws StartFailure with its own words. */
export type RunOperator = (args: readonly string[], input?: string) => Promise<string>;

export function operatorRunner(program: string, environment: Environment): RunOperator {
  return async (args, input = '') => {
    const result = await execa(process.execPath, ['--enable-source-maps', program, ...args], {
      env: environment,
      input,
      extendEnv: false,
      reject: false,
      timeout: 60_000,
    });
    if (result.exitCode !== 0) {
      const said = (result.stderr || result.stdout || result.shortMessage || '').trim();
      throw new StartFailure(`operator ${args.slice(0, 2).join(' ')} failed: ${said.split('\n').slice(-6).join('\n')}`);
    }
    return result.stdout;
  };
}

/** The local edge node's credential; DNS answers its `address`. Made through the operator at the first start, then kept. */
export async function nodeCredential(dataDirectory: string, address: string, operator: RunOperator): Promise<string> {
  const file = join(dataDirectory, 'node-credential');
  const kept = readSecret(file);
  if (kept !== undefined) return kept;
  const printed = await operator([
    ...['node', 'add', '--name', 'local', '--czones', 'free01,free02,vip01,vip02'],
    ...['--address', address, '--reason', 'standalone'],
  ]);
  // The credential stands alone on the last line; whatever comes before it is for people.
  const credential = printed.trim().split('\n').at(-1)?.trim().split(/\s+/).at(-1) ?? '';
  if (credential === '') throw new StartFailure('operator node add printed no credential.');
  writeSecret(file, credential);
  return credential;
}
