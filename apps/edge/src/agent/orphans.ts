import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes of nginx that run inside this logs folder. */
export function orphanWorkers(logsDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('nginx:') &&
          readlinkSync(`/proc/${name}/cwd`) === logsDir
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
