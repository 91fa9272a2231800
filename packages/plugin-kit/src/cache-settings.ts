import { CACHE_TTL_DEFAULT_SECONDS, CACHE_TTL_MAX_SECONDS, RESPONSE_CODE } from '@cordon/contract/constants';
import { text } from '@cordon/contract/text';
import { z } from 'zod';
import type { CacheSettings } from './edge/context.ts';
import { PATTERN_BYTES_MAX } from './edge/pattern-program.ts';
import { QUERY_KEYS } from './edge/shared-cache/types.ts';
import { mergeConfig } from './merge-config.ts';
import type { PluginNotice } from './plugin.ts';
import { addCodeIssue } from './schema.ts';
import { checkPatterns, PATTERNS_ERROR_CODES, patternSource } from './text-schema.ts';

/** Codes that `cacheFields` gives. */
export const CACHE_ERROR_CODES = [
  ...PATTERNS_ERROR_CODES,
  'DUPLICATE_ENTRY',
  'HEADER_NAME_INVALID',
  'LANGUAGE_INVALID',
  'METHOD_NOT_CACHEABLE',
  'QUERY_NAMES_REQUIRED',
  'STATUS_CODE_INVALID',
] as const;

/** What `request_method` may list (spec section 5). */
export const CACHE_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const;
export const STATUSES_MAX = 100;
export const BYPASS_RULES_MAX = 50;
export const QUERY_NAMES_MAX = 50;
export const LANGUAGES_MAX = 20;
const NAME_CHARACTERS_MAX = 100;

/** Says of every entry that is there already, with the first that is the same. */
export function checkRepeated(
  entries: readonly (string | number)[],
  ctx: z.RefinementCtx,
  keyOf = (entry: string | number): string | number => entry,
): void {
  const known = new Map<string | number, string | number>();
  for (const [index, entry] of entries.entries()) {
    const other = known.get(keyOf(entry));
    if (other !== undefined) addCodeIssue(ctx, [index], 'DUPLICATE_ENTRY', { entry, other });
    else known.set(keyOf(entry), entry);
  }
}

const notStatus = { error: 'STATUS_CODE_INVALID' };
const status = z
  .number(notStatus)
  .int(notStatus)
  .min(RESPONSE_CODE.minimum, notStatus)
  .max(RESPONSE_CODE.maximum, notStatus);

const name = text(NAME_CHARACTERS_MAX, { exact: true }).min(1).describe('Of the cookie or argument, in its case.');
/** The edge drops fields of other names: a rule on one would hold for no request. */
const headerName = text(NAME_CHARACTERS_MAX, { exact: true })
  .min(1)
  .regex(/^[A-Za-z0-9-]*$/, 'HEADER_NAME_INVALID')
  .describe('Of the field, in any case: letters, digits and hyphens.');
const pattern = text(PATTERN_BYTES_MAX, { exact: true })
  .default('')
  .describe('Found anywhere in one of its values; empty: any value.');

const bypassRule = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('path').describe('Path, in all readings that origins have of it.'),
    pattern: patternSource().describe('Found anywhere in the path.'),
  }),
  z.strictObject({ on: z.literal('argument').describe('An argument of the query.'), name, pattern }),
  z.strictObject({ on: z.literal('cookie').describe('A cookie.'), name, pattern }),
  z.strictObject({ on: z.literal('header').describe('A header field.'), name: headerName, pattern }),
]);
export type BypassRule = z.output<typeof bypassRule>;

/** Letters of a language tag count in either case; this is how they are written (RFC 5646, 2.1.1). */
const asWritten = (tag: string): string =>
  tag
    .split('-')
    .map((part, index) => {
      const lower = part.toLowerCase();
      if (index === 0) return lower;
      return part.length === 2
        ? part.toUpperCase()
        : part.length === 4
          ? lower.replace(/^./, (letter) => letter.toUpperCase())
          : lower;
    })
    .join('-');
const language = text(35, { trim: true, tooLong: 'LANGUAGE_INVALID' })
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/, 'LANGUAGE_INVALID')
  .overwrite(asWritten);

