import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESS_LIST_ERROR_CODES } from '@cordon/plugin-kit/address-list';
import { CACHE_ERROR_CODES } from '@cordon/plugin-kit/cache-settings';
import { HEADER_LIST_ERROR_CODES } from '@cordon/plugin-kit/header-list';
import {
  DURATION_ERROR_CODES,
  PATTERN_ERROR_CODES,
  PATTERNS_ERROR_CODES,
  SECRET_ERROR_CODES,
} from '@cordon/plugin-kit/text-schema';
import ts from 'typescript';
import { LANGUAGES, type LoadedPlugin, type Messages } from './load-plugins.ts';
import { messageArguments } from './message-arguments.ts';
import { walkSchema } from './walk-schema.ts';

/** Messages by their keys with dots between levels. */
export function flattenMessages(messages: Messages, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(messages)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [below, text] of flattenMessages(value, `${prefix}${key}.`)) flat.set(below, text);
  }
  return flat;
}

/** What has room in one line of a card, 1280 px wide. */
const DESCRIPTION_CHARACTERS_MAX = { en: 85, zh: 40 } as const;

/** Keys of the catalog that follow from the definition and its schema. */
export function requiredKeys(plugin: LoadedPlugin): string[] {
  const { definition } = plugin;
  return [
    'name',
    'description',
    ...walkSchema(definition.schema)
      .fields.filter(({ isAlternative }) => !isAlternative)
      .flatMap(({ path, options }) => [
        `fields.${path}.label`,
        `fields.${path}.hint`,
        ...options.map((option) => `fields.${path}.options.${option}`),
      ]),
    ...definition.reasons.map((reason) => `reasons.${reason}`),
    ...definition.errorCodes.map((code) => `errors.${code}`),
  ];
}

/** Keys of summaries and notices, learned from the cases' configurations. */
function keysInUse({ definition, cases }: LoadedPlugin): string[] {
  const keys = new Set<string>();
  for (const { config } of cases) {
    const parsed = definition.schema.safeParse(config);
    if (!parsed.success) continue;
    keys.add(definition.summary(parsed.data).message);
    for (const notice of definition.notices(parsed.data)) keys.add(notice.message);
  }
  return [...keys];
}

function argumentList(message: string, place: string, faults: string[]): string {
  try {
    return [...messageArguments(message)].sort().join(', ');
  } catch (error) {
    faults.push(`${place} ${(error as Error).message}`);
    return '';
  }
}

function checkMessages(plugin: LoadedPlugin): string[] {
  const faults: string[] = [];
  const flat = { en: flattenMessages(plugin.messages.en), zh: flattenMessages(plugin.messages.zh) };
  const wanted = new Set([...requiredKeys(plugin), ...keysInUse(plugin), ...flat.en.keys(), ...flat.zh.keys()]);
  for (const key of wanted) {
    for (const language of LANGUAGES) {
      if ((flat[language].get(key) ?? '').trim() === '') faults.push(`locales/${language}.json has no ${key}`);
    }
    const [en, zh] = LANGUAGES.map((language) =>
      argumentList(flat[language].get(key) ?? '', `locales/${language}.json: ${key}`, faults),
    );
    if (flat.en.has(key) && flat.zh.has(key) && en !== zh)
      faults.push(`${key} takes {${en}} in English but {${zh}} in Chinese`);
  }
  for (const language of LANGUAGES) {
    const max = DESCRIPTION_CHARACTERS_MAX[language];
    if ((flat[language].get('description') ?? '').length > max)
      faults.push(`locales/${language}.json: description is longer than ${max} characters, and is cut on its card`);
  }
  return faults;
}

/** Codes of the kit's schemas by the function that makes one. Here and not with them: consoles would load it. */
const KIT_CODES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['addressList', ADDRESS_LIST_ERROR_CODES],
  ['headerList', HEADER_LIST_ERROR_CODES],
  ['patternText', PATTERN_ERROR_CODES],
  ['checkPatterns', PATTERNS_ERROR_CODES],
  ['durationText', DURATION_ERROR_CODES],
  ['secretText', SECRET_ERROR_CODES],
  ['cacheFields', CACHE_ERROR_CODES],
]);

/** Codes that a source hands to `addCodeIssue`, and those of the kit's schemas in it. */
function givenCodes(file: ts.SourceFile): string[] {
  const codes: string[] = [];
  const collect = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node)) codes.push(node.text);
    ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(file);
      codes.push(...(KIT_CODES.get(called) ?? []));
      if (called === 'addCodeIssue' && node.arguments[2]) collect(node.arguments[2]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return codes;
}

