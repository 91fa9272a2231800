import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What each part of the build is made from. Plain JavaScript without dependencies: the launcher asks it on every start,
 * before it knows whether any package is installed.
 */
export const buildInputs = {
  node: ['apps/api/src', 'apps/edge/src', 'apps/standalone/src', 'packages', 'tools/build.ts'],
  edge: ['apps/edge', 'packages', 'tools/build.ts'],
  console: ['apps/console', 'packages', 'tools/build.ts'],
  files: ['apps/api/migrations', 'apps/api/clickhouse', 'apps/edge/nginx', 'packages/plugins', 'tools/build.ts'],
};

const HASH_FILE = 'dist/.build-hash';
const IGNORED = /(^|\/)(node_modules|dist|test-results)$|\.(test|spec)\.tsx?$|\/cases\.ts$|\.tsbuildinfo$/;

/** Hash of the names, sizes and times of a part's inputs; the lock file stands for its packages. */
export function inputHash(root, part) {
  const hash = createHash('sha256');
  for (const input of [...buildInputs[part], 'package-lock.json']) add(hash, root, input);
  return hash.digest('hex');
}

/** Parts whose inputs are not those of their last build. */
export function staleParts(root) {
  const built = readBuilt(root);
  return Object.keys(buildInputs).filter((part) => built[part] !== inputHash(root, part));
}

/** The hashes noted after the last build, by part. */
export function readBuilt(root) {
  try {
    return JSON.parse(readFileSync(join(root, HASH_FILE), 'utf8'));
  } catch {
    return {};
  }
}

export const builtHashFile = HASH_FILE;

function add(hash, root, path) {
  const full = join(root, path);
  if (IGNORED.test(path) || !existsSync(full)) return;
  const stat = statSync(full);
  if (stat.isDirectory()) {
    for (const name of readdirSync(full).sort()) add(hash, root, `${path}/${name}`);
  } else {
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
}