const key = z
  .strictObject({
    query: z
      .enum(QUERY_KEYS)
      .default('all')
      .describe(
        'Which arguments of the query make another object: `all`, `none`, `only` those of `query_names`, or all `except` those.',
      ),
    query_names: z
      .array(text(NAME_CHARACTERS_MAX, { exact: true }).min(1))
      .max(QUERY_NAMES_MAX)
      .superRefine((names, ctx) => checkRepeated(names, ctx))
      .default([])
      .describe('Names of arguments, in their case, for `only` and `except`.'),
    sort_query: z.boolean().default(false).describe('Arguments in another order make no other object.'),
    by_device: z
      .boolean()
      .default(false)
      .describe(
        'Phones, tablets and computers get objects of their own, and origins `Cordon-Device: mobile|tablet|desktop` on requests of the cache; those that pass by it have no such field.',
      ),
    languages: z
      .array(language)
      .max(LANGUAGES_MAX)
      .superRefine((tags, ctx) => checkRepeated(tags, ctx))
      .default([])
      .describe(
        'Language tags (RFC 5646), such as `en` or `zh-CN`: the one that the visitor prefers makes an object of its own, and is all that the origin gets of Accept-Language.',
      ),
  })
  .superRefine((rules, ctx) => {
    if ((rules.query === 'only' || rules.query === 'except') && rules.query_names.length === 0)
      addCodeIssue(ctx, ['query_names'], 'QUERY_NAMES_REQUIRED');
  })
  .prefault({})
  .describe('What besides scheme, host, path and encoding makes another object of a URL.');
export type CacheKeySettings = z.output<typeof key>;

/** Fields that the plugins share that keep answers (spec section 3); `edgeKit.cacheRules` reads some. */
export const cacheFields = () => ({
  cache_ttl: z
    .number()
    .int()
    .min(1)
    .max(CACHE_TTL_MAX_SECONDS)
    .default(CACHE_TTL_DEFAULT_SECONDS)
    .describe('Seconds for which answers are kept whose origin states no lifetime.'),
  response_code: z
    .array(status)
    .max(STATUSES_MAX)
    .superRefine((statuses, ctx) => checkRepeated(statuses, ctx))
    .default([200, 301, 302])
    .describe(
      'Statuses of answers that are kept for `cache_ttl` where their origin states no lifetime; one that it states holds for every status. Without one, others with Last-Modified are kept for a tenth of the time since then, a day at most (RFC 9111 4.2.2).',
    ),
  request_method: z
    .array(z.enum(CACHE_METHODS, 'METHOD_NOT_CACHEABLE'))
    .min(1)
    .max(CACHE_METHODS.length)
    .superRefine((methods, ctx) => checkRepeated(methods, ctx))
    .default([...CACHE_METHODS])
    .describe('Methods of requests whose answers are kept. OPTIONS may be listed and is never kept (RFC 9110, 9.3.7).'),
  bypass_rules: z
    .array(bypassRule)
    .max(BYPASS_RULES_MAX)
    .superRefine((rules, ctx) => {
      const placed = rules.map(({ pattern: source }, index) => ({ source, path: [index, 'pattern'] }));
      checkPatterns(
        placed.filter(({ source }) => source !== ''),
        ctx,
      );
    })
    .default([])
    .describe('Requests that one of these holds for are asked of the origin, and their answers are not kept.'),
  cache_reusable: z
    .boolean()
    .default(true)
    .describe(
      'A stale answer serves for up to a day while the origin cannot be reached. What the origin itself allows holds either way.',
    ),
  key,
});

/** Notices about the shared fields, by their paths; OPTIONS' is one of an entry of its list. */
export function cacheNotices({
  request_method: methods,
  key: rules,
}: Pick<CacheSettings, 'request_method' | 'key'>): PluginNotice[] {
  const options = methods.indexOf('OPTIONS');
  return [
    ...(options < 0 ? [] : [{ path: `request_method.${options}`, message: 'notices.options_not_kept', params: {} }]),
    ...(rules.query === 'none' ? [{ path: 'key.query', message: 'notices.query_ignored', params: {} }] : []),
  ];
}

/** The brought configuration with own lists of texts and numbers in it, and with the own rules for requests that pass by the cache. */
export function mergeCacheSettings<Config extends CacheSettings & Readonly<Record<string, unknown>>>(
  own: Config,
  brought: Config,
): Config {
  const rules = new Map(
    [...own.bypass_rules, ...brought.bypass_rules].map((rule) => [
      JSON.stringify([rule.on, 'name' in rule ? rule.name : '', rule.pattern]),
      rule,
    ]),
  );
  const merged = mergeConfig(own, brought) as unknown as Config;
  return { ...merged, bypass_rules: [...rules.values()] };
}
