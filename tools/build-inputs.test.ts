import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtHashFile, inputHash, type Part, staleParts } from './build-inputs.mjs';

let root: string;
const parts: Part[] = ['node', 'edge', 'console', 'files'];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cordon-build-'));
  for (const folder of ['apps/api/src', 'apps/console/src', 'packages/contract/src', 'dist']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const file of ['apps/api/src/main.ts', 'apps/console/src/main.tsx', 'packages/contract/index.ts']) {
    writeFileSync(join(root, file), 'export {};\n');
  }
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const built = Object.fromEntries(parts.map((part) => [part, inputHash(root, part)]));
  writeFileSync(join(root, builtHashFile), JSON.stringify(built));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('finds nothing stale after a build', () => {
  expect(staleParts(root)).toEqual([]);
});

it('finds exactly the parts that a changed file goes into', () => {
  writeFileSync(join(root, 'apps/console/src/main.tsx'), 'export const changed = 1;\n');
  expect(staleParts(root)).toEqual(['console']);
  writeFileSync(join(root, 'packages/contract/index.ts'), 'export const changed = 1;\n');
  expect(staleParts(root)).toEqual(['node', 'edge', 'console']);
});

it('finds a file of the same size, a new one, and a removed one', () => {
  utimesSync(join(root, 'apps/api/src/main.ts'), 1, 1);
  expect(staleParts(root)).toEqual(['node']);
  writeFileSync(join(root, builtHashFile), JSON.stringify({ node: inputHash(root, 'node') }));
  cpSync(join(root, 'apps/api/src/main.ts'), join(root, 'apps/api/src/second.ts'));
  expect(staleParts(root)).toContain('node');
});

it('does not build anew for a changed test', () => {
  writeFileSync(join(root, 'apps/api/src/main.test.ts'), 'export {};\n');
  writeFileSync(join(root, 'apps/console/src/list.test.tsx'), 'export {};\n');
  expect(staleParts(root)).toEqual([]);
});

it('builds everything anew for other packages, and when nothing was noted', () => {
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  expect(staleParts(root)).toEqual(parts);
  rmSync(join(root, builtHashFile));
  expect(staleParts(root)).toEqual(parts);
});
