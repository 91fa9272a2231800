import { text } from '@cordon/contract/text';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

const URL_CHARACTERS_MAX = 2048;

/** Statuses that a page can be given for (spec section 3; 403 is offered by the console's screen). */
export const STATUSES = [401, 403, 404, 425, 451, 502] as const;
export type PageStatus = (typeof STATUSES)[number];

function isPageUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/^https?:\/\/[^/]/i.test(text) || /[\u0000-\u0020\u007f\\]/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const page = (status: PageStatus) =>
  text(URL_CHARACTERS_MAX, { trim: true, exact: true })
    .nullable()
    .default(null)
    .transform((text, ctx) => {
      if (text === null || text === '') return null;
      if (isPageUrl(text)) return new URL(text).href;
      addCodeIssue(ctx, [], 'ERROR_PAGE_URL_INVALID');
      return z.NEVER;
    })
    .describe(`Address of the page that visitors get with status ${status}; null: the service's own page.`);

/**
 * Pages in place of errors (spec sections 3 and 5; product design, "custom-error-page"). An enabled plugin without any page
 * is `ERROR_PAGE_REQUIRED`.
 */
export const schema = z
  .strictObject({
    error_401: page(401),
    error_403: page(403),
    error_404: page(404),
    error_425: page(425),
    error_451: page(451),
    error_502: page(502),
  })
  .superRefine((config, ctx) => {
    if (STATUSES.every((status) => config[`error_${status}`] === null))
      addCodeIssue(ctx, ['error_404'], 'ERROR_PAGE_REQUIRED');
  });

export type CustomErrorPageConfig = z.output<typeof schema>;
