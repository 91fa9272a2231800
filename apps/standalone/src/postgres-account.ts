import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** The system account PostgreSQL runs as when we are root, which it refuses to be. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

const ACCOUNT = 'postgres';

/** Finds or makes the system account; undefined when we are not root and PostgreSQL can run as ourselves. */
export function postgresAccount(): PostgresAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return findAccount() ?? createAccount();
}

/**
 * How to start `program` so that it can work below `paths`. A home directory closed to others (root's own usually is)
 * would lock the account out of the data and even of its own binaries: then, and only then, the process keeps root's
 * right to pass through directories.
 */
export function asPostgres(
  account: PostgresAccount | undefined,
  program: string,
  args: readonly string[],
  paths: readonly string[],
): { command: string; args: string[]; options: { uid?: number; gid?: number } } {
  if (!account) return { command: program, args: [...args], options: {} };
  const closed = [program, ...paths].map((path) => closedAncestor(path, account)).find((path) => path !== undefined);
  if (closed === undefined) return { command: program, args: [...args], options: account };
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv)) {
    throw new StartFailure(
      `${closed} is closed to the system account "${ACCOUNT}", as which PostgreSQL runs: open it (chmod o+x ${closed}), or move Cordon and CORDON_DATA_DIR elsewhere.`,
    );
  }
  const keep = '+dac_override,+dac_read_search';
  const capabilities = hasCapability('dac_read_search') ? keep : '+dac_override';
  return {
    command: setpriv,
    args: [
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      `--inh-caps=-all,${capabilities}`,
      `--ambient-caps=-all,${capabilities}`,
      '--',
      program,
      ...args,
    ],
    options: {},
  };
}

function hasCapability(name: 'dac_read_search'): boolean {
  const bit = { dac_read_search: 2 }[name];
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
    return ((BigInt(`0x${effective}`) >> BigInt(bit)) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** The first directory above `path` that the account may not pass through. */
function closedAncestor(path: string, account: PostgresAccount): string | undefined {
  const ancestors: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) ancestors.unshift(at);
  return ancestors.find((directory) => {
    const { mode, uid, gid } = statSync(directory);
    if (uid === account.uid) return (mode & 0o100) === 0;
    if (gid === account.gid) return (mode & 0o010) === 0;
    return (mode & 0o001) === 0;
  });
}

function findAccount(): PostgresAccount | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, ACCOUNT], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createAccount(): PostgresAccount {
  try {
    accessSync('/etc/passwd', constants.W_OK);
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT], {
      stdio: 'pipe',
    });
  } catch (error) {
    // Another start may just have made it.
    const account = findAccount();
    if (account) return account;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StartFailure(
      `PostgreSQL does not run as root, and the system account "${ACCOUNT}" could not be made: ${reason}`,
    );
  }
  const account = findAccount();
  if (!account) throw new StartFailure(`The system account "${ACCOUNT}" was made but cannot be found.`);
  return account;
}
