import { closeSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ErrorLog } from './error-log.ts';

it('is bounded while processes hold it open, keeps its end, and is readable by its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cordon-error-log-'));
  const path = join(folder, 'error.log');
  const errorLog = new ErrorLog(path, 100);
  const writer = errorLog.open();
  writeSync(writer, `${'x'.repeat(150)}last`);
  errorLog.bound();
  writeSync(writer, 'next');
  expect(readFileSync(path, 'utf8')).toBe('next');
  expect(readFileSync(`${path}.1`, 'utf8')).toMatch(/x+last$/);
  for (const file of [path, `${path}.1`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  closeSync(writer);
  rmSync(folder, { recursive: true });
});
