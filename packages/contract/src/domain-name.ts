import { z } from 'zod';
import { DOMAIN_LABEL_CHARACTERS_MAX, DOMAIN_NAME_CHARACTERS_MAX } from './constants.ts';
import type { FieldErrorCode } from './errors.ts';
import { text } from './text.ts';

/** Reserved first label: stands for `*.` inside Cordon (spec section 5, "The wildcard subdomain is reserved"). */
const RESERVED_WILDCARD_LABEL = 'wildcard';

type DomainNameResult =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly code: FieldErrorCode };

const isAscii = (name: string): boolean => /^[\0-\x7f]*$/.test(name);

/**
 * Whether A-labels, joined by dots, are what their U-labels are encoded as (RFC 5890 2.3.2.1). They stand below a letter outside
 * ASCII, because Chromium takes hosts of ASCII as they are.
 */
function areReadable(labels: string): boolean {
  try {
    return new URL(`http://ü.${labels}`).hostname === `xn--tda.${labels}`;
  } catch {
    return false;
  }
}

/** A-label form of a name; undefined when IDNA (UTS 46, as URL parsers do it) refuses it. */
function toAscii(name: string): string | undefined {
  if (/[^a-z0-9.\u0080-\u{10ffff}-]/u.test(name)) return undefined;
  if (isAscii(name)) return name;
  try {
    return new URL(`http://${name}`).hostname;
  } catch {
    return undefined;
  }
}

/**
 * Reads a domain name as a person types it: trims, lowers, turns Unicode into A-labels. Letters, digits, hyphen and
 * dot; labels of at most 63 characters (spec section 5); `*.` only as the whole first label. Public suffixes and
 * ownership are the API's to judge.
 */
export function parseDomainName(input: string): DomainNameResult {
  const fail = (code: FieldErrorCode): DomainNameResult => ({ ok: false, code });
  const typed = input.trim().toLowerCase();
  if (typed === '') return fail('REQUIRED');
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(typed) || /[/?#@]/.test(typed)) return fail('DOMAIN_NAME_IS_URL');
  if (typed.endsWith('.')) return fail('DOMAIN_NAME_TRAILING_DOT');
  const isWildcard = typed.startsWith('*.');
  const bare = isWildcard ? typed.slice(2) : typed;
  if (bare.includes('*')) return fail('WILDCARD_MALFORMED');
  if (bare.split('.')[0] === RESERVED_WILDCARD_LABEL) return fail('WILDCARD_LABEL_RESERVED');
  if (/^\d+(\.\d+){3}$/.test(bare) || bare.includes(':')) return fail('DOMAIN_NAME_IS_ADDRESS');
  if (bare.split('.').some((label) => label.length > DOMAIN_LABEL_CHARACTERS_MAX)) return fail('DOMAIN_LABEL_TOO_LONG');
  if (typed.length > DOMAIN_NAME_CHARACTERS_MAX) return fail('DOMAIN_NAME_TOO_LONG');
  const encoded = bare.split('.').filter((label) => label.startsWith('xn--') && isAscii(label));
  if (encoded.length > 0 && !areReadable(encoded.join('.'))) return fail('DOMAIN_LABEL_UNREADABLE');
  const ascii = toAscii(bare);
  if (ascii === undefined || !/^[a-z0-9.-]+$/.test(ascii)) return fail('DOMAIN_NAME_INVALID');
  const labels = ascii.split('.');
  if (labels.some((label) => label === '')) return fail('DOMAIN_NAME_INVALID');
  if (labels.some((label) => label.length > DOMAIN_LABEL_CHARACTERS_MAX)) return fail('DOMAIN_LABEL_TOO_LONG');
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return fail('DOMAIN_LABEL_HYPHEN');
  // Below a label alone is what others register.
  if (labels.length < 2) return fail(isWildcard ? 'WILDCARD_OF_PUBLIC_SUFFIX' : 'DOMAIN_NAME_NEEDS_DOT');
  if (/^\d+$/.test(labels.at(-1) ?? '')) return fail('DOMAIN_NAME_IS_ADDRESS');
  const name = isWildcard ? `*.${ascii}` : ascii;
  if (name.length > DOMAIN_NAME_CHARACTERS_MAX) return fail('DOMAIN_NAME_TOO_LONG');
  return { ok: true, name };
}

/** Schema of a domain name in a request body; its output is the stored form. */
export const domainName = text(1024)
  .transform((input, ctx) => {
    const result = parseDomainName(input);
    if (result.ok) return result.name;
    ctx.addIssue({ code: 'custom', message: result.code });
    return z.NEVER;
  })
  .describe('Domain name: letters, digits, hyphen and dot, labels up to 63 characters, `*.` in front for a wildcard.');

export const isWildcardName = (name: string): boolean => name.startsWith('*.');