const readSource = (dir: string, name: string) =>
  ts.createSourceFile(name, readFileSync(join(dir, name), 'utf8'), ts.ScriptTarget.Latest, true);

function checkSchema({ definition, dir }: LoadedPlugin): string[] {
  const { fields, faults } = walkSchema(definition.schema);
  const source = readSource(dir, 'schema.ts');
  const given = new Set(givenCodes(source));
  const secrets = definition.secrets ?? [];
  const takesSecrets = source.text.split('secretText(').length - 1;
  return [
    ...faults.map((text) => `schema.ts: ${text}`),
    ...secrets
      .filter((secret) => !fields.some(({ path }) => path === secret))
      .map((secret) => `plugin.ts: secrets names ${secret}, which is no field`),
    // One that is not named would be stored as it is.
    ...(takesSecrets === secrets.length ? [] : ['plugin.ts: secrets does not name each field of secretText()']),
    ...[...given]
      .filter((code) => !definition.errorCodes.includes(code))
      .map((code) => `plugin.ts: errorCodes has no ${code}, which schema.ts gives`),
    ...fields.filter(({ isDescribed }) => !isDescribed).map(({ path }) => `schema.ts: ${path} has no describe()`),
  ];
}

/** Fields that the handler reads and that have one value in all cases: the handler may take any other for it. */
function unvaried({ definition, cases, dir }: LoadedPlugin): string[] {
  const handler = readFileSync(join(dir, 'edge.ts'), 'utf8');
  const configs = cases.flatMap(({ config }) => definition.schema.safeParse(config).data ?? []) as Record<
    string,
    unknown
  >[];
  return walkSchema(definition.schema)
    .fields.map(({ path }) => path)
    .filter((path) => !path.includes('.') && new RegExp(`\\b${path}\\b`).test(handler))
    .filter((path) => new Set(configs.map((config) => JSON.stringify(config[path]))).size < 2);
}

function checkCases(plugin: LoadedPlugin): string[] {
  const { definition, cases } = plugin;
  const faults: string[] = [];
  const names = new Set<string>();
  const covered = new Set<string>();
  for (const { name, config, expect } of cases) {
    if (names.has(name)) faults.push(`cases.ts: two cases are called “${name}”`);
    names.add(name);
    if (!definition.schema.safeParse(config).success)
      faults.push(`cases.ts: the schema refuses the configuration of “${name}”`);
    if ('reason' in expect) covered.add(expect.reason);
  }
  for (const path of unvaried(plugin)) faults.push(`cases.ts: no two cases differ in ${path}`);
  for (const reason of definition.reasons) {
    if (!covered.has(reason)) faults.push(`cases.ts: no case covers the reason ${reason}`);
  }
  for (const reason of covered) {
    if (!definition.reasons.includes(reason))
      faults.push(`cases.ts: the reason ${reason} is not declared in plugin.ts`);
  }
  return faults;
}

/** `edge.ts`, and the modules of its folder that it is made of. */
function checkEdge(plugin: LoadedPlugin, name = 'edge.ts', seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const file = readSource(plugin.dir, name);
  const faults: string[] = [];
  const visit = (node: ts.Node) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const isTypeImport = ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    if ((ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) && !isTypeImport) {
      const own = /^'\.\/([a-z0-9-]+\.ts)'$/.exec(node.moduleSpecifier?.getText(file) ?? '')?.[1];
      if (own === undefined) faults.push(`${name}:${line} imports more than types`);
      else faults.push(...checkEdge(plugin, own, seen));
    }
    if (node.kind === ts.SyntaxKind.AnyKeyword)
      faults.push(`${name}:${line} uses any, which goes wrong in Lua without a word`);
    if (ts.isRegularExpressionLiteral(node))
      faults.push(`${name}:${line} uses a regular expression, which Lua does not have`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}

function checkLeftovers({ dir }: LoadedPlugin): string[] {
  const faults: string[] = [];
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      if (line.includes('TODO')) faults.push(`${path.slice(dir.length + 1)}:${index + 1} is still to be filled in`);
    }
  }
  return faults;
}

/** Everything wrong with one plugin, each with the plugin's name in front. */
export function checkPlugin(plugin: LoadedPlugin): string[] {
  const faults = [checkSchema, checkCases, checkMessages, checkLeftovers].flatMap((check) => check(plugin));
  faults.push(...checkEdge(plugin));
  if (!readdirSync(plugin.dir).some((file) => file.endsWith('.test.ts')))
    faults.push('has no test that runs its cases');
  return faults.map((fault) => `${plugin.folder}: ${fault}`);
}
