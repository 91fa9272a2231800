import { readdirSync, readlinkSync } from 'node:fs';
import { childrenOf, commandOf } from './processes.ts';

/**
 * Processes of nginx that run inside this logs folder without the master: workers of one that was killed. They never
 * notice, go on accepting with the configuration that they have, and keep the listening sockets.
 */
export function orphanWorkers(logsDir: string, master: number | undefined): number[] {
  const family = new Set(master === undefined ? [] : [master, ...childrenOf(master)]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !family.has(Number(name)))
    .filter((name) => {
      try {
        return commandOf(Number(name)).startsWith('nginx:') && readlinkSync(`/proc/${name}/cwd`) === logsDir;
      } catch {
        return false;
      }
    })
    .map(Number);
}
