import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** An account without rights that a program runs as when we are root. */
export interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface AccountCommand {
  readonly command: string;
  readonly args: string[];
  readonly options: { uid?: number; gid?: number };
}

/** Undefined when the system has no account of this name. */
export function findAccount(name: string): SystemAccount | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { name, uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * How to start `program` so that it can work below `paths`. A home directory closed to others (root's own usually is)
 * would lock the account out of the data and even of its own binaries: then, and only then, the process keeps root's
 * right to pass through directories.
 */
export function asAccount(
  account: SystemAccount | undefined,
  program: string,
  args: readonly string[],
  paths: readonly string[],
  mayBindLowPorts = false,
): AccountCommand {
  if (!account) return { command: program, args: [...args], options: {} };
  const { uid, gid, name } = account;
  const closed = [program, ...paths].map((path) => closedAncestor(path, account)).find((path) => path !== undefined);
  if (closed === undefined && !mayBindLowPorts) return { command: program, args: [...args], options: { uid, gid } };
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv)) {
    throw new StartFailure(
      closed === undefined
        ? `Without ${setpriv} the account "${name}" cannot use a port below 1024: set CORDON_DNS_PORT to one above 1023.`
        : `${closed} is closed to the system account "${name}", as which ${basename(program)} runs: open it (chmod o+x ${closed}), or move Cordon and CORDON_DATA_DIR elsewhere.`,
    );
  }
  const kept = [
    ...(closed === undefined
      ? []
      : ['+dac_override', ...(hasCapability('dac_read_search') ? ['+dac_read_search'] : [])]),
    ...(mayBindLowPorts ? ['+net_bind_service'] : []),
  ];
  return {
    command: setpriv,
    args: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=-all,${kept.join(',')}`,
      `--ambient-caps=-all,${kept.join(',')}`,
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
function closedAncestor(path: string, account: SystemAccount): string | undefined {
  const ancestors: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) ancestors.unshift(at);
  return ancestors.find((directory) => {
    const { mode, uid, gid } = statSync(directory);
    if (uid === account.uid) return (mode & 0o100) === 0;
    if (gid === account.gid) return (mode & 0o010) === 0;
    return (mode & 0o001) === 0;
  });
}
