import { readFileSync } from 'node:fs';
import { workersOf } from '../agent/processes.ts';
import type { TestEdge } from './start-edge.ts';

/** Milliseconds that the one worker of an edge has computed so far. */
export function workerTime({ nginxPid }: TestEdge): number {
  const [worker] = workersOf(nginxPid);
  return Number(readFileSync(`/proc/${worker}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
