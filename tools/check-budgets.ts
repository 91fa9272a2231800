import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** One chunk of Vite's manifest. */
export interface ManifestChunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  isDynamicEntry?: boolean;
}
export type Manifest = Record<string, ManifestChunk>;

export interface BudgetLine {
  name: string;
  bytes: number;
  /** Undefined: printed, not bounded. */
  maximum: number | undefined;
}

const KB = 1000;
/** Gzip budgets of the console's design, in bytes. */
const BUDGETS = {
  signIn: 130 * KB,
  shell: 150 * KB,
  route: 25 * KB,
  chart: 35 * KB,
  form: 50 * KB,
  formLibraries: 50 * KB,
  dialogParts: 35 * KB,
  css: 12 * KB,
};
const ENTRY = 'index.html';
const LOCALES = ['en', 'zh'];

/** A chunk and everything it needs before it can run. */
export function closureOf(manifest: Manifest, ...keys: string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The manifest has no ${key}`);
    seen.add(key);
    chunk.imports?.forEach(visit);
  };
  keys.forEach(visit);
  return seen;
}

/**
 * Files that need each other before they can run. Whichever of them arrives first runs with what the other has not
 * made yet, so that the console breaks for some visitors and not for others.
 */
export function circlesOf(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((key) =>
    manifest[key]?.imports?.some((needed) => closureOf(manifest, needed).has(key)),
  );
}

const without = (all: ReadonlySet<string>, known: ReadonlySet<string>) => [...all].filter((key) => !known.has(key));

/*
 * What every form checks and holds its values with, and what every dialog stands in: loaded once, with the first of them,
 * and printed on lines of their own.
 */
const FORM_LIBRARIES = /^_(zod|form-library)-/;
const DIALOG_PARTS = /^_popup-parts-/;

/**
 * What is on the page already when a lazy part is opened: the shell, and what every one of its openers needs.
 * A part that several open is measured as if opened from where least is there.
 */
function knownBefore(
  manifest: Manifest,
  key: string,
  shell: ReadonlySet<string>,
  trail: readonly string[] = [],
): Set<string> {
  const openers = Object.keys(manifest).filter(
    (other) => manifest[other]?.dynamicImports?.includes(key) && !trail.includes(other),
  );
  const ways = openers.map((opener) => {
    const before = shell.has(opener)
      ? shell
      : knownBefore(manifest, topOf(manifest, opener), shell, [...trail, key, opener]);
    return new Set([...before, ...closureOf(manifest, opener)]);
  });
  const [first, ...others] = ways;
  return new Set(first ? [...first].filter((one) => others.every((way) => way.has(one))) : shell);
}

/* A shared chunk that opens something is itself on the page because of an entry; one that several need counts as itself. */
function topOf(manifest: Manifest, key: string): string {
  if (manifest[key]?.isDynamicEntry) return key;
  const users = Object.keys(manifest).filter(
    (other) => manifest[other]?.isDynamicEntry && closureOf(manifest, other).has(key),
  );
  return users.length === 1 && users[0] ? users[0] : key;
}

/** Sizes of what is loaded together, against the budgets. `sizeOf` gives the gzip size of a built file. */
export function measure(manifest: Manifest, sizeOf: (file: string) => number): BudgetLine[] {
  const js = (keys: Iterable<string>) => [...keys].reduce((sum, key) => sum + sizeOf(manifest[key]?.file ?? ''), 0);
  const catalogs = (...names: string[]) =>
    Math.max(...LOCALES.map((locale) => js(names.map((name) => name.replace('*', locale)))));
  const matching = (pattern: RegExp) => js(Object.keys(manifest).filter((key) => pattern.test(key)));
  const cssOf = (keys: Iterable<string>) => new Set([...keys].flatMap((key) => manifest[key]?.css ?? []));

  const signIn = closureOf(manifest, ENTRY, 'src/features/identity/start-identity.tsx');
  const shell = closureOf(manifest, ENTRY, 'src/routes/start-console.tsx');
  const css = cssOf(new Set([...signIn, ...shell]));
  const lines: BudgetLine[] = [
    { name: 'sign-in', bytes: js(signIn) + catalogs('src/features/identity/locales/*.json'), maximum: BUDGETS.signIn },
    {
      name: 'shell',
      bytes: js(shell) + Math.max(...LOCALES.map((locale) => matching(new RegExp(`^_words-${locale}-`)))),
      maximum: BUDGETS.shell,
    },
    { name: 'CSS', bytes: [...css].reduce((sum, file) => sum + sizeOf(file), 0), maximum: BUDGETS.css },
  ];
  for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || key.endsWith('.json') || shell.has(key) || signIn.has(key)) continue;
    const isRoute = /^src\/routes\/.*-screen\.tsx$|-page\.tsx$/.test(key);
    const isChart = key.startsWith('src/ui/charts/');
    const known = isRoute ? shell : knownBefore(manifest, key, shell);
    const bytes = js(
      without(closureOf(manifest, key), known).filter(
        (part) => isRoute || !(FORM_LIBRARIES.test(part) || DIALOG_PARTS.test(part)),
      ),
    );
    lines.push({ name: key, bytes, maximum: isRoute ? BUDGETS.route : isChart ? BUDGETS.chart : BUDGETS.form });
  }
  lines.push({ name: 'form libraries', bytes: matching(FORM_LIBRARIES), maximum: BUDGETS.formLibraries });
  lines.push({ name: 'dialog parts', bytes: matching(DIALOG_PARTS), maximum: BUDGETS.dialogParts });
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = process.argv[2] ?? fileURLToPath(new URL('../dist/console', import.meta.url));
  const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Manifest;
  const lines = measure(manifest, (file) => gzipSync(readFileSync(join(built, file))).length);
  const circles = circlesOf(manifest);
  if (circles.length > 0) {
    console.log(`Files that need each other before they can run: ${circles.join(', ')}`);
    process.exitCode = 1;
  }
  const isOver = ({ bytes, maximum }: BudgetLine) => maximum !== undefined && bytes > maximum;
  for (const { name, bytes, maximum } of lines)
    console.log(`${(bytes / KB).toFixed(1).padStart(7)} kB of ${maximum === undefined ? '-' : maximum / KB}  ${name}`);
  // At the end, where one looks: a file's name is part of those that load it, so that sizes differ by some bytes from place to place.
  for (const { name, bytes, maximum } of lines.filter(isOver)) {
    console.log(`OVER: ${name}, ${bytes} bytes of ${maximum}`);
    process.exitCode = 1;
  }
}
