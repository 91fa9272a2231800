import { z } from 'zod';

/** NUL, which PostgreSQL's text and JSON cannot hold, and surrogates without their other half, which UTF-8 cannot. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether a text can be stored, logged and answered as it is. */
export const isStorable = (value: string): boolean => !UNSTORABLE.test(value);

interface TextOptions {
  /** Spaces around it are left out, and do not count. */
  readonly trim?: boolean;
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
export function text(maximum: number, { trim, exact, tooLong }: TextOptions = {}): z.ZodString {
  const start = trim ? z.string().trim() : z.string();
  const storable = start.max(maximum, tooLong).refine(isStorable, 'TEXT_INVALID');
  return exact ? storable : storable.normalize('NFC');
}
