import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEdgeStillServing } from './edge-orphan.ts';
import { linuxStat } from './process/process-identity.ts';

function directoryNoting(noted: unknown): string {
  const directory = mkdtempSync(join(tmpdir(), 'cordon-edge-orphan-'));
  mkdirSync(join(directory, 'edge'));
  writeFileSync(join(directory, 'edge/nginx.json'), JSON.stringify(noted));
  return directory;
}
const startTime = String(linuxStat(process.pid)?.startTicks);

describe('isEdgeStillServing', () => {
  it('knows the very process that was noted', () =>
    expect(isEdgeStillServing(directoryNoting({ process: { pid: process.pid, startTime } }))).toBe(true));
  it('does not take a later process of the same number for it', () =>
    expect(isEdgeStillServing(directoryNoting({ process: { pid: process.pid, startTime: '1' } }))).toBe(false));
  it('knows the workers of a master that was killed: they hold the ports', async () => {
    const directory = directoryNoting({ process: { pid: process.pid, startTime: '1' } });
    const logs = join(directory, 'edge/logs');
    mkdirSync(logs);
    expect(isEdgeStillServing(directory)).toBe(false);
    const worker = spawn('bash', ['-c', 'echo; exec -a "nginx: worker process" sleep 60'], { cwd: logs });
    await once(worker.stdout, 'data');
    await expect.poll(() => isEdgeStillServing(directory)).toBe(true);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(isEdgeStillServing(directory)).toBe(false);
  });
  it('is false when nothing was noted, or nonsense', () => {
    expect(isEdgeStillServing('/nonexistent')).toBe(false);
    expect(isEdgeStillServing(directoryNoting('x'))).toBe(false);
  });
});
