import type { EncodingClass } from './encoding-class.ts';
import type { PreparedCache } from './prepared-route.ts';

/**
 * Keys of the cache: `<prefix><scheme><host><target>`, of which nginx composes all but the prefix (`proxy_cache_key`), because no long
 * text that differs per request may be made in Lua. The prefix says what nginx cannot: the route, what was cleared, the variant. Host
 * and scheme are always part of it, because origins are told both.
 */

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
