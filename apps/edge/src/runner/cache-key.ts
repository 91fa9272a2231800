import type { CacheKeyRules } from '@cordon/plugin-kit/edge';
import type { PreparedCache } from './prepared-route.ts';

/**
 * Keys of the cache: `<prefix><scheme><host><target>`, of which nginx composes all but the prefix (`proxy_cache_key`), because no long
 * text that differs per request may be made in Lua. The prefix says what nginx cannot: the route, what was cleared, the variant. Host
 * and scheme are always part of it, because origins are told both.
 */

/** What a client can take of the encodings that origins and the edge know: br and gzip, gzip, or none. */
export type EncodingClass = 'b' | 'g' | '-';

/** What origins are asked for. */
export const ENCODINGS: Readonly<Record<EncodingClass, string>> = { b: 'br, gzip', g: 'gzip', '-': 'identity' };

const CLASSES_MAX = 1000;
let classes = new LuaTable<string, EncodingClass>();
let classCount = 0;

/** Whether a coding is named, and not refused (`q=0`). */
function accepts(parts: readonly string[], coding: string): boolean {
  for (const part of parts) {
    const [name = '', ...parameters] = part.split(';');
    if (string.lower(name.trim()) === coding) {
      for (const parameter of parameters) {
        const [, , weight] = string.find(string.lower(parameter), '^%s*q%s*=%s*([%d.]+)%s*$');
        if (weight !== undefined && (tonumber(weight) ?? 1) === 0) return false;
      }
      return true;
    }
  }
  return false;
}

function classify(text: string): EncodingClass {
  const parts = text.split(',');
  if (!accepts(parts, 'gzip')) return '-';
  return accepts(parts, 'br') ? 'b' : 'g';
}

/** Of a value of Accept-Encoding (RFC 9110 12.5.3). */
export function encodingClass(text: string): EncodingClass {
  const known = classes.get(text) as EncodingClass | undefined;
  if (known !== undefined) return known;
  if (classCount >= CLASSES_MAX) {
    classes = new LuaTable();
    classCount = 0;
  }
  const found = classify(text);
  classes.set(text, found);
  classCount++;
  return found;
}

/** The class that a key was made for: the last letter of its prefix. */
export const classOfPrefix = (prefix: string): EncodingClass =>
  string.sub(prefix, prefix.length, prefix.length) as EncodingClass;

/** The variant that a key was made for: the first letter of a device, and a language, a hyphen before it. */
export function variantOfPrefix(prefix: string): { device: string; language: string } {
  const variant = prefix.split('.')[3] ?? '';
  const [hyphen] = string.find(variant, '-', 1, true);
  if (hyphen === undefined) return { device: variant, language: '' };
  return { device: string.sub(variant, 1, hyphen - 1), language: string.sub(variant, hyphen + 1) };
}

/** `number` is that of the URL's own clear. */
export const prefixOf = (cache: PreparedCache, number: number, variant: string, encoding: EncodingClass): string =>
  `${cache.base}.${cache.clears.all}.${number}.${variant}.${encoding}`;

const nameOfArgument = (argument: string): string => argument.split('=')[0] as string;

/** The part of a query that makes another object. What is left out reaches the origin all the same. */
export function keyedQuery(rules: CacheKeyRules, query: string): string {
  const { queryNames, sortsQuery } = rules;
  const kind = rules.query;
  if (kind === 'none' || query === '') return '';
  if (kind === 'all' && !sortsQuery) return query;
  const kept: string[] = [];
  for (const argument of query.split('&')) {
    const isNamed = queryNames.includes(nameOfArgument(argument));
    if (kind === 'all' || (kind === 'only') === isNamed) kept.push(argument);
  }
  if (sortsQuery) table.sort(kept);
  return kept.join('&');
}
