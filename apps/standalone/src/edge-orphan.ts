import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linuxStat } from './process/process-identity.ts';

/**
 * Whether the nginx of an earlier start still serves from this data directory. It outlives its agent on purpose, so
 * that visitors notice nothing; the next agent takes it over, and its ports are no conflict.
 */
export function isEdgeStillServing(dataDirectory: string): boolean {
  try {
    const noted: unknown = JSON.parse(readFileSync(join(dataDirectory, 'edge/nginx.json'), 'utf8'));
    const { pid, startTime } = (noted as { process: { pid: number; startTime: string } }).process;
    return String(linuxStat(pid)?.startTicks) === startTime;
  } catch {
    return false;
  }
}
