import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

const repositoryDir = resolve(fileURLToPath(import.meta.url), '../../..');
let pluginsDir: string;

beforeEach(() => {
  // Inside the repository, so that the plugins find its packages; ignored by git, so that no other tool sees them.
  mkdirSync(join(repositoryDir, 'dist'), { recursive: true });
  pluginsDir = mkdtempSync(join(repositoryDir, 'dist/plugins-test-'));
});
afterEach(() => rmSync(pluginsDir, { recursive: true, force: true }));

interface Run {
  readonly isOk: boolean;
  readonly lines: readonly string[];
}

function run(tool: string, ...args: readonly string[]): Run {
  const command = ['--import', 'tsx/esm', join(repositoryDir, `tools/${tool}.ts`), ...args, '--plugins', pluginsDir];
  try {
    const output = execFileSync(process.execPath, command, {
      cwd: repositoryDir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { isOk: true, lines: output.trim().split('\n') };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { isOk: false, lines: `${stdout}${stderr}`.trim().split('\n') };
  }
}
const make = (name: string, ...args: string[]) => run('plugins-new', name, ...args);
const generate = () => run('plugins-generate');
const check = () => run('plugins-generate', '--check');

function edit(path: string, change: (text: string) => string): void {
  const file = join(pluginsDir, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`the edit of ${path} changed nothing`);
  writeFileSync(file, after);
}

/** Does what the templates ask for, as little as possible. */
function fillIn(name: string): void {
  for (const entry of readdirSync(join(pluginsDir, name), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('TODO ', ''));
  }
}

/** Each of the commands takes most of a second, and most tests begin with the same folder. */
let firstDir: string | undefined;
afterAll(() => firstDir && rmSync(firstDir, { recursive: true, force: true }));

function makeFilledIn(name: string): void {
  make(name);
  fillIn(name);
  generate();
}

/** The plugin `zz-first` as the only one. */
function makeFirst(): void {
  if (firstDir) {
    cpSync(firstDir, pluginsDir, { recursive: true });
    return;
  }
  makeFilledIn('zz-first');
  firstDir = mkdtempSync(join(repositoryDir, 'dist/plugins-test-'));
  cpSync(pluginsDir, firstDir, { recursive: true });
}

it('makes a plugin that is refused until it is filled in, and then passes', () => {
  const made = make('zz-first', '--phase', 'rate');
  expect(made.isOk).toBe(true);
  expect(made.lines.filter((line) => line.includes('locales/zh.json'))).toHaveLength(6);
  expect(generate().lines).toEqual(['1 plugin registered']);

  const unfinished = check();
  expect(unfinished.isOk).toBe(false);
  expect(unfinished.lines).toContain('zz-first: locales/en.json:2 is still to be filled in');
  expect(unfinished.lines.every((line) => line.endsWith('is still to be filled in'))).toBe(true);

  fillIn('zz-first');
  expect(check()).toEqual({ isOk: true, lines: ['1 plugin checked'] });
  const handlers = readFileSync(join(pluginsDir, 'generated/handlers.ts'), 'utf8');
  expect(handlers).toContain("'zz-first': { phase: 'rate', handler: zzFirstPlugin },");
  expect(readFileSync(join(pluginsDir, 'zz-first/plugin.ts'), 'utf8')).toContain("phase: 'rate',\n  order: 10,");
}, 180_000);

it('begins with a handler that has the hook of its phase, and a case of it', async () => {
  const hooks = { upstream: 'upstream', response: 'response', error: 'response', redirect: 'access' };
  for (const phase of Object.keys(hooks)) expect(make(`zz-${phase}`, '--phase', phase).isOk).toBe(true);
  for (const phase of Object.keys(hooks)) fillIn(`zz-${phase}`);
  generate();
  expect(check()).toEqual({ isOk: true, lines: ['4 plugins checked'] });
  for (const [phase, hook] of Object.entries(hooks)) {
    const { handler } = (await import(join(pluginsDir, `zz-${phase}/edge.ts`))) as { handler: object };
    expect(Object.keys(handler)).toEqual(['prepare', hook]);
    const seen = { upstream: 'origin: { fields', response: 'answer: { fields', access: "verdict: 'block'" }[hook];
    expect(readFileSync(join(pluginsDir, `zz-${phase}/cases.ts`), 'utf8')).toContain(seen);
  }
}, 180_000);

it('refuses names, phases and folders that will not do', () => {
  expect(make('Upper').lines[0]).toBe('Upper is not a kebab-case name');
  expect(make('generated').isOk).toBe(false);
  expect(make('zz-first', '--phase', 'lunch').lines[0]).toBe('there is no phase lunch');
  expect(make('zz-first').isOk).toBe(true);
  expect(make('zz-first').lines[0]).toMatch(/zz-first exists already$/);
}, 180_000);

it('orders plugins by the pipeline and gives a second one the next place', () => {
  makeFilledIn('zz-second');
  makeFilledIn('aa-third');
  const definitions = () => readFileSync(join(pluginsDir, 'generated/definitions.ts'), 'utf8').match(/^ {2}\w+,$/gm);
  expect(definitions()).toEqual(['  zzSecondPlugin,', '  aaThirdPlugin,']);
  edit('aa-third/plugin.ts', (text) => text.replace("phase: 'access'", "phase: 'allow'"));
  expect(generate().isOk).toBe(true);
  expect(definitions()).toEqual(['  aaThirdPlugin,', '  zzSecondPlugin,']);
}, 180_000);

it('refuses two plugins in one place', () => {
  makeFirst();
  cpSync(join(pluginsDir, 'zz-first'), join(pluginsDir, 'zz-twin'), { recursive: true });
  edit('zz-twin/plugin.ts', (text) => text.replace('zz-first', 'zz-twin'));
  expect(generate()).toEqual({ isOk: false, lines: ['zz-first and zz-twin share phase access and order 10'] });
  for (const name of ['zz-first', 'zz-twin'])
    edit(`${name}/plugin.ts`, (text) => text.replace("phase: 'access'", "phase: 'redirect'"));
  edit('zz-twin/plugin.ts', (text) => text.replace('order: 10', 'order: 20'));
  expect(generate().lines).toEqual(['zz-first and zz-twin redirect: phase redirect holds one plugin']);
}, 180_000);

it('finds a registry that was forgotten, and removes what no folder asks for', () => {
  makeFirst();
  edit('generated/handlers.ts', (text) => `${text}\n`);
  writeFileSync(join(pluginsDir, 'generated/leftover.ts'), '');
  expect(check().lines).toEqual([
    'generated/handlers.ts is out of date: run npm run plugins:generate and commit it',
    'generated/leftover.ts is out of date: run npm run plugins:generate and commit it',
  ]);
  generate();
  expect(check().isOk).toBe(true);
}, 180_000);

/** What holds for a schema that has changed since the registry was made. */
const FORGOTTEN_DEFAULTS = 'generated/defaults.ts is out of date: run npm run plugins:generate and commit it';

it('finds every fault of a plugin at once', () => {
  makeFirst();
  edit('zz-first/schema.ts', (text) =>
    text.replace(
      'z.strictObject({',
      "z.strictObject({\n  note: z.string().default(''),\n  mode: z.enum(['soft', 'hard']).default('soft').describe('x'),",
    ),
  );
  edit('zz-first/plugin.ts', (text) =>
    text
      .replace("['path_refused']", "['path_refused', 'never_seen']")
      .replace('errorCodes: []', "errorCodes: ['NO_SUCH_CODE']"),
  );
  edit('zz-first/edge.ts', (text) =>
    text.replace('import type {', 'import { type Address, type').replace('for (', 'const odd: any = /x/;\n    for ('),
  );
  edit('zz-first/locales/zh.json', (text) => text.replace('{count}', '{number}'));
  edit('zz-first/locales/en.json', (text) => text.replace('what it does, in one line', 'x'.repeat(86)));
  edit('zz-first/cases.ts', (text) =>
    text.replace(
      "'another path passes', config: { paths: ['/secret'] }",
      "'a path on the list is refused', config: { paths: ['x'] }",
    ),
  );
  rmSync(join(pluginsDir, 'zz-first/edge.test.ts'));
  expect([...check().lines].sort()).toEqual(
    [
      'schema.ts: note is a string without max()',
      'schema.ts: note has no describe()',
      'cases.ts: two cases are called “a path on the list is refused”',
      'cases.ts: the schema refuses the configuration of “a path on the list is refused”',
      'cases.ts: no case covers the reason never_seen',
      'cases.ts: no two cases differ in paths',
      ...['en', 'zh'].flatMap((language) =>
        [
          'fields.note.label',
          'fields.note.hint',
          'fields.mode.label',
          'fields.mode.hint',
          'fields.mode.options.soft',
          'fields.mode.options.hard',
          'reasons.never_seen',
          'errors.NO_SUCH_CODE',
        ].map((key) => `locales/${language}.json has no ${key}`),
      ),
      'locales/en.json: description is longer than 85 characters, and is cut on its card',
      'summary.paths takes {count} in English but {number} in Chinese',
      'edge.ts:1 imports more than types',
      'edge.ts:9 uses any, which goes wrong in Lua without a word',
      'edge.ts:9 uses a regular expression, which Lua does not have',
      'has no test that runs its cases',
    ]
      .map((fault) => `zz-first: ${fault}`)
      .concat(FORGOTTEN_DEFAULTS)
      .sort(),
  );
}, 180_000);

it('finds codes that a schema gives and its plugin does not declare, the kit’s and its own', () => {
  makeFirst();
  edit('zz-first/schema.ts', (text) =>
    `import { addressList } from '@cordon/plugin-kit/address-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';\n${text}`
      .replace('z.strictObject({', "z.strictObject({\n  paths_of: addressList(5).default([]).describe('x'),")
      .concat(
        "\nexport const own = z.string().superRefine((_, ctx) => addCodeIssue(ctx, [], ctx ? 'OWN_CODE' : 'OTHER_CODE'));\n",
      ),
  );
  const codes = ['ADDRESS_INVALID', 'RANGE_TOO_WIDE', 'DUPLICATE_ENTRY', 'ADDRESS_CONFLICT', 'OWN_CODE', 'OTHER_CODE'];
  expect(check().lines.filter((line) => !line.includes('locales/'))).toEqual([
    ...codes.map((code) => `zz-first: plugin.ts: errorCodes has no ${code}, which schema.ts gives`),
    FORGOTTEN_DEFAULTS,
  ]);
}, 180_000);

it('says which folder is no plugin', () => {
  mkdirSync(join(pluginsDir, 'zz-empty'));
  expect(check().lines[0]).toMatch(/^zz-empty: has no plugin.ts, schema.ts/);
}, 180_000);
