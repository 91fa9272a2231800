import { COUNTRY_CODES } from '@cordon/contract/countries';
import { text } from '@cordon/contract/text';
import { addressList } from '@cordon/plugin-kit/address-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { patternSource } from '@cordon/plugin-kit/text-schema';
import { z } from 'zod';
import { checkCounts, checkRules } from './check-rules.ts';

export const RULES_MAX = 100;
export const CONDITIONS_MAX = 20;
/** Of all rules together: each costs a request some of its time. */
export const ALL_CONDITIONS_MAX = 500;
/** Of all rules together: a request may be held against each, and each is read when the rules are saved. */
export const ALL_VALUES_MAX = 2_000;
export const ALL_ADDRESSES_MAX = 5_000;
const MAXIMA = {
  rules: RULES_MAX,
  conditions: ALL_CONDITIONS_MAX,
  values: ALL_VALUES_MAX,
  addresses: ALL_ADDRESSES_MAX,
};
const VALUES_MAX = 100;
const ADDRESSES_MAX = 1000;
const VALUE_CHARACTERS_MAX = 500;
export const NAME_CHARACTERS_MAX = 100;
const ASN_MAX = 4_294_967_295;

const not = z.boolean().default(false).describe('Turned round: holds where it would not.');

const values = z
  .array(text(VALUE_CHARACTERS_MAX, { exact: true }).min(1))
  .min(1)
  .max(VALUES_MAX)
  .describe('One of them is enough.');

const textTest = z
  .enum(['is', 'contains', 'begins_with', 'ends_with'])
  .default('is')
  .describe('How the text is compared with `values`.');
const ignoreCase = z.boolean().default(false).describe('Letters of ASCII count in either case.');
const pattern = patternSource().describe('Found anywhere in the text.');

/** One of these, the first of which has a default for `test`. Chosen by it: each that is tried reads all that was sent. */
const byTest = <const Options extends readonly [z.ZodObject, ...z.ZodObject[]]>(options: Options) =>
  z.discriminatedUnion('test', options, { unionFallback: true });

/** Texts that a request has one of: compared with values, or searched for a pattern. */
const ofText = <Field extends string>(field: Field, what: string) =>
  byTest([
    z.strictObject({
      field: z.literal(field).describe(what),
      test: textTest,
      values,
      ignore_case: ignoreCase,
      not,
    }),
    z.strictObject({ field: z.literal(field).describe(what), test: z.literal('matches'), pattern, not }),
  ]);

const name = text(NAME_CHARACTERS_MAX, { exact: true }).min(1).describe('Of the cookie or argument.');
/** The edge drops fields of other names: a condition on one would hold for no request, or for all. */
const headerName = text(NAME_CHARACTERS_MAX, { exact: true })
  .min(1)
  .regex(/^[A-Za-z0-9-]*$/, 'HEADER_NAME_INVALID')
  .describe('Of the field: letters, digits and hyphens.');
/** RFC 9110, 5.6.2 and 9.1. */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/;

/** Texts that a request may have several of a name of, or none. */
const ofNamedText = <Field extends string>(field: Field, what: string, nameOf = name) =>
  byTest([
    z.strictObject({
      field: z.literal(field).describe(what),
      name: nameOf,
      test: textTest,
      values,
      ignore_case: ignoreCase,
      not,
    }),
    z.strictObject({ field: z.literal(field).describe(what), name: nameOf, test: z.literal('matches'), pattern, not }),
    z.strictObject({ field: z.literal(field).describe(what), name: nameOf, test: z.literal('exists'), not }),
  ]);

const known: ReadonlySet<string> = new Set(COUNTRY_CODES);

const notAsn = { error: 'ASN_INVALID' };
const asn = z.number(notAsn).int(notAsn).min(1, notAsn).max(ASN_MAX, notAsn);

