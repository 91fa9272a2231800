import type { CacheAnswer } from '@cordon/plugin-kit/shared-cache';
import { readHeaderLines } from './request-headers.ts';
import { options } from './runner-options.ts';

/**
 * Objects of nginx's cache as they are on the disk (`ngx_http_file_cache_header_t` of nginx 1.22, version 5): a header of nginx's own,
 * the key, the answer's head as the fetching server gave it, and its body. A file has the name of its key's MD5; what varies has more
 * files, named by the key and the request's fields that `Vary` names.
 */
const VERSION = 5;
const HEADER_BYTES = 336;
const VALID_AT = 8;
const STALE_AT = 16;
const FAILING_AT = 24;
const CHANGED_AT = 32;
const CHANGED_BYTES = 8;
const HEADER_START_AT = 54;
const BODY_START_AT = 56;
const VARY_LENGTH_AT = 187;
const VARY_AT = 188;
const VARIANT_AT = 316;
const VARIANT_BYTES = 16;
/** Head and key are in it whole: nginx stores nothing with a longer one (`proxy_buffer_size`). */
const HEAD_BYTES = 24_576;

/** What the fetching server says of an answer that it lets be stored, in a field of its head (`storedField`). */
export interface StoredFacts {
  /** How many clears there had been when its fetch began. */
  readonly clears: number;
  /** Unix seconds. */
  readonly madeAt: number;
  readonly freshUntil: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** Stale, it serves nobody. */
  readonly mustRevalidate: boolean;
  /** Of the body, more than LARGE_BYTES_MIN. */
  readonly isLarge: boolean;
}

export interface StoredObject extends StoredFacts {
  readonly path: string;
  /** Of nginx's header, what stays as it is until another answer takes the place of this one: validators, and where its parts begin. */
  readonly identity: string;
  /** Lines of the head, the status line first. */
  readonly head: readonly string[];
  readonly bodyStart: number;
  /** Other requests get other objects of its key. */
  readonly isVaried: boolean;
  readonly tags: readonly string[];
}

const FIELD = 'Cordon-Stored';
const FIELD_LINE = 'cordon-stored: ';
const FACTS = '%010d %010d %010d %010d %010d %d %d';

/** Of one width, so that a validation can write it anew in its place. */
export const factsText = (facts: StoredFacts): string =>
  string.format(
    FACTS,
    facts.clears,
    facts.madeAt,
    facts.freshUntil,
    facts.staleWhileRevalidateSeconds,
    facts.staleIfErrorSeconds,
    facts.mustRevalidate ? 1 : 0,
    facts.isLarge ? 1 : 0,
  );

export function setFacts(facts: StoredFacts): void {
  ngx.header[FIELD] = factsText(facts);
}

const ONE = 49;
const ZERO = 48;

/** A number of ten digits from a place on: for each hit, no text is made of it. */
function digitsAt(text: string, at: number): number {
  const [a = ZERO, b = ZERO, c = ZERO, d = ZERO, e = ZERO, f = ZERO, g = ZERO, h = ZERO, i = ZERO, j = ZERO] =
    string.byte(text, at, at + 9);
  const upper = a * 10000 + b * 1000 + c * 100 + d * 10 + e;
  const lower = f * 10000 + g * 1000 + h * 100 + i * 10 + j;
  return upper * 100000 + lower - ALL_ZEROS;
}
/** What ten zeros come to. */
const ALL_ZEROS = ZERO * 1_111_111_111;

/** Of the facts of a hit, what its answer says. */
export const madeAtIn = (text: string): number => digitsAt(text, 12);
export const freshUntilIn = (text: string): number => digitsAt(text, 23);
export const isLargeIn = (text: string): boolean => string.byte(text, 58) === ONE;

/** Undefined: it is none of ours. */
export function readFacts(text: string): StoredFacts | undefined {
  const clears = tonumber(string.sub(text, 1, 10));
  const madeAt = tonumber(string.sub(text, 12, 21));
  const freshUntil = tonumber(string.sub(text, 23, 32));
  const staleWhileRevalidateSeconds = tonumber(string.sub(text, 34, 43));
  const staleIfErrorSeconds = tonumber(string.sub(text, 45, 54));
  if (
    clears === undefined ||
    madeAt === undefined ||
    freshUntil === undefined ||
    staleWhileRevalidateSeconds === undefined ||
    staleIfErrorSeconds === undefined
  )
    return undefined;
  const mustRevalidate = string.byte(text, 56) === ONE;
  const isLarge = string.byte(text, 58) === ONE;
  return { clears, madeAt, freshUntil, staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate, isLarge };
}

const hexOf = (hash: string): string =>
  string.gsub(hash, '.', (byte: string) => string.format('%02x', string.byte(byte)))[0];

/** `levels=1:2` of nginx.conf.template. */
function pathOf(zone: string, hash: string): string {
  const name = hexOf(hash);
  return `${options.cacheDir}/${zone}/${string.sub(name, 32, 32)}/${string.sub(name, 30, 31)}/${name}`;
}

