import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * No folder imports another that imports it back, types included: two such folders are one, and neither can be read or
 * changed alone. Asked of folders side by side, each with all below it, and of directories anywhere, each with the files
 * right in it. Tests may import whatever they test. And modules of the API import only those above them in the table of
 * docs/architecture.md, and write only tables of their own, which plugins and the operator's commands do not write.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const WORKSPACES = ['apps', 'packages'];
const SCRIPTS = ['tools', 'tests', 'bench'];
const MODULES = 'apps/api/src/modules';
/** Write through the modules: plugins by the tools of their kit, beside tables of their own. */
const WITHOUT_TABLES = ['packages/plugins/', 'apps/api/src/operator/'];
const MODULES_HEADING = '## Modules of the API';

const TEST = /\.(test|spec)\.tsx?$|(^|\/)testing\//;
/** A table in a `tables.ts`, and what writes one: the query builder, or SQL. */
const TABLE = /^ {4}(\w+): \{/gm;
const WRITE = /\b(?:insertInto|updateTable|deleteFrom)\('(\w+)'|\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/g;
/** Its columns are shared out in apps/api/README.md. */
const SHARED_TABLE = 'routes';
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** An import from one folder into another, with the file that has it. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  readonly file: string;
}

/** Sources with their text, by path. */
export type Sources = ReadonlyMap<string, string>;

/** What of a folder a path inside it belongs to: a folder, or a file of its own. */
const nodeOf = (path: string): string => path.split('/', 1)[0] ?? '';

/**
 * Imports between what is in a folder. `files` are all below it, by path from there. By `dirname` between directories: a
 * folder whose top is built on its parts is no base of theirs.
 */
export function folderImports(files: Sources, node = nodeOf): FolderImport[] {
  const found: FolderImport[] = [];
  for (const [file, text] of files) {
    const from = node(file);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = join(dirname(file), specifier).split(sep).join('/');
      const to = node(target);
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

/** Every folder with folders in it, with the files below it by path from there. */
export function nestedFolders(files: Sources): Map<string, Map<string, string>> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const names = path.split('/');
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join('/');
      const below = folders.get(folder) ?? new Map<string, string>();
      folders.set(folder, below.set(names.slice(depth).join('/'), text));
    }
  }
  const isNested = (below: Sources) => [...below.keys()].some((path) => path.includes('/'));
  return new Map([...folders].filter(([, below]) => isNested(below)));
}

/** Modules in the order of the table, row by row and from left to right. */
export function modulesInOrder(page: string): string[] {
  const section = page.split(`${MODULES_HEADING}\n`)[1]?.split(/^#/m)[0] ?? '';
  const cells = section.split('\n').flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name));
}

/** What is wrong with the order of modules: one that the table does not have or has no folder, or an import upwards. */
export function orderFaults(modules: Sources, order: readonly string[]): string[] {
  const folders = new Set([...modules.keys()].filter((path) => path.includes('/')).map(nodeOf));
  const isWrong = ({ from, to }: FolderImport) => order.indexOf(to) >= order.indexOf(from);
  return [
    ...[...folders].filter((name) => !order.includes(name)).map((name) => `${name} is not in the table`),
    ...order.filter((name) => !folders.has(name)).map((name) => `${name} is in the table, but not there`),
    ...folderImports(modules)
      .filter(({ from, to }) => order.includes(from) && order.includes(to))
      .filter(isWrong)
      .map(({ from, to, file }) => `${from} → ${to} (${file}), which stands below it`),
  ];
}

/** Tables that a module writes although the `tables.ts` of another one has them, and any of them that is written from `outside`. */
export function tableFaults(modules: Sources, outside: Sources): string[] {
  const owners = new Map<string, string>();
  for (const [file, text] of modules)
    if (file.endsWith('/tables.ts')) for (const [, table = ''] of text.matchAll(TABLE)) owners.set(table, nodeOf(file));
  return [...modules, ...outside].flatMap(([file, text]) =>
    [...text.matchAll(WRITE)].flatMap(([, built, written = built]) => {
      const owner = owners.get(written ?? '');
      const isOwn = modules.has(file) && (owner === nodeOf(file) || written === SHARED_TABLE);
      return owner === undefined || isOwn ? [] : [`${file} writes ${written}, which belongs to ${owner}`];
    }),
  );
}

const foldersOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => `${folder}/${name}`);

/** All of the repository; of a workspace with `src` only that, since what lies beside it is made or configures tools. */
function readSources(): Map<string, string> {
  const workspaces = WORKSPACES.flatMap(foldersOf);
  const folders = workspaces.flatMap((path) => (existsSync(join(root, path, 'src')) ? `${path}/src` : foldersOf(path)));
  const paths = [...folders, ...SCRIPTS].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path).split(sep).join('/'),
    ),
  );
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !TEST.test(path) && !path.includes('/generated/'));
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

function failOf(where: string, imports: readonly FolderImport[]): void {
  for (const circle of circlesOf(imports)) {
    const steps = circle.map(({ from, to, file }) => `  ${from} → ${to} (${file})`);
    fail(`${where}: folders that import each other\n${steps.join('\n')}`);
  }
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const sources = readSources();
  const folders = nestedFolders(sources);
  for (const [folder, files] of folders) failOf(folder, folderImports(files));
  failOf('directories', folderImports(sources, dirname));
  const order = modulesInOrder(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
  const modules = folders.get(MODULES) ?? new Map();
  const outside = new Map([...sources].filter(([path]) => WITHOUT_TABLES.some((folder) => path.startsWith(folder))));
  for (const fault of [...orderFaults(modules, order), ...tableFaults(modules, outside)]) fail(`${MODULES}: ${fault}`);
}
