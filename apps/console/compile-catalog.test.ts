import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompiledMessage } from 'icu-minify/format';
import { _createCache, _createIntlFormatters } from 'use-intl/core';
import parseAndFormat from 'use-intl/format-message';
import formatCompiled from 'use-intl/format-message/format-only';
import { expect, test } from 'vitest';
import { type Catalog, type CompiledCatalog, compileCatalog } from './compile-catalog.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['apps/console/src', 'packages/plugins'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules') && /(^|\/)locales\/(en|zh)(\/[^/]+)?\.json$/.test(path))
    .map((path) => join(root, folder, path)),
);

/** `#` of a plural: no kind of an argument, but what a tag may begin with. */
const POUND = 0;
const SELECT = 1;
const DATE = 5;
const TIME = 6;
const NUMBERS = [0, 1, 2, 5, 1234.5];

/** For each argument of a message what it may be: the options of a choice, an instant, or a number. */
function valuesOf(message: unknown, found = new Map<string, readonly unknown[]>()): Map<string, readonly unknown[]> {
  if (!Array.isArray(message)) return found;
  for (const node of message as unknown[]) {
    if (!Array.isArray(node)) continue;
    const [name, kind, options] = node as [string, unknown, Record<string, unknown> | undefined];
    const isTag = node.length > 1 && (typeof kind !== 'number' || kind === POUND);
    const isChoice = typeof kind === 'number' && kind >= SELECT && kind < 4;
    if (isTag) found.set(name, [(parts: readonly string[]) => `<${name}>${parts.join('')}</${name}>`]);
    else if (kind === SELECT) found.set(name, [...Object.keys(options ?? {}), 'anything']);
    else if (kind === DATE || kind === TIME) found.set(name, [new Date('2026-03-04T05:06:07Z')]);
    else if (!found.has(name)) found.set(name, NUMBERS);
    if (isTag) valuesOf(node.slice(1), found);
    if (isChoice) for (const branch of Object.values(options ?? {})) valuesOf(branch, found);
  }
  return found;
}

const messagesOf = (catalog: Catalog, compiled: CompiledCatalog, path = ''): [string, string, CompiledMessage][] =>
  Object.entries(catalog).flatMap(([key, message]) => {
    const part = compiled[key] as CompiledMessage & CompiledCatalog;
    return typeof message === 'string'
      ? [[`${path}${key}`, message, part] as [string, string, CompiledMessage]]
      : messagesOf(message, part, `${path}${key}.`);
  });

test('the built console says every message as its catalog does, for all that a message may be told', () => {
  let compared = 0;
  for (const file of files) {
    const locale = /locales\/zh\b/.test(file) ? 'zh' : 'en';
    const cache = _createCache();
    const options = { locale, timeZone: 'UTC', cache, formatters: _createIntlFormatters(cache) };
    const catalog = JSON.parse(readFileSync(file, 'utf8')) as Catalog;
    for (const [key, message, compiled] of messagesOf(catalog, compileCatalog(catalog))) {
      const choices = [...valuesOf(compiled)];
      const rounds = Math.max(1, ...choices.map(([, values]) => values.length));
      for (let round = 0; round < rounds; round += 1) {
        const values = Object.fromEntries(choices.map(([name, of]) => [name, of[round % of.length]])) as never;
        expect(formatCompiled(key, compiled, values, options), `${relative(root, file)} ${key}`).toEqual(
          parseAndFormat(key, message, values, options),
        );
        compared += 1;
      }
    }
  }
  expect(files.length).toBeGreaterThan(40);
  expect(compared).toBeGreaterThan(3000);
});

test('a message that is not ICU ends the build', () => {
  expect(() => compileCatalog({ shell: { greeting: 'Hello {name' } })).toThrow();
});