function littleEndian(text: string, at: number, bytes: number): number {
  let value = 0;
  for (let byte = bytes; byte > 0; byte--) value = value * 256 + string.byte(text, at + byte);
  return value;
}

function open(path: string): string | undefined {
  const [file] = io.open(path, 'rb');
  if (file === undefined) return undefined;
  const text = file.read(HEAD_BYTES);
  file.close();
  return text === undefined || text.length < HEADER_BYTES || littleEndian(text, 0, 8) !== VERSION ? undefined : text;
}

/** nginx takes some fields apart before it compares them. */
const LISTS: readonly string[] = ['accept-charset', 'accept-encoding', 'accept-language'];

function variantValue(name: string): string {
  const values = readHeaderLines(name);
  if (!LISTS.includes(name)) return values.join(',');
  const parts: string[] = [];
  for (const [part = ''] of string.gmatch(values.join(','), '[^, ]+')) parts.push(part);
  return parts.join(',');
}

/** Whether anything is stored under this key. */
export const isStored = (zone: string, key: string): boolean => open(pathOf(zone, ngx.md5_bin(key))) !== undefined;

/** As `ngx_http_file_cache_vary`, by the fields of the request that is being served. */
function variantOf(main: string, vary: string): string {
  let text = main;
  for (const [name = ''] of string.gmatch(string.lower(vary), '[^, ]+')) text += `${name}:${variantValue(name)}\r\n`;
  return ngx.md5_bin(text);
}

/** Fields that name tags, in lower case. */
export const TAG_FIELDS = ['cache-tag', 'surrogate-key'] as const;

/** Tags that a field of an answer names: parted by commas and blanks, of which no tag that can be cleared has any. */
export function tagsIn(value: string): string[] {
  const tags: string[] = [];
  for (const [part = ''] of string.gmatch(value, '[^,%s]+')) tags.push(part);
  return tags;
}

function tagsOf(head: readonly string[]): string[] {
  const tags: string[] = [];
  for (const line of head) {
    const lower = string.lower(string.sub(line, 1, 14));
    for (const name of TAG_FIELDS)
      if (lower.startsWith(`${name}:`)) tags.push(...tagsIn(string.sub(line, name.length + 2)));
  }
  return tags;
}

const identityOf = (text: string): string =>
  string.sub(text, CHANGED_AT + 1, CHANGED_AT + CHANGED_BYTES) + string.sub(text, HEADER_START_AT + 1, VARY_LENGTH_AT);

function parse(path: string, text: string, isVaried: boolean): StoredObject | undefined {
  const bodyStart = littleEndian(text, BODY_START_AT, 2);
  const head = string.sub(text, littleEndian(text, HEADER_START_AT, 2) + 1, bodyStart).split('\r\n');
  for (const line of head) {
    if (string.lower(string.sub(line, 1, FIELD_LINE.length)) === FIELD_LINE) {
      const facts = readFacts(string.sub(line, FIELD_LINE.length + 1));
      if (facts !== undefined)
        return { ...facts, path, identity: identityOf(text), head, bodyStart, isVaried, tags: tagsOf(head) };
    }
  }
  return undefined;
}

/**
 * What is stored for the request that is being served, under this key; undefined: nothing. Reads the disk, mostly what Linux holds of
 * it in memory.
 */
export function readObject(zone: string, key: string): StoredObject | undefined {
  const main = ngx.md5_bin(key);
  const path = pathOf(zone, main);
  const text = open(path);
  if (text === undefined) return undefined;
  const vary = string.sub(text, VARY_AT + 1, VARY_AT + string.byte(text, VARY_LENGTH_AT + 1));
  if (vary === '') return parse(path, text, false);
  const variant = variantOf(main, vary);
  if (variant === string.sub(text, VARIANT_AT + 1, VARIANT_AT + VARIANT_BYTES)) return parse(path, text, true);
  const variantPath = pathOf(zone, variant);
  const variantText = open(variantPath);
  return variantText === undefined ? undefined : parse(variantPath, variantText, true);
}

/** One of the objects of a key that differ by fields of requests, whichever these are; undefined: nothing is stored, or one for all. */
export function readAnyVariant(zone: string, key: string): StoredObject | undefined {
  const path = pathOf(zone, ngx.md5_bin(key));
  const text = open(path);
  return text === undefined || string.byte(text, VARY_LENGTH_AT + 1) === 0 ? undefined : parse(path, text, true);
}

export type ServingTimes = Pick<StoredFacts, 'freshUntil' | 'staleWhileRevalidateSeconds' | 'staleIfErrorSeconds'>;

/** For how long nginx takes an object for fresh and serves it stale, as its own header says, and how large its body is. */
export interface StoredTimes extends ServingTimes {
  readonly bytes: number;
}

