import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { linuxStat } from './process/process-identity.ts';

/**
 * Whether the nginx of an earlier start still serves from this data directory. It outlives its agent on purpose, so
 * that visitors notice nothing; the next agent takes it over (or ends its workers, when its master is dead), and its
 * ports are no conflict.
 */
export function isEdgeStillServing(dataDirectory: string): boolean {
  const edge = join(dataDirectory, 'edge');
  try {
    const noted: unknown = JSON.parse(readFileSync(join(edge, 'nginx.json'), 'utf8'));
    const { pid, startTime } = (noted as { process: { pid: number; startTime: string } }).process;
    return String(linuxStat(pid)?.startTicks) === startTime || hasWorkers(realpathSync(join(edge, 'logs')));
  } catch {
    return false;
  }
}

/** nginx runs inside the folder of its logs (apps/edge/src/agent/nginx-process.ts). */
function hasWorkers(logsDirectory: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const isNginx = readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('nginx:');
      return isNginx && readlinkSync(`/proc/${name}/cwd`) === logsDirectory;
    } catch {
      return false;
    }
  });
}
