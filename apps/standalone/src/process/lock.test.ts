import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock, LockHeld } from './lock.ts';
import { identify } from './process-identity.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-lock-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('is held until it is released, and leaves nothing behind', () => {
  const path = join(directory, 'lock');
  const lock = acquireLock(path);
  expect(() => acquireLock(path)).toThrow(LockHeld);
  expect(existsSync(path)).toBe(true);
  lock.release();
  expect(readdirSync(directory)).toEqual([]);
  acquireLock(path).release();
});

it('is taken over from a process that no longer runs', () => {
  const path = join(directory, 'lock');
  writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'before' }));
  acquireLock(path).release();
  expect(readdirSync(directory)).toEqual([]);
});

it('is taken over when the owner’s number now belongs to another process', () => {
  const path = join(directory, 'lock');
  const otherProcess = spawn('sleep', ['30']);
  try {
    const pid = otherProcess.pid ?? 0;
    expect(identify(pid)).toBeDefined();
    writeFileSync(path, JSON.stringify({ pid, startedAt: 'another boot:1' }));
    acquireLock(path).release();
  } finally {
    otherProcess.kill('SIGKILL');
  }
});

it('is taken over when its file is empty, as after a full disk', () => {
  const path = join(directory, 'lock');
  writeFileSync(path, '');
  acquireLock(path).release();
  expect(readdirSync(directory)).toEqual([]);
});
