import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTranslator } from 'use-intl/core';
import { ERROR_STATUS, fieldErrorCodes } from '../packages/contract/index.ts';
import { type Catalog, filesOf, findCatalogs } from './catalogs.ts';
import { argumentsOf } from './message-arguments.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const console_ = 'apps/console/src';

/** Same keys, same arguments and tags, and nothing that ICU cannot read. */
export function compareLanguages(
  file: string,
  en: ReadonlyMap<string, string>,
  zh: ReadonlyMap<string, string>,
): string[] {
  const problems: string[] = [];
  for (const key of en.keys()) if (!zh.has(key)) problems.push(`${file}: ${key} is missing in Chinese`);
  for (const key of zh.keys()) if (!en.has(key)) problems.push(`${file}: ${key} is missing in English`);
  for (const [locale, messages] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    for (const [key, message] of messages) {
      if (message.trim() === '') problems.push(`${file}: ${key} is empty in ${locale}`);
      // One that is not between letters may be ICU's own quote.
      if (locale === 'en' && /\w'\w/.test(message)) problems.push(`${file}: ${key} has a straight apostrophe: write ’`);
      if (locale === 'zh' && / (?:plural|selectordinal),.*\b(?:zero|one|two|few|many) \{/s.test(message))
        problems.push(`${file}: ${key} has a plural branch that Chinese never takes: write =1 or other`);
      const fault = icuFault(locale, message);
      if (fault) problems.push(`${file}: ${key} in ${locale}: ${fault}`);
    }
  }
  for (const [key, message] of en) {
    const other = zh.get(key);
    if (other === undefined) continue;
    const [left, right] = [argumentsOf(message), argumentsOf(other)];
    // Only one of the languages may need to choose words by an argument: Chinese has no plural.
    const lost = [...left].filter(([name, use]) => use === 'shown' && !right.has(name)).map(([name]) => name);
    const unknown = [...right.keys()].filter((name) => !left.has(name));
    if (lost.length > 0) problems.push(`${file}: ${key} does not show ${lost.join(', ')} in Chinese`);
    if (unknown.length > 0) problems.push(`${file}: ${key} shows ${unknown.join(', ')} in Chinese only`);
  }
  return problems;
}

function icuFault(locale: 'en' | 'zh', message: string): string | undefined {
  let fault: string | undefined;
  const translate = createTranslator({
    locale,
    messages: { message } as Record<string, string>,
    onError: (error) => {
      // Values are missing here on purpose; only the syntax is looked at.
      if (String(error.code) === 'INVALID_MESSAGE') fault = error.message;
    },
  });
  (translate as (key: string) => string)('message');
  return fault;
}

/* One area is what shares words: a feature, what features share, the app with its routes, the design system. */
const areaOf = (file: string) =>
  /\/(features\/[^/]+|domain|ui|app|routes)\//.exec(file)?.[1]?.replace('routes', 'app') ?? '';

interface Area {
  namespaces: Set<string>;
  literals: Set<string>;
}

function readAreas(): Map<string, Area> {
  const areas = new Map<string, Area>();
  for (const file of filesOf(console_, /\.tsx?$/)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    const area = areas.get(areaOf(file)) ?? { namespaces: new Set(), literals: new Set() };
    areas.set(areaOf(file), area);
    for (const match of text.matchAll(/(?:useTranslations\(|namespace: )'([\w.]+)'/g))
      area.namespaces.add(match[1] ?? '');
    for (const match of text.matchAll(/'([\w.-]+)'|`([^`\n]+)`/g)) area.literals.add(match[1] ?? match[2] ?? '');
    // Keys written without quotes: `{ running: 'x' }` used as `t(state)`.
    for (const match of text.matchAll(/\b([a-z]\w*):/gi)) area.literals.add(match[1] ?? '');
  }
  return areas;
}

/** `steps.${state}` as a pattern; a bare `${key}` says nothing and matches nothing. */
export function patternOf(literal: string): RegExp | undefined {
  if (!/^[\w.${}()?:' !=>&|,-]+$/.test(literal) || /^\$\{[^}]*\}$/.test(literal)) return undefined;
  const parts = literal.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\w.-]+')}$`);
}

/** Keys that no source file can be asking for. */
function findUnused(catalogs: readonly Catalog[]): string[] {
  const used = new Set<string>();
  const areas = [...readAreas().values()];
  for (const { namespaces, literals } of areas) {
    const exact = [...literals].filter((literal) => !literal.includes('${'));
    const patterns = [...literals]
      .filter((literal) => literal.includes('${'))
      .flatMap((literal) => patternOf(literal) ?? []);
    for (const namespace of namespaces) {
      const [name = '', ...rest] = namespace.split('.');
      const prefix = rest.length > 0 ? `${rest.join('.')}.` : '';
      const known = new Set(exact);
      for (const key of catalogs.find((one) => one.namespace === name)?.en.keys() ?? []) {
        if (!key.startsWith(prefix)) continue;
        const tail = key.slice(prefix.length);
        if (known.has(tail) || patterns.some((pattern) => pattern.test(tail))) used.add(`${name}.${key}`);
      }
    }
  }
  return catalogs
    .filter((one) => one.namespace !== undefined && !['errors', 'fieldErrors'].includes(one.namespace))
    .flatMap((one) =>
      [...one.en.keys()]
        .filter((key) => !used.has(`${one.namespace}.${key}`))
        .map((key) => `${one.file}: ${key} is used nowhere`),
    );
}

/** Every code of the contract has its words, and no others do. */
function checkErrorCodes(catalogs: readonly Catalog[]): string[] {
  const check = (namespace: string, codes: readonly string[], pattern: RegExp): string[] => {
    const catalog = catalogs.find((one) => one.namespace === namespace);
    if (!catalog) return [`There is no catalog ${namespace}`];
    const wanted = new Set(codes);
    const missing = codes.filter((key) => !catalog.en.has(key)).map((key) => `${catalog.file}: ${key} is missing`);
    const extra = [...catalog.en.keys()].filter((key) => pattern.test(key) && !wanted.has(key));
    return [...missing, ...extra.map((key) => `${catalog.file}: ${key} is no code of the contract`)];
  };
  return [
    ...check(
      'errors',
      Object.keys(ERROR_STATUS).map((code) => `codes.${code}`),
      /^codes\./,
    ),
    ...check('fieldErrors', fieldErrorCodes, /^[A-Z0-9_]+$/),
  ];
}

/** All problems of all catalogs; keys that are asked for and missing are the type check's business. */
export function checkMessages(): string[] {
  const catalogs = findCatalogs();
  return [
    ...catalogs.flatMap(({ file, en, zh }) => compareLanguages(file, en, zh)),
    ...findUnused(catalogs),
    ...checkErrorCodes(catalogs),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkMessages();
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0 ? 'Messages are complete in both languages.' : `${problems.length} problems in the messages.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
