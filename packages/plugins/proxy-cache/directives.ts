import { addCodeIssue } from '@cordon/plugin-kit/schema';
import type { z } from 'zod';

/** RFC 9111 1.2.2: what a cache need not tell from a longer time. */
const SECONDS_MAX = 2_147_483_648;

type Argument = 'none' | 'seconds' | 'fields';

/** Directives of answers and what stands behind each (RFC 9111 5.2.2, RFC 5861, RFC 8246): nothing, seconds, or names of fields that may be left out. */
const DIRECTIVES: ReadonlyMap<string, Argument> = new Map([
  ['public', 'none'],
  ['private', 'fields'],
  ['no-cache', 'fields'],
  ['no-store', 'none'],
  ['no-transform', 'none'],
  ['must-revalidate', 'none'],
  ['must-understand', 'none'],
  ['proxy-revalidate', 'none'],
  ['immutable', 'none'],
  ['max-age', 'seconds'],
  ['s-maxage', 'seconds'],
  ['stale-while-revalidate', 'seconds'],
  ['stale-if-error', 'seconds'],
]);

/** Codes that `checkDirectives` gives. */
export const DIRECTIVE_ERROR_CODES = [
  'DIRECTIVE_UNKNOWN',
  'DIRECTIVE_SECONDS',
  'DIRECTIVE_ARGUMENT',
  'DIRECTIVE_REPEATED',
  'DIRECTIVES_CONFLICT',
] as const;

const FIELDS = /^"[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:, *[!#$%&'*+.^_`|~0-9A-Za-z-]+)*"$/;

interface Directive {
  readonly name: string;
  readonly argument: string;
}

const readDirective = (text: string): Directive => {
  const at = text.indexOf('=');
  return at < 0
    ? { name: text.toLowerCase(), argument: '' }
    : { name: text.slice(0, at).toLowerCase(), argument: text.slice(at + 1) };
};

/** Its name in lower case and seconds without quotes, as most write them; what it does not know stays as it is. */
export function normalizeDirective(text: string): string {
  const { name, argument } = readDirective(text.replace(/\s*=\s*/, '='));
  const seconds = /^"?(\d{1,10})"?$/.exec(argument)?.[1];
  if (DIRECTIVES.get(name) === 'seconds' && seconds !== undefined) return `${name}=${Number(seconds)}`;
  return argument === '' ? name : `${name}=${argument}`;
}

/** The code of what is wrong with one directive. */
function faultOf({ name, argument }: Directive, hasSign: boolean): (typeof DIRECTIVE_ERROR_CODES)[number] | undefined {
  const kind = DIRECTIVES.get(name);
  if (kind === undefined) return 'DIRECTIVE_UNKNOWN';
  if (kind === 'seconds')
    return /^\d+$/.test(argument) && Number(argument) <= SECONDS_MAX ? undefined : 'DIRECTIVE_SECONDS';
  if (!hasSign) return undefined;
  return kind === 'fields' && FIELDS.test(argument) ? undefined : 'DIRECTIVE_ARGUMENT';
}

/** Directives of Cache-Control in their written form: valid each, none twice, and not both `public` and `private` (spec section 5). */
export function checkDirectives(directives: readonly string[], ctx: z.RefinementCtx): void {
  const known = new Set<string>();
  for (const [index, text] of directives.entries()) {
    const directive = readDirective(text);
    const { name } = directive;
    const fault = faultOf(directive, text.includes('='));
    if (fault !== undefined) addCodeIssue(ctx, [index], fault, { directive: name });
    else if (known.has(name)) addCodeIssue(ctx, [index], 'DIRECTIVE_REPEATED', { directive: name });
    else if ((name === 'private' && known.has('public')) || (name === 'public' && known.has('private')))
      addCodeIssue(ctx, [index], 'DIRECTIVES_CONFLICT');
    known.add(name);
  }
}

/** The first directive that keeps every answer that has it from being kept here; none where that is left out. */
export const forbiddingDirective = (directives: readonly string[]): string | undefined =>
  directives.find((directive) => directive === 'private' || directive === 'no-store');
