import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Processes that belong to the instance with this data directory, by what they were started with. */
export function processesOf(dataDirectory: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
        const isOurs = `${command}\0${environment}`.includes(dataDirectory);
        return isOurs && command !== '' ? [{ pid: Number(name), command: command.slice(0, 120) }] : [];
      } catch {
        return [];
      }
    });
}

/** What a descriptor leads to; undefined for one that is closed meanwhile. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * How many descriptors each process has open. Those by which ClickHouse looks at its own threads, three of each, are left
 * out: its pools grow with what is asked at once, up to a bound.
 */
export function descriptorsOf(pids: Readonly<Record<string, number>>): Record<string, number> {
  const isCounted = (target: string | undefined) => target !== undefined && !/^\/proc\/\d+\/task\//.test(target);
  return Object.fromEntries(
    Object.entries(pids).map(([part, pid]) => {
      const open = readdirSync(`/proc/${pid}/fd`).map((name) => targetOf(`/proc/${pid}/fd/${name}`));
      return [part, open.filter(isCounted).length] as const;
    }),
  );
}

/** Unix sockets that a folder still has. */
export const socketsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSocket())
    .map((entry) => join(entry.parentPath, entry.name));