/** One thing about a request. */
const condition = z.discriminatedUnion('field', [
  z.strictObject({
    field: z.literal('method').describe('Method of the request.'),
    values: z
      .array(text(32, { trim: true }).min(1).regex(METHOD, 'METHOD_INVALID').toUpperCase())
      .min(1)
      .max(VALUES_MAX)
      .describe('Methods, in capitals.'),
    not,
  }),
  ofText('path', 'Path, decoded and resolved, slashes in a row merged.'),
  ofText('query', 'What follows the question mark, decoded once.'),
  ofText('user_agent', 'User-Agent.'),
  ofNamedText('header', 'A header field; letters of its name count in either case.', headerName),
  ofNamedText(
    'cookie',
    'A cookie, in all readings that origins have of it; letters of its name count in its own case.',
  ),
  ofNamedText(
    'argument',
    'An argument of the query, in all readings that origins have of it; letters of its name count in its own case.',
  ),
  z.strictObject({
    field: z.literal('country').describe('Country of the address.'),
    values: z
      .array(text(2, { trim: true, tooLong: 'COUNTRY_UNKNOWN' }).toUpperCase())
      .min(1)
      .max(COUNTRY_CODES.length)
      .superRefine((codes, ctx) => {
        for (const [index, code] of codes.entries())
          if (!known.has(code)) addCodeIssue(ctx, [index], 'COUNTRY_UNKNOWN', { entry: code });
      })
      .describe('ISO 3166-1 alpha-2.'),
    not,
  }),
  z.strictObject({
    field: z.literal('asn').describe('Autonomous system of the address.'),
    values: z.array(asn).min(1).max(VALUES_MAX).describe('Numbers, without AS.'),
    not,
  }),
  z.strictObject({
    field: z.literal('address').describe('The address.'),
    values: addressList(ADDRESSES_MAX, 1).describe(
      'Addresses and CIDR blocks, matched as written, special addresses included.',
    ),
    not,
  }),
]);

const match = z.enum(['all', 'any']).default('all').describe('Whether all conditions have to hold, or any of them.');
const groupOf = <Inner extends z.ZodType>(inner: Inner) =>
  z.strictObject({
    match,
    conditions: z.array(inner).min(1).max(CONDITIONS_MAX).describe('Conditions, and groups of them.'),
    not,
  });

const innermost = groupOf(condition);
const inner = groupOf(z.union([condition, innermost]));
/** Groups of groups of groups: more is not read by anyone. */
const group = groupOf(z.union([condition, inner]));

const rule = z.strictObject({
  name: text(NAME_CHARACTERS_MAX, { seen: 'line' }).min(1).describe('What the log calls it; no two rules share one.'),
  action: z
    .enum(['block', 'challenge', 'log', 'allow'])
    .default('block')
    .describe(
      'What happens to requests that it is for. `challenge` has browsers run an automatic check, and goes on to the next rule for those that passed; `log` goes on to the next rule, `allow` skips all protection that follows.',
    ),
  enabled: z.boolean().default(true).describe('Whether it is looked at.'),
  when: group.describe('Which requests it is for.'),
});

/** Rules of which nothing is read where there is too much. */
const countedRules = <Rules extends z.ZodType>(rules: Rules) =>
  z.preprocess((given, ctx) => {
    checkCounts(given, MAXIMA, ctx);
    return given;
  }, rules) as unknown as z.ZodType<z.output<Rules>, z.input<Rules>>;

/**
 * Rules that a customer writes, in their order: the first that holds and does more than log decides (spec section 3; product
 * design, "blackrules").
 *
 * Of a header field, cookie or argument that comes several times, or not at all: a rule that blocks, challenges or logs holds where
 * any of the values fits, one that allows where all do and there is one. So sending a name twice gets no visitor past a rule, or in
 * by one. It is the same with the ways in which origins read a path, cookies and arguments (request-path.ts and named-values.ts of
 * the kit): a rule that allows needs all readings among its `values`, such as `a%3D` and `a=` of a cookie. `not` turns that round
 * with the condition, so that a doubt keeps counting against the visitor.
 */
export const schema = z
  .strictObject({
    black_rules: countedRules(z.array(rule).max(RULES_MAX))
      .default([])
      .describe('Rules, in the order in which they are looked at.'),
  })
  .superRefine(({ black_rules: rules }, ctx) => checkRules(rules, ctx));

export type Condition = z.output<typeof condition>;
/** Conditions, and groups of them: as many levels as `group` has, which a type cannot say. */
export type Part = Condition | Group;
export interface Group {
  readonly match: 'all' | 'any';
  readonly conditions: readonly Part[];
  readonly not: boolean;
}
export interface Rule extends Omit<z.output<typeof rule>, 'when'> {
  readonly when: Group;
}
export interface BlackrulesConfig {
  readonly black_rules: readonly Rule[];
}
