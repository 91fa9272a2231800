import { text } from '@cordon/contract/text';
import { cacheFields, checkRepeated } from '@cordon/plugin-kit/cache-settings';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

export const CONTENT_TYPES_MAX = 50;

/** `css` and `javascript`, or a family of media types (RFC 6838, 4.2; IANA's registry). */
const WORD = /^(?:css|javascript|application|audio|font|image|message|model|multipart|text|video)$/;
const MEDIA_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;

/** The three choices of what becomes of answers, of which exactly one is on. */
export const MODES = ['global_default_caching', 'global_custom_caching', 'global_disable_cache_completely'] as const;
export type Mode = (typeof MODES)[number];

/** Which answers are kept by the rules of HTTP (RFC 9111), whatever their path (spec sections 3 and 5; product design, "advance-proxy-cache"). */
export const schema = z
  .strictObject({
    enable_cache_control: z
      .boolean()
      .default(false)
      .describe(
        'Directives of Cache-Control in requests are obeyed (RFC 9111 5.2.1): visitors may have answers fetched anew.',
      ),
    global_default_caching: z
      .boolean()
      .default(true)
      .describe(
        'Answers are kept as their origin says; where it says nothing, those of `content_type` with a status of `response_code` for `cache_ttl`, others with Last-Modified for a tenth of the time since then, a day at most (RFC 9111 4.2.2).',
      ),
    global_disable_cache_completely: z.boolean().default(false).describe('Nothing is kept.'),
    global_custom_caching: z
      .boolean()
      .default(false)
      .describe(
        '`cache_ttl` takes the place of the lifetime that the origin states; what it forbids to be kept is not kept.',
      ),
    content_type: z
      .array(
        text(127, { trim: true, tooLong: 'MEDIA_TYPE_INVALID' })
          .min(1)
          .toLowerCase()
          .overwrite((entry) => entry.replace(/\/\*$/, ''))
          .refine((entry) => WORD.test(entry) || MEDIA_TYPE.test(entry), 'MEDIA_TYPE_INVALID'),
      )
      .max(CONTENT_TYPES_MAX)
      .superRefine((entries, ctx) => checkRepeated(entries, ctx))
      .default(['css', 'image', 'javascript', 'audio'])
      .describe(
        'Types of answers that `cache_ttl` is for: `css`, `javascript`, a family of media types such as `image`, or a media type such as `application/pdf`. Empty: all.',
      ),
    ...cacheFields(),
  })
  .superRefine((config, ctx) => {
    const chosen = MODES.filter((mode) => config[mode]);
    const [, second] = chosen;
    if (chosen.length === 0) addCodeIssue(ctx, ['global_default_caching'], 'CACHE_MODE_REQUIRED');
    else if (second !== undefined) addCodeIssue(ctx, [second], 'CACHE_MODE_SECOND');
  });

export type AdvanceProxyCacheConfig = z.output<typeof schema>;
