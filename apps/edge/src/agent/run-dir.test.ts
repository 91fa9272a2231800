import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { prepareRunDir } from './run-dir.ts';

const made: string[] = [];
const prepare = (former?: string) => {
  const path = prepareRunDir(former, undefined);
  made.push(path);
  return path;
};

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

it('uses its own folder again', () => {
  const path = prepare();
  expect(prepare(path)).toBe(path);
  expect(statSync(join(path, 'admin')).mode & 0o777).toBe(0o700);
});

it('uses no folder under the remembered name that others can write to, and no link', () => {
  const open = mkdtempSync(join(tmpdir(), 'cordon-edge-'));
  made.push(open);
  chmodSync(open, 0o777);
  expect(prepare(open)).not.toBe(open);
  chmodSync(open, 0o700);
  const link = `${open}-link`;
  symlinkSync(open, link);
  made.push(link);
  expect(prepare(link)).not.toBe(link);
});
