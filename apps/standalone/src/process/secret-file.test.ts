import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readOrCreateSecret, readSecret } from './secret-file.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-secret-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('is 32 random bytes, the same at every start, readable by its owner alone', () => {
  const file = join(directory, 'key');
  const secret = readOrCreateSecret(file, 'base64');
  expect(Buffer.from(secret, 'base64')).toHaveLength(32);
  expect(readOrCreateSecret(file, 'base64')).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readOrCreateSecret(join(directory, 'other'), 'base64')).not.toBe(secret);
});

it('closes a file that others could read', () => {
  const file = join(directory, 'key');
  readOrCreateSecret(file, 'base64url');
  chmodSync(file, 0o644);
  readSecret(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
