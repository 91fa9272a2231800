import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emitLua } from './emit-lua.ts';

const repositoryDir = resolve(fileURLToPath(import.meta.url), '../../../../..');
let dir: string;

beforeAll(() => {
  // Inside the repository, so that its packages are found; ignored by git.
  mkdirSync(join(repositoryDir, 'dist'), { recursive: true });
  dir = mkdtempSync(join(repositoryDir, 'dist/emit-lua-test-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function emit(source: string): string[] {
  const entry = join(dir, 'entry.ts');
  writeFileSync(entry, source);
  return emitLua({ entries: [entry], outDir: join(dir, 'lua'), rootDir: repositoryDir });
}
const short = (files: readonly string[]) =>
  files.map((file) => file.slice(repositoryDir.length + 1).replace(/^dist\/[^/]+/, 'dist'));

it('emits what is imported for its values, packages of the workspace too, and nothing that is imported for its types', () => {
  const files = emit(`
    import { parseAddress } from '@cordon/contract/address';
    import type { EdgeRoute } from '@cordon/contract/edge-config';
    import { type EdgeTarget } from '@cordon/contract/edge-config';
    export const familyOf = (route: EdgeRoute, target: EdgeTarget) => parseAddress(route.id + target.host)?.family;`);
  expect(short(files)).toEqual(['dist/entry.ts', 'packages/contract/src/address.ts']);
  expect(existsSync(join(dir, 'lua/packages/contract/src/address.lua'))).toBe(true);
  expect(readFileSync(join(dir, 'lua/packages/contract/src/address.lua'), 'utf8')).toContain(
    'function ____exports.parseAddress(',
  );
}, 60_000);

it('emits no tail call', () => {
  emit(`
    const one = (value: number): number => value + 1;
    export const two = (value: number): number => one(value);
    export function chosen(value: number): number {
      if (value > 0) return two(value);
      return 0;
    }`);
  const lua = readFileSync(join(dir, 'lua', dir.slice(repositoryDir.length + 1), 'entry.lua'), 'utf8');
  expect(lua.match(/return \(?(?:____exports\.)?(?:one|two)\(/g)).toEqual(['return (one(', 'return (____exports.two(']);
}, 60_000);

it.each([
  ['wrong types', 'export const size: number = "1";', /not assignable to type 'number'/],
  ['an any that was written', 'export const sizeOf = (list: any) => list.length;', /entry\.ts:1:\d+ list is any/],
  ['an any that was inferred', 'export const first = JSON.parse("[1]");', /JSON\.parse\("\[1\]"\) is any/],
  ['what Lua does not have', 'export const isA = (text: string) => /a/.test(text);', /cannot be emitted as Lua/],
])('refuses %s', (_, source, fault) => expect(() => emit(source)).toThrow(fault), 60_000);