/** Undefined: it is not there any more. */
export function readTimes({ path, bodyStart }: StoredObject): StoredTimes | undefined {
  const text = open(path);
  const [file] = io.open(path, 'rb');
  if (text === undefined || file === undefined) return undefined;
  const [bytes = 0] = file.seek('end');
  file.close();
  return {
    // What is valid until now is fresh yet.
    freshUntil: littleEndian(text, VALID_AT, 8) + 1,
    staleWhileRevalidateSeconds: littleEndian(text, STALE_AT, 8),
    staleIfErrorSeconds: littleEndian(text, FAILING_AT, 8),
    bytes: Math.max(bytes - bodyStart, 0),
  };
}

const ZEROS = '\0\0\0\0';

const time64 = (value: number): string => {
  const byte = (unit: number): number => Math.floor(value / unit) % 256;
  return `${string.char(byte(1), byte(256), byte(65536), byte(16777216))}${ZEROS}`;
};

function write(path: string, at: number, text: string): void {
  const [file] = io.open(path, 'r+b');
  if (file === undefined) return;
  file.seek('set', at);
  file.write(text);
  file.close();
}

/**
 * Nobody finds it any more: nginx takes a file of another version for none. It may have the file open yet, so that taking it away would
 * not do. What is being sent of it goes on.
 */
export function voidObject({ path }: StoredObject): void {
  write(path, 0, time64(0));
}

/** Has it serve by other times. */
export function setTimes(object: StoredObject, times: ServingTimes): void {
  restate(object, { ...object, ...times }, []);
}

/** Makes it stale, and lets it serve nobody before it has been validated (RFC 9111 4.4). */
export function demandValidation(object: StoredObject, now: number): void {
  const never = { staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0, mustRevalidate: true };
  restate(object, { ...object, ...never, freshUntil: Math.min(object.freshUntil, now) }, []);
}

/** Writes a field anew, which has to be as long as before: nginx knows where the body begins. */
function writeField(file: LuaFile, text: string, { name, value }: StoredField): void {
  const [at] = string.find(text, `\r\n${name}: `, 1, true);
  if (at === undefined) return;
  const start = at + 3 + name.length;
  const [end] = string.find(text, '\r\n', start, true);
  if (end === undefined || end - start - 1 !== value.length) return;
  file.seek('set', start);
  file.write(value);
}

/** Writes anew what is known of it, and these fields, after a validation. */
export function renewObject(object: StoredObject, facts: StoredFacts, fields: readonly StoredField[]): void {
  const [file] = io.open(object.path, 'r+b');
  if (file === undefined) return;
  const text = string.lower(file.read(object.bodyStart) ?? '');
  writeField(file, text, { name: string.lower(FIELD), value: factsText(facts) });
  for (const field of fields) writeField(file, text, field);
  file.close();
}

/** The same with its times in nginx's header, by which nginx serves it as it is. False: another answer has taken its place. */
export function restate(object: StoredObject, facts: StoredFacts, fields: readonly StoredField[]): boolean {
  const text = open(object.path);
  if (text === undefined || identityOf(text) !== object.identity) return false;
  const { freshUntil, staleWhileRevalidateSeconds, staleIfErrorSeconds } = facts;
  const times = time64(freshUntil - 1) + time64(staleWhileRevalidateSeconds) + time64(staleIfErrorSeconds);
  write(object.path, VALID_AT, times);
  renewObject(object, facts, fields);
  return true;
}

/** Of an object that is not kept in memory whole. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Undefined: it is too large, or not there any more. */
export function readBody({ path, bodyStart, identity }: StoredObject): string | undefined {
  const [file] = io.open(path, 'rb');
  if (file === undefined) return undefined;
  const isSame = identityOf(file.read(HEADER_BYTES) ?? '') === identity;
  const [bytes = 0] = file.seek('end');
  let body: string | undefined;
  if (isSame && bytes - bodyStart <= BODY_BYTES_MAX) {
    file.seek('set', bodyStart);
    body = file.read('*a') ?? '';
  }
  file.close();
  return body;
}

/** Status of its answer. */
export const statusOf = ({ head }: StoredObject): number => tonumber(string.sub(head[0] ?? '', 10, 12)) ?? 200;

/** A field of a stored head, name in lower case. */
export interface StoredField {
  readonly name: string;
  readonly value: string;
}

export function storedFields({ head }: StoredObject): StoredField[] {
  const fields: StoredField[] = [];
  for (const line of head) {
    const [colon] = string.find(line, ':', 1, true);
    if (colon !== undefined)
      fields.push({ name: string.lower(string.sub(line, 1, colon - 1)), value: string.sub(line, colon + 1).trim() });
  }
  return fields;
}

/** Value of all fields of a name in lower case; undefined when there is none. */
export function fieldOf(object: StoredObject, name: string): string | undefined {
  const values: string[] = [];
  for (const field of storedFields(object)) if (field.name === name) values.push(field.value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** Fields of an answer that stand in the stored head under another name. */
export const storedName = (name: string): string =>
  name === 'cache-control' ? 'cordon-cache-control' : name === 'vary' ? 'cordon-vary' : name;

/** As visitors get it. */
export const storedAnswer = (object: StoredObject): CacheAnswer => ({
  status: statusOf(object),
  fieldValues: (name) => {
    const known = fieldOf(object, storedName(name));
    return known === undefined ? [] : [known];
  },
});
