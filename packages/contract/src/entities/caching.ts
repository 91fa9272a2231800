import { z } from 'zod';
import { CLEAR_READERS, CLEAR_TAGS_MAX, CLEAR_VALUES_MAX } from '../cache-targets.ts';
import { type ClearKind, clearKind } from '../enumerations.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

const VALUE_CHARACTERS_MAX = 4096;

/** Adds what is wrong with the values of a kind, at `values` or `values.<n>`. Whose names they have is not known here. */
export function checkClearValues(kind: ClearKind, values: readonly string[], ctx: z.core.$RefinementCtx): void {
  const issue = (message: string, path: (string | number)[], params?: Record<string, number>) =>
    ctx.addIssue({ code: 'custom', message, path, ...(params ? { params } : {}) });
  if (kind === 'all') {
    if (values.length > 0) issue('NOT_ALLOWED', ['values']);
    return;
  }
  if (values.length === 0) issue('REQUIRED', ['values']);
  if (kind === 'tags' && values.length > CLEAR_TAGS_MAX) issue('TOO_MANY', ['values'], { maximum: CLEAR_TAGS_MAX });
  for (const [place, value] of values.entries()) {
    const read = CLEAR_READERS[kind](value);
    if (!read.ok) issue(read.code, ['values', place]);
  }
}

/** Of the values of a clear that is answered, so many are shown, and of each so many characters. */
export const SHOWN_VALUES_MAX = 50;
export const SHOWN_CHARACTERS_MAX = 200;
/** Cut between code points, as PostgreSQL counts: it stores no half of one. */
const firstCharacters = (value: string): string =>
  value.length <= SHOWN_CHARACTERS_MAX
    ? value
    : [...value.slice(0, 2 * SHOWN_CHARACTERS_MAX)].slice(0, SHOWN_CHARACTERS_MAX).join('');
/** Those of them that are. */
const shownValues = (values: readonly string[]): string[] => values.slice(0, SHOWN_VALUES_MAX).map(firstCharacters);

const firstValues = z
  .array(z.string())
  .max(SHOWN_VALUES_MAX)
  .describe(
    `As they were given, each once: the first ${SHOWN_VALUES_MAX}, and of each the first ${SHOWN_CHARACTERS_MAX} characters.`,
  );
const entries = z.number().int().describe('How many values it clears in all; 0 for `all`.');

/** What is to be cleared of a domain's cache. */
export const clearRequest = z
  .strictObject({
    kind: clearKind,
    values: z
      .array(text(VALUE_CHARACTERS_MAX, { exact: true }))
      .max(CLEAR_VALUES_MAX)
      .default([])
      .describe(
        'None for `all`. URLs: absolute, of a name of the domain, or a path, then of all its exact names; with the query that is part of it. Prefixes: the beginning of a path, for all names; `*` at its end is left out, where a URL must have none (`%2A` is one of the path). Tags: at most 100, as `Cache-Tag` or `Surrogate-Key` of answers had them.',
      ),
    soft: z
      .boolean()
      .default(false)
      .describe('What is stored is served on while it is asked for anew, and while the origin does not answer.'),
  })
  .superRefine(({ kind, values }, ctx) => checkClearValues(kind, values, ctx));
export type ClearRequest = z.infer<typeof clearRequest>;

const clearNode = z.object({
  name: z.string(),
  state: z
    .enum(['cleared', 'waiting', 'silent'])
    .describe('`silent`: not heard of; it clears before it serves anything it is told about again.'),
  milliseconds: z
    .number()
    .nullable()
    .describe('From the arrival of the call until no request to the node got what was stored before; null until then.'),
});
export type ClearNode = z.infer<typeof clearNode>;

/** What a clear clears, as it is answered. */
export const clearSummary = z.object({ kind: clearKind, values: firstValues, entries, soft: z.boolean() });
export type ClearSummary = z.infer<typeof clearSummary>;

/** The summary of a request. */
export const summarizeClear = ({ kind, values, soft }: ClearRequest): ClearSummary => ({
  kind,
  values: shownValues(values),
  entries: values.length,
  soft,
});

/** A clear of a domain's cache, kept for 30 days. */
export const cacheClear = clearSummary.extend({
  id: z.uuid(),
  created_at: timestamp,
  created_by: z.string().describe('E-mail of who cleared it, or the name of the API token.'),
  nodes: z.array(clearNode).describe('Of the czone, by name.'),
});
export type CacheClear = z.infer<typeof cacheClear>;

/** For how long a domain may be in development mode, from now on. */
export const DEVELOPMENT_SECONDS = { min: 600, max: 86_400, default: 10_800 } as const;

/** Development mode of a domain: what is stored is neither served nor changed. */
export const developmentMode = z.object({
  ends_at: timestamp.nullable().describe('It ends by itself; null: it is off.'),
});
export type DevelopmentMode = z.infer<typeof developmentMode>;

/** How far ahead a task may be scheduled, in days. */
export const TASK_DAYS_MAX = 30;
/** Tasks of an account that wait for their time. */
export const TASKS_MAX = 100;

/**
 * What may be scheduled (spec section 4); forcing and enabling HTTPS come with certificates. The scope `cache:clear` opens
 * `runTask`, `listTasks` and `cancelTask` whatever the kind: another kind has to ask for more.
 */
export const taskKind = z.enum(['clear cache']);

/** Of the domains of a task so many are named. */
export const TASK_NAMES_MAX = 50;

/** Tasks that have ended are listed for so many days, and so many of them: failed ones before others, of each the last first. */
export const TASK_RESULT_DAYS = 7;
export const TASK_RESULTS_MAX = 50;

/** Something that is done to many domains, now or later. */
export const task = z.object({
  id: z.uuid().describe('Of the batch, once it runs.'),
  kind: taskKind,
  state: z.enum(['task_scheduled', 'running', 'successful', 'failed']),
  clear_kind: clearKind,
  values: firstValues,
  entries,
  soft: z.boolean(),
  domains: z.number().int(),
  first_domain: z.string().nullable().describe('The first of `domain_names`; null where it is of none.'),
  domain_names: z.array(z.string()).max(TASK_NAMES_MAX).describe('The first of them by name.'),
  at: timestamp.describe('When it runs, or began.'),
  failed: z.number().int().describe('Domains that it failed on, so far.'),
  created_by: z.string(),
  batch_id: z.uuid().nullable().describe('Its progress, or its result; null until it runs.'),
});
export type Task = z.infer<typeof task>;
