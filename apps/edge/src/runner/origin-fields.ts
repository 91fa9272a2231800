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
const LETTER_C = 99;
const LETTER_K = 107;
const LETTER_X = 120;
const CONNECTION_LENGTH = 10;
const PREFIX_LENGTH = 7;

/** By length and letters at their places, so that all but very few fields are passed over without a copy of their text. */
function isSuspect(field: NativeField): boolean {
  const length = field.name_length;
  if (length < PREFIX_LENGTH) return false;
  const first = (field.name[0] as number) | 32;
  if (first === LETTER_X) return field.name[1] === HYPHEN && ((field.name[2] as number) | 32) === LETTER_A;
  return first === LETTER_C && length === CONNECTION_LENGTH && !isPlainConnection(field);
}

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

/** In the header filter of what the proxy answers. */
export function withholdFields(): void {
  const request = get_request() as NativeRequest;
  const upstream = upstreamOf(request);
  if (upstream === undefined) return;
  if (listWord === undefined) listWord = findListWord(request, upstream);
  if (listWord < 0) return;
  // Behind the word that points to the last part is the first.
  const first = ffi.cast(partType, wordAt(upstream, listWord + 1));
  const second = first.next;
  const third = second === undefined ? undefined : second.next;
  const isSuspicious =
    hasSuspect(first) || (second !== undefined && hasSuspect(second)) || (third !== undefined && hasSuspect(third));
  if (isSuspicious || (third !== undefined && third.next !== undefined)) withholdAll(first);
}
