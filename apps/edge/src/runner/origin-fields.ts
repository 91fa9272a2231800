import { COMPRESSED_BYTES_MIN } from '@cordon/plugin-kit/shared-cache';
import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { numberAt, upstreamOf, wordAt, wordsOf } from './native-request.ts';

/**
 * Header fields of an origin that visitors do not get: `X-Accel-*`, of which nginx knows five, and what `Connection` says to be
 * for this hop only (RFC 9110 7.6.1). They can only be found by going over all fields, in nginx's own list: a table of them
 * for each answer would cost much more than the rest of the runner's work about it.
 */

/** Size of a field, fields in a part and pool of the list `headers_in.headers` of `ngx_http_upstream_t`. */
const FIELD_BYTES = 48;
const PART_FIELDS = 8;
const POOL_WORD = 11;
const LAST_WORD = 120;

/** Which word of nginx's upstream the list begins with; undefined until looked for, -1 when not found. */
let listWord: number | undefined;

function findListWord(request: NativeRequest, upstream: NativeUpstream): number {
  const words = wordsOf(upstream);
  const pool = numberAt(wordsOf(request), POOL_WORD);
  for (let at = 0; at < LAST_WORD; at++) {
    const isList = numberAt(words, at + 4) === FIELD_BYTES && numberAt(words, at + 5) === PART_FIELDS;
    if (isList && numberAt(words, at + 6) === pool) return at;
  }
  ngx.log(ngx.ERR, 'header fields of origins cannot be seen: nginx is not as known');
  return -1;
}

const partType = ffi.typeof<NativePart>('cordon_part_t *');

const HYPHEN = 45;
const LETTER_A = 97;
const LETTER_B = 98;
const LETTER_C = 99;
const LETTER_E = 101;
const LETTER_F = 102;
const LETTER_I = 105;
const LETTER_K = 107;
const LETTER_L = 108;
const LETTER_S = 115;
const LETTER_T = 116;
const LETTER_W = 119;
const LETTER_X = 120;
const ZERO = 48;
const CONNECTION_LENGTH = 10;
/** Of `content`. */
const CONTENT_LENGTH = 7;
const HUNDREDS_MIN = Math.floor(COMPRESSED_BYTES_MIN / 100);
const PREFIX_LENGTH = 7;

/** What the fields that were looked over say about compressing the answer: most answers are plainly not for it. */
const found = { isText: false, isShort: false, isEncoded: false };

/** By length and letters at their places, so that all but very few fields are passed over without a copy of their text. */
function isSuspect(field: NativeField): boolean {
  const length = field.name_length;
  if (length < PREFIX_LENGTH) return false;
  const first = (field.name[0] as number) | 32;
  if (first === LETTER_X) return field.name[1] === HYPHEN && ((field.name[2] as number) | 32) === LETTER_A;
  if (first !== LETTER_C) return false;
  if (length === CONNECTION_LENGTH) return !isPlainConnection(field);
  if (length > CONNECTION_LENGTH && field.name[CONTENT_LENGTH] === HYPHEN) noteContentField(field);
  return false;
}

/** Content-Type, -Length and -Encoding; others of the same length and letter do no harm. */
function noteContentField(field: NativeField): void {
  const { name, value } = field;
  const length = field.name_length;
  const valueLength = field.value_length;
  const letter = (name[CONTENT_LENGTH + 1] as number) | 32;
  if (length === 12 && letter === LETTER_T) {
    if (valueLength > 6 && mayBeText(value)) found.isText = true;
  } else if (length === 14 && letter === LETTER_L) {
    if (valueLength < 4 || (valueLength === 4 && isBelowMin(value))) found.isShort = true;
  } else if (length === 16 && letter === LETTER_E && valueLength > 0) {
    found.isEncoded = true;
  }
}

