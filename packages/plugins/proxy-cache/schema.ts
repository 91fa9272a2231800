import { CACHEABLE_EXTENSIONS } from '@cordon/contract/cacheable-extensions';
import { text } from '@cordon/contract/text';
import { cacheFields, checkRepeated } from '@cordon/plugin-kit/cache-settings';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';
import { checkDirectives, normalizeDirective } from './directives.ts';
import { checkPaths, normalizePath, PATH_CHARACTERS_MAX } from './paths.ts';

export const PATHS_MAX = 100;
export const POSTFIXES_MAX = 200;
export const DIRECTIVES_MAX = 13;

/**
 * Which answers are kept by their path: below `cache_paths`, or with an extension of `cache_postfixes` (spec sections 3 and 5; product
 * design, "proxy-cache"). Requests have no say in it.
 */
export const schema = z
  .strictObject({
    cache_paths: z
      .array(text(PATH_CHARACTERS_MAX, { trim: true, exact: true }).min(1).overwrite(normalizePath))
      .max(PATHS_MAX)
      .superRefine(checkPaths)
      .default(['/static', '/uploads'])
      .describe(
        'Answers to requests for these paths and all below them are kept. Whole segments: `/static` covers `/static/a` and not `/statics`.',
      ),
    cache_postfixes: z
      .array(
        text(20, { trim: true, tooLong: 'EXTENSION_INVALID' })
          .min(1)
          .toLowerCase()
          .overwrite((entry) => entry.replace(/^\*?\./, ''))
          .regex(/^[a-z0-9]+$/, 'EXTENSION_INVALID'),
      )
      .max(POSTFIXES_MAX)
      .superRefine((entries, ctx) => checkRepeated(entries, ctx))
      .default([...CACHEABLE_EXTENSIONS])
      .describe(
        'Answers to requests for files with these extensions are kept, wherever they are; not those for programs that only look like one, such as `/login.php/x.css`.',
      ),
    ...cacheFields(),
    cache_control: z
      .array(text(200, { trim: true, exact: true }).min(1).overwrite(normalizeDirective))
      .max(DIRECTIVES_MAX)
      .superRefine(checkDirectives)
      .default([])
      .describe(
        'Directives of Cache-Control (RFC 9111 5.2.2, RFC 5861, RFC 8246) for answers that have none, such as `max-age=3600`.',
      ),
    cache_control_response_override: z
      .boolean()
      .default(false)
      .describe('`cache_control` takes the place of what the origin sends, too.'),
  })
  .superRefine(({ cache_paths: paths, cache_postfixes: postfixes }, ctx) => {
    if (paths.length === 0 && postfixes.length === 0) addCodeIssue(ctx, ['cache_paths'], 'CACHE_STRATEGY_EMPTY');
  });

export type ProxyCacheConfig = z.output<typeof schema>;
