import { z } from 'zod';

/** NUL, which PostgreSQL's text and JSON cannot hold, and surrogates without their other half, which UTF-8 cannot. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Marks on one letter as no language has them (UAX #15, section 13: stream-safe text has at most 30). Composing them takes the
 * square of their number.
 */
const PILED_MARKS = /\p{M}{31}/u;

/** Without width, and with no part in writing any language; joiners, direction marks and variants are of some. */
const WIDTHLESS =
  /\u034F|[\u00AD\u115F\u1160\u17B4\u17B5\u180E\u200B\u2060-\u2064\u2066-\u2069\u202A-\u202E\u3164\uFEFF\uFFA0]/gu;

const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** Whether nothing in it needs a further look but its length. */
export const isPlain = (value: string): boolean => PLAIN.test(value);

/** Whether a text can be stored, logged and answered as it is. */
export const isStorable = (value: string): boolean => !UNSTORABLE.test(value);

/** Of the control characters those that no text has a use for. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** As it is seen: without characters that have no width, and empty where nothing is left to see. */
function seen(value: string, isLine: boolean): string {
  // What is refused is refused as it came.
  if (!isStorable(value)) return value;
  const shown = value.replace(WIDTHLESS, '').replace(CONTROL, '');
  const left = (isLine ? shown.replace(/\s+/g, ' ') : shown).trim();
  return SEEN.test(left) ? left : '';
}

interface TextOptions {
  /** Spaces around it are left out, and do not count. */
  readonly trim?: boolean;
  /**
   * It is read by people (a note): characters without width are left out as well, and one of such only is empty.
   * `line`: it stands in one line (a name), so that a break is a space.
   */
  readonly seen?: boolean | 'line';
  /** Every code point is kept as it came, as in a password or a request to be traced. */
  readonly exact?: boolean;
  /** Code of one that is too long; TOO_LONG unless given. */
  readonly tooLong?: string;
}

/**
 * The one rule for text from outside: at most `maximum` characters, storable (else TEXT_INVALID), in Unicode's composed form (NFC),
 * so that equal texts are equal. No other string is allowed in what operations (`tools/operation-inputs.test.ts`) and plugins
 * (`npm run check`) take, but for formats such as `z.uuid()`.
 */
export function text(maximum: number, { trim, seen: how, exact, tooLong }: TextOptions = {}): z.ZodString {
  const trimmed = trim ? z.string().trim() : z.string();
  // What is far too long is not looked through.
  const start = how
    ? trimmed.overwrite((value) => (value.length > 4 * maximum ? value : seen(value, how === 'line')))
    : trimmed;
  // What is too long is no further looked at.
  const isUnsound = (value: string) => value.length <= maximum && !isStorable(value);
  if (exact) return start.max(maximum, tooLong).refine((value) => !isUnsound(value), 'TEXT_INVALID');
  const isDone = (value: string) => value.length > maximum || isPlain(value);
  const isPiled = (value: string) => PILED_MARKS.test(value);
  return start
    .max(maximum, tooLong)
    .refine((value) => isDone(value) || !(isUnsound(value) || isPiled(value)), 'TEXT_INVALID')
    .overwrite((value) => (isDone(value) || isPiled(value) ? value : value.normalize('NFC')));
}
