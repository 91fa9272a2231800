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

it('shows what differs only in its numbers once in half a minute', () => {
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const log = new PartLog('api', join(directory, 'api.log'));
  const request = (id: string) => `{"level":50,"msg":"failed: no space","err":{"message":"request ${id}"}}\n`;
  log.write(request('8f0e4c94a6d1254f75a3b414acbf473f'));
  log.write(request('94c994a6d1254f75a3b414acbf473fee'));
  log.write('error: port 1 is closed\nerror: port 22 is closed\nerror: disk\n');
  expect(write.mock.calls.map(([line]) => line)).toEqual([
    '[api] failed: no space: request 8f0e4c94a6d1254f75a3b414acbf473f\n',
    '[api] error: port 1 is closed\n',
    '[api] error: disk\n',
  ]);
  expect(readFileSync(join(directory, 'api.log'), 'utf8').split('\n')).toHaveLength(6);
});

it('holds back what a part says while it starts', () => {
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const log = new PartLog('api', join(directory, 'api.log'));
  log.hold();
  log.write('error: not yet\n');
  expect(write).not.toHaveBeenCalled();
  log.release();
  log.write('error: now\n');
  expect(write.mock.calls.map(([line]) => line)).toEqual(['[api] error: not yet\n', '[api] error: now\n']);
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
