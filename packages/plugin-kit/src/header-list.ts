import { text } from '@cordon/contract/text';
import { z } from 'zod';
import { foldName } from './header-name.ts';
import { addCodeIssue } from './schema.ts';

const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 1024;
const FIELDS_MAX = 50;

/** Codes that `headerList` gives to single entries. */
export const HEADER_LIST_ERROR_CODES = [
  'HEADER_NAME_INVALID',
  'HEADER_FORBIDDEN',
  'HEADER_VALUE_INVALID',
  'DUPLICATE_ENTRY',
] as const;

/**
 * Fields of one connection (RFC 9110 7.6.1), of a message's routing and framing, and those that proxies send to each other.
 */
const CONNECTION_FIELDS: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'content-length', 'expect'],
  ...['host', 'forwarded', 'via', 'cdn-loop', 'x-real-ip', 'x-request-id'],
];
const RESERVED_PREFIXES: readonly string[] = ['cordon-', 'x-accel-', 'x-forwarded-'];

/** Whether a field, folded, is no customer's to set, neither towards origins nor towards visitors. */
const isReservedField = (name: string): boolean =>
  CONNECTION_FIELDS.includes(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

type Entry = { readonly name: string; readonly value: string };

function checkEntries(entries: readonly Entry[], forbidden: readonly string[], ctx: z.RefinementCtx): void {
  const seen = new Map<string, string>();
  for (const [index, { name, value }] of entries.entries()) {
    const folded = foldName(name);
    const other = seen.get(folded);
    if (name !== '' && !/^[A-Za-z0-9_-]+$/.test(name)) addCodeIssue(ctx, [index, 'name'], 'HEADER_NAME_INVALID');
    else if (isReservedField(folded) || forbidden.includes(folded))
      addCodeIssue(ctx, [index, 'name'], 'HEADER_FORBIDDEN', { name });
    else if (other !== undefined) addCodeIssue(ctx, [index, 'name'], 'DUPLICATE_ENTRY', { entry: name, other });
    if (!/^[\x20-\x7e]*$/.test(value)) addCodeIssue(ctx, [index, 'value'], 'HEADER_VALUE_INVALID');
    if (other === undefined) seen.set(folded, name);
  }
}

/**
 * Header fields as customers write them (spec section 5, "Custom header keys"). Names
 * of letters, digits, underscores and hyphens, else `HEADER_NAME_INVALID`; values of printable ASCII, so that no line
 * ends in one, else `HEADER_VALUE_INVALID`; a name twice, in whatever case, is `DUPLICATE_ENTRY`. Hop-by-hop, framing,
 * forwarding and our own fields, and those of `forbidden` (in lower case), are `HEADER_FORBIDDEN`. `_` counts as `-`.
 */
export const headerList = (forbidden: readonly string[]) =>
  z
    .array(
      z.strictObject({
        name: text(NAME_CHARACTERS_MAX, { trim: true }).min(1).describe('Letters, digits, underscores and hyphens.'),
        value: text(VALUE_CHARACTERS_MAX, { trim: true }).min(1).describe('Printable ASCII.'),
      }),
    )
    .max(FIELDS_MAX)
    .superRefine((entries, ctx) => checkEntries(entries, forbidden, ctx));
