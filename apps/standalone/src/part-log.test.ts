import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PartLog, readableLine } from './part-log.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-log-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

it('shows warnings and errors, and keeps the rest for the file', () => {
  expect(readableLine('{"level":30,"msg":"request completed with error code 0"}')).toBeUndefined();
  expect(readableLine('{"level":50,"msg":"failed","err":{"message":"because"}}')).toBe('failed: because');
  expect(readableLine('{"level":"warn","message":"no connection","reason":"401"}')).toBe('no connection: 401');
  expect(readableLine('{"level":"info","message":"no error"}')).toBeUndefined();
  expect(readableLine('LOG:  checkpoint starting')).toBeUndefined();
  expect(readableLine('FATAL:  out of space')).toBe('FATAL:  out of space');
  expect(readableLine('2026/01/01 00:00:00 [error] 1#1: connect() failed')).toMatch(/connect/);
});

it('keeps a warning from the terminal that asks for nothing', () => {
  expect(readableLine('oidc-provider WARNING: Unsupported runtime. Use Node.js v22.x LTS.')).toBeUndefined();
  expect(readableLine('oidc-provider WARNING: a quick start with development keys')).toMatch(/development keys/);
});

it('puts lines together that arrive in pieces, and writes them behind the part’s name', () => {
  const shown: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    shown.push(String(chunk));
    return true;
  });
  const file = join(directory, 'api.log');
  const log = new PartLog('api', file);
  expect(log.write('warn')).toEqual([]);
  expect(log.write('ing: low\nfine\n')).toEqual(['warning: low', 'fine']);
  expect(shown).toEqual(['[api] warning: low\n']);
  log.silence();
  log.write('error: gone\n');
  expect(shown).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe('warning: low\nfine\nerror: gone\n');
  expect(log.recent()).toEqual(['warning: low', 'fine', 'error: gone']);
});