/** False of images that are compressed by themselves, sound, films and fonts for the web. */
function mayBeText(type: NativeBytes): boolean {
  const first = (type[0] as number) | 32;
  if (first === LETTER_T || first === LETTER_A) return true;
  if (first === LETTER_F) return ((type[5] as number) | 32) !== LETTER_W;
  const kind = (type[6] as number) | 32;
  // image/svg+xml, image/x-icon, image/bmp.
  return first === LETTER_I && (kind === LETTER_S || kind === LETTER_X || kind === LETTER_B);
}

/** Of four digits, by the first two. */
const isBelowMin = (digits: NativeBytes): boolean =>
  ((digits[0] as number) - ZERO) * 10 + (digits[1] as number) - ZERO < HUNDREDS_MIN;

/** `close` and `keep-alive`, by length and first letter: most origins send one of them. */
function isPlainConnection({ value, value_length }: NativeField): boolean {
  const first = value_length > 0 ? (value[0] as number) | 32 : 0;
  return (value_length === 5 && first === LETTER_C) || (value_length === 10 && first === LETTER_K);
}

/** Not a loop: LuaJIT compiles nothing that leads to one, and this is done for each answer. */
function hasSuspect({ fields, count }: NativePart): boolean {
  if (count > 0 && isSuspect(fields[0] as NativeField)) return true;
  if (count > 1 && isSuspect(fields[1] as NativeField)) return true;
  if (count > 2 && isSuspect(fields[2] as NativeField)) return true;
  if (count > 3 && isSuspect(fields[3] as NativeField)) return true;
  if (count > 4 && isSuspect(fields[4] as NativeField)) return true;
  if (count > 5 && isSuspect(fields[5] as NativeField)) return true;
  if (count > 6 && isSuspect(fields[6] as NativeField)) return true;
  return count > 7 && isSuspect(fields[7] as NativeField);
}

/** End-to-end fields without which no answer can be read, whatever an origin declares. */
const keptFields = new LuaSet<string>();
for (const name of ['close', 'keep-alive', 'upgrade', 'content-length', 'content-type', 'content-encoding', 'vary'])
  keptFields.add(name);

const isSteering = (name: string): boolean => name === 'x-accel' || string.sub(name, 1, 8) === 'x-accel-';

/** Names, in lower case, of the fields that a field of an origin keeps from visitors: its own, or those that it names. */
export function withheldBy(name: string, value: string): readonly string[] {
  if (isSteering(name)) return [name];
  if (name !== 'connection') return [];
  const names: string[] = [];
  for (const part of value.split(',')) {
    const named = part.trim().toLowerCase();
    if (named !== '' && !keptFields.has(named)) names.push(named);
  }
  return names;
}

function withhold(field: NativeField): void {
  const name = string.lower(ffi.string(field.name, field.name_length));
  for (const other of withheldBy(name, ffi.string(field.value, field.value_length))) ngx.header[other] = undefined;
}

function withholdAll(first: NativePart): void {
  let part: NativePart | undefined = first;
  while (part !== undefined) {
    for (let at = 0; at < part.count; at++) {
      const field = part.fields[at] as NativeField;
      if (isSuspect(field)) withhold(field);
    }
    part = part.next;
  }
}

/**
 * In the header filter of what the proxy answers. Whether the answer may be one that is compressed: false of nearly all that is not, for
 * less than looking at it closer costs.
 */
export function withholdFields(): boolean {
  const request = get_request() as NativeRequest;
  const upstream = upstreamOf(request);
  if (upstream === undefined) return true;
  if (listWord === undefined) listWord = findListWord(request, upstream);
  if (listWord < 0) return true;
  found.isText = false;
  found.isShort = false;
  found.isEncoded = false;
  // Behind the word that points to the last part is the first.
  const first = ffi.cast(partType, wordAt(upstream, listWord + 1));
  const second = first.next;
  const third = second === undefined ? undefined : second.next;
  const isSuspicious =
    hasSuspect(first) || (second !== undefined && hasSuspect(second)) || (third !== undefined && hasSuspect(third));
  if (isSuspicious || (third !== undefined && third.next !== undefined)) {
    withholdAll(first);
    return true;
  }
  return found.isText && !found.isShort && !found.isEncoded;
}
