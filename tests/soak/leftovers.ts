import { readdirSync, readFileSync } from 'node:fs';
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

/** Descriptors that each process has open, by what it is. */
export function descriptorsOf(pids: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([part, pid]) => [part, readdirSync(`/proc/${pid}/fd`).length] as const),
  );
}

/** Unix sockets that a folder still has. */
export const socketsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSocket())
    .map((entry) => join(entry.parentPath, entry.name));
