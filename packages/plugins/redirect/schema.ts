import type { FieldErrorCode } from '@cordon/contract';
import { text } from '@cordon/contract/text';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

/** What browsers and search engines are sure to follow, and small enough for every header buffer on the way. */
const URL_CHARACTERS_MAX = 2048;

/**
 * Reads the address as RFC 3986 and browsers do, and answers it as it is sent: A-labels, percent-encoding, no default
 * port. What `URL` would mend without a word is refused before: it drops line breaks and takes `\` for `/`.
 */
function readUrl(text: string): { url: string } | { code: FieldErrorCode } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/^https?:\/\/[^/]/i.test(text) || /[\u0000-\u0020\u007f\\]/.test(text)) return { code: 'URL_INVALID' };
  if (!URL.canParse(text)) return { code: 'URL_INVALID' };
  if (/^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) return { code: 'URL_CREDENTIALS' };
  const url = new URL(text).href;
  return url.length > URL_CHARACTERS_MAX ? { code: 'TOO_LONG' } : { url };
}

/** Where every visitor of the domain is sent (spec section 3; product design, "redirect"). */
export const schema = z.strictObject({
  redirect_url: text(URL_CHARACTERS_MAX, { trim: true, exact: true })
    .min(1)
    .transform((text, ctx) => {
      const read = readUrl(text);
      if ('url' in read) return read.url;
      addCodeIssue(ctx, [], read.code, read.code === 'TOO_LONG' ? { maximum: URL_CHARACTERS_MAX } : {});
      return z.NEVER;
    })
    .describe('Absolute http or https address, without credentials. It may not lead back to the domain itself.'),
  preserve_path: z
    .boolean()
    .default(false)
    .describe('Appends the path and the query of the request to `redirect_url`.'),
});

export type RedirectConfig = z.output<typeof schema>;
