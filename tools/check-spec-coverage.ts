import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `docs/spec-coverage.md` names only files that exist, and every row says what shows it. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shortened: Readonly<Record<string, string>> = {
  contract: 'packages/contract/src',
  api: 'apps/api/src',
  console: 'apps/console/src',
  edge: 'apps/edge/src',
  plugins: 'packages/plugins',
};

/** Faults of a coverage page, one sentence each. `exists` answers whether a path below the root is there. */
export function coverageFaults(page: string, exists: (path: string) => boolean): string[] {
  const faults: string[] = [];
  for (const [index, line] of page.split('\n').entries()) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length !== 4 || cells[1] === 'line' || cells[1]?.startsWith('---')) continue;
    const shownBy = cells[2] ?? '';
    if (shownBy === 'later') continue;
    const files = [...shownBy.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    if (files.length === 0) faults.push(`line ${index + 1}: neither a test nor "later"`);
    for (const file of files) {
      const [first = '', ...rest] = file.split('/');
      const path = [shortened[first] ?? first, ...rest].join('/');
      if (!exists(path)) faults.push(`line ${index + 1}: ${path} does not exist`);
    }
  }
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
  const faults = coverageFaults(page, (path) => existsSync(join(root, path)));
  for (const fault of faults) process.stderr.write(`docs/spec-coverage.md, ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
