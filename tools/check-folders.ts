import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * No folder imports another that imports it back, types included: two such folders are one, and neither can be read or
 * changed alone. Tests may import whatever they test.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Below `root` each folder at that depth is one node; a file above it is a node of its own. */
interface Root {
  readonly root: string;
  readonly depth: number;
}

/** Every folder of sources, and inside the layers that hold parts of one kind. */
const ROOTS: readonly Root[] = [
  ...['apps/api/src', 'apps/console/src', 'apps/edge/src', 'apps/standalone/src'],
  ...['apps/api/src/modules', 'apps/api/src/platform', 'apps/console/src/app', 'apps/console/src/domain'],
  ...['apps/console/src/features', 'apps/console/src/features/domains', 'apps/console/src/features/publishing'],
  ...['packages/contract/src', 'packages/plugin-kit/src', 'tools', 'tests', 'bench'],
].map((folder) => ({ root: folder, depth: 1 }));

const TEST = /\.(test|spec)\.tsx?$|(^|\/)testing\//;
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** An import from one folder into another, with the file that has it. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  readonly file: string;
}

/** The node that a path below a root belongs to. */
const nodeOf = (path: string, depth: number): string => path.split('/').slice(0, depth).join('/');

/** Imports between the nodes of a root. `files` are its files with their text, by path below the root. */
export function folderImports(files: ReadonlyMap<string, string>, depth: number): FolderImport[] {
  const found: FolderImport[] = [];
  for (const [file, text] of files) {
    const from = nodeOf(file, depth);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = join(dirname(file), specifier).split(sep).join('/');
      const to = nodeOf(target, depth);
      if (!target.startsWith('..') && to !== from) found.push({ from, to, file });
    }
  }
  return found;
}

/** Circles of nodes, each once, as the imports that make it. */
export function circlesOf(imports: readonly FolderImport[]): FolderImport[][] {
  const outgoing = new Map<string, FolderImport[]>();
  for (const one of imports) outgoing.set(one.from, [...(outgoing.get(one.from) ?? []), one]);
  const done = new Set<string>();
  const circles = new Map<string, FolderImport[]>();
  function visit(node: string, path: readonly FolderImport[]): void {
    const start = path.findIndex(({ from }) => from === node);
    if (start >= 0) {
      const circle = path.slice(start);
      const key = circle
        .map(({ from }) => from)
        .sort()
        .join(' ');
      if (!circles.has(key)) circles.set(key, circle);
      return;
    }
    if (done.has(node)) return;
    for (const next of outgoing.get(node) ?? []) visit(next.to, [...path, next]);
    done.add(node);
  }
  for (const node of outgoing.keys()) visit(node, []);
  return [...circles.values()];
}

function readSources(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'));
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !TEST.test(path));
  return new Map(sources.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  for (const { root: path, depth } of ROOTS) {
    const folder = join(root, path);
    if (!existsSync(folder)) throw new Error(`${relative(root, folder)} is not there`);
    for (const circle of circlesOf(folderImports(readSources(folder), depth))) {
      const steps = circle.map(({ from, to, file }) => `  ${from} → ${to} (${file})`);
      process.stderr.write(`${path}: folders that import each other\n${steps.join('\n')}\n`);
      process.exitCode = 1;
    }
  }
}
