import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each path of the repository that a page names as `` `apps/…` `` is there: who is sent to a file must find it. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const NAMED = /`((?:apps|bench|docs|packages|tests|tools)\/[^`\s]*)`/g;
/** Stands for several, or for one that is yet to be made. */
const PLACEHOLDER = /[<*…]/;

/** `a/{b,c-{d,e}}.ts` is three paths. */
export function expandBraces(path: string): string[] {
  const [, before, choices, after] = /^(.*)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (choices === undefined) return [path];
  return [...new Set(choices.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`)))];
}

/** Paths that the text names, and that are not there. */
export const missingPaths = (text: string, isThere: (path: string) => boolean): string[] =>
  [...text.matchAll(NAMED)]
    .flatMap(([, path = '']) => expandBraces(path))
    .filter((path) => !PLACEHOLDER.test(path) && !isThere(path));

/** The README, those of the apps, and all below docs. */
function findPages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const apps = readdirSync(join(root, 'apps')).map((name) => `apps/${name}/README.md`);
  return ['README.md', ...apps, ...docs.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`)]
    .map((path) => path.split(sep).join('/'))
    .filter((path) => existsSync(join(root, path)));
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const faults = findPages().flatMap((page) =>
    missingPaths(readFileSync(join(root, page), 'utf8'), (path) => existsSync(join(root, path))).map(
      (path) => `${page} names ${path}, which is not there`,
    ),
  );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
