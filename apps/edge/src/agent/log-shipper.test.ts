import { existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogShipper } from './log-shipper.ts';

it("does not follow a link that nginx's user has laid in its folder: the agent may be root", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-shipper-'));
  const logsDir = join(dir, 'logs');
  const shipper = new LogShipper({
    logsDir,
    nodeName: 'test',
    diskBytesMax: 1024 * 1024,
    owner: undefined,
    reopenLogs: () => {},
    writers: () => [],
    send: async () => {},
  });
  symlinkSync(join(dir, 'elsewhere'), join(logsDir, 'current.ndjson'));
  shipper.start();
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  expect(lstatSync(join(logsDir, 'current.ndjson')).isFile()).toBe(true);
  await shipper.stop(100);
  rmSync(dir, { recursive: true, force: true });
});
