import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * Each row of `docs/spec-coverage.md` names tests as `` `file › title` ``. The file is found by the end of its path, which must
 * fit one file alone, so that a move breaks nothing; the title must be one of that file's tests: a group of tests may lose
 * the one that a row is about.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SEPARATOR = ' › ';
const FOLDERS = ['apps', 'packages', 'tests', 'tools'];
const TITLED = new Set(['it', 'test']);
/** Takes the place of what a title gets from a row or a variable. */
const HOLE = '\u0000';

/** Titles of a test file, with `HOLE` where something is filled in, and the texts that rows may fill in. */
export interface TestTitles {
  readonly titles: readonly string[];
  readonly texts: ReadonlySet<string>;
}

/** Titles as a row of the page may name them: a template as it stands in the source is one, too. */
function isTitle({ titles, texts }: TestTitles, cited: string): boolean {
  return titles.some((title) => {
    if (title === cited || title === withHoles(cited)) return true;
    const parts = title.split(HOLE);
    if (parts.length === 1) return false;
    // Nothing but what is filled in: then it must be the text of a row.
    if (parts.every((part) => part.trim() === '')) return texts.has(cited);
    const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${escaped.join('.+')}$`, 's').test(cited);
  });
}

const withHoles = (title: string) => title.replace(/%[sdifjoO#]|\$[\w.]+/g, HOLE);

/** The extension of the path decides whether JSX is read. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Reads the titles of `source`; `imported` are the sources next to it that may hold rows. */
export function titlesOf(source: Source, imported: readonly Source[] = []): TestTitles {
  const titles: string[] = [];
  const texts = new Set<string>();
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isCallExpression(node)) {
      const name = calledName(node.expression);
      const first = node.arguments[0];
      if (name === 'testPluginCases') titles.push(HOLE);
      else if (TITLED.has(name) && first) titles.push(...titleTexts(first));
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  const collect = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    ts.forEachChild(node, collect);
  };
  for (const each of imported) collect(parse(each));
  return { titles, texts };
}

const parse = ({ path, text }: Source) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest);

/** `it` of `it(…)`, `it.skipIf(…)(…)` and `it.concurrent.each(…)(…)`. */
function calledName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return calledName(expression.expression);
  return '';
}

function titleTexts(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [withHoles(node.text)];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map((span) => HOLE + span.literal.text)].map(withHoles).join('')];
  return [];
}

/** Faults of a coverage page, one sentence each. `read` gives the titles of a test file of the repository. */
export function coverageFaults(
  page: string,
  testFiles: readonly string[],
  read: (file: string) => TestTitles,
): string[] {
  const faults: string[] = [];
  for (const [index, line] of page.split('\n').entries()) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length !== 4 || cells[1] === 'line' || cells[1]?.startsWith('---')) continue;
    const shownBy = cells[2] ?? '';
    if (shownBy === 'later') continue;
    const fault = (text: string) => faults.push(`line ${index + 1}: ${text}`);
    const cited = [...shownBy.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    if (cited.length === 0) fault('neither a test nor "later"');
    for (const [name = '', ...titles] of cited.map((each) => each.split(SEPARATOR))) {
      const files = testFiles.filter((file) => file === name || file.endsWith(`/${name}`));
      const [file] = files;
      if (file === undefined) fault(`${name} does not exist`);
      else if (files.length > 1) fault(`${name} may be ${files.join(' or ')}`);
      else if (titles.length === 0) fault(`${name} is named without a title`);
      else for (const title of titles) if (!isTitle(read(file), title)) fault(`${name} has no test "${title}"`);
    }
  }
  return faults;
}

function importedSources({ path: file, text }: Source): Source[] {
  return [...text.matchAll(/from '(\.\.?\/[^']+\.tsx?)'/g)]
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((path) => existsSync(path) && !path.includes('/support/'))
    .map(readSource);
}

const readSource = (path: string): Source => ({ path, text: readFileSync(path, 'utf8') });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const testFiles = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => `${folder}/${path}`),
  );
  const known = new Map<string, TestTitles>();
  const read = (path: string) => {
    const source = readSource(join(root, path));
    const titles = known.get(path) ?? titlesOf(source, importedSources(source));
    known.set(path, titles);
    return titles;
  };
  const page = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
  const faults = coverageFaults(page, testFiles, read);
  for (const fault of faults) process.stderr.write(`docs/spec-coverage.md, ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
