import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled } from './install-packages.mjs';

const repositoryDir = resolve(dirname(fileURLToPath(import.meta.url)), '..');
let root: string;

const lock = {
  '': { name: 'cordon', workspaces: ['apps/*'] },
  'apps/api': { version: '1.0.0' },
  'node_modules/@cordon/api': { resolved: 'apps/api', link: true },
  'node_modules/one': { version: '1.2.3', integrity: 'sha512-one' },
  'node_modules/for-another-platform': { version: '4.5.6', integrity: 'sha512-other', optional: true },
};
const { '': _root, 'node_modules/for-another-platform': _other, ...installed } = lock;

const write = (path: string, packages: object) =>
  writeFileSync(join(root, path), JSON.stringify({ lockfileVersion: 3, packages }));
const install = (packages: object) => write('node_modules/.package-lock.json', packages);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cordon-packages-'));
  mkdirSync(join(root, 'node_modules'));
  write('package-lock.json', lock);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('takes packages that npm ci has installed for what they are', () => {
  install(installed);
  expect(isInstalled(root)).toBe(true);
  expect(isInstalled(repositoryDir)).toBe(true);
});

it('installs where packages are missing, or an install was cut short', () => {
  expect(isInstalled(root)).toBe(false);
  const { 'node_modules/one': _one, ...others } = installed;
  install(others);
  expect(isInstalled(root)).toBe(false);
});

it('installs what the lock has in another version, and removes what it no longer has', () => {
  install({ ...installed, 'node_modules/one': { version: '1.2.2', integrity: 'sha512-former' } });
  expect(isInstalled(root)).toBe(false);
  install({ ...installed, 'node_modules/former': { version: '1.0.0' } });
  expect(isInstalled(root)).toBe(false);
});
