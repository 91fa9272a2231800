import { endOfToken, skipBlanks } from './field-syntax.ts';

/**
 * A Dictionary of structured fields (RFC 8941 3.2), read as 4.2.2 there has it: with a single fault anywhere, nothing of it holds.
 */

const SPACE = 32;
const QUOTE = 34;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const COMMA = 44;
const HYPHEN = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const QUESTION = 63;
const BACKSLASH = 92;
const DELETE = 127;

const INTEGER_DIGITS_MAX = 15;
const DECIMAL_DIGITS_MAX = 12;
const FRACTION_DIGITS_MAX = 3;

/** `other`: a decimal, token, byte sequence or inner list, of which nothing more is kept. */
export type StructuredKind = 'integer' | 'string' | 'true' | 'false' | 'other';

/** A member, its parameters left out. */
export interface DictionaryMember {
  key: string;
  kind: StructuredKind;
  /** Of an integer. */
  integer: number;
  /** Of a string, without its quotes and backslashes. */
  text: string;
}

/** How far a text has been read. */
interface Cursor {
  readonly text: string;
  at: number;
}

/** The byte that comes next; -1 at the end. */
const next = ({ text, at }: Cursor): number => (at < text.length ? text.charCodeAt(at) : -1);

/** Whether the byte comes next, which is read then. */
function takes(cursor: Cursor, code: number): boolean {
  if (next(cursor) !== code) return false;
  cursor.at++;
  return true;
}

function skipSpaces(cursor: Cursor): void {
  while (next(cursor) === SPACE) cursor.at++;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isLetter = (code: number): boolean => isLower(code | 32);

/** A key (RFC 8941 3.1.2); empty when there is none. */
function readKey(cursor: Cursor): string {
  const start = cursor.at;
  const first = next(cursor);
  if (first !== STAR && !isLower(first)) return '';
  let code = first;
  while (code === STAR || code === HYPHEN || code === DOT || code === 95 || isLower(code) || isDigit(code)) {
    cursor.at++;
    code = next(cursor);
  }
  return cursor.text.substring(start, cursor.at);
}

/** Reads digits; answers how many there were. */
function skipDigits(cursor: Cursor): number {
  const start = cursor.at;
  while (isDigit(next(cursor))) cursor.at++;
  return cursor.at - start;
}

/** An Integer or a Decimal (RFC 8941 4.2.4). */
function readNumber(cursor: Cursor, member: DictionaryMember): boolean {
  const sign = takes(cursor, HYPHEN) ? -1 : 1;
  const start = cursor.at;
  const digits = skipDigits(cursor);
  if (digits === 0) return false;
  if (next(cursor) !== DOT) {
    let integer = 0;
    for (let at = start; at < cursor.at; at++) integer = integer * 10 + cursor.text.charCodeAt(at) - 48;
    member.kind = 'integer';
    member.integer = sign * integer;
    return digits <= INTEGER_DIGITS_MAX;
  }
  cursor.at++;
  const fraction = skipDigits(cursor);
  return digits <= DECIMAL_DIGITS_MAX && fraction >= 1 && fraction <= FRACTION_DIGITS_MAX;
}

/** A String (RFC 8941 4.2.5). */
function readString(cursor: Cursor, member: DictionaryMember): boolean {
  cursor.at++;
  member.kind = 'string';
  member.text = '';
  while (cursor.at < cursor.text.length) {
    let code = next(cursor);
    cursor.at++;
    if (code === QUOTE) return true;
    if (code === BACKSLASH) {
      code = next(cursor);
      cursor.at++;
      if (code !== QUOTE && code !== BACKSLASH) return false;
    }
    if (code < SPACE || code >= DELETE) return false;
    member.text += String.fromCharCode(code);
  }
  return false;
}

/** A Token (RFC 8941 4.2.6), whose first byte has been looked at. */
function readToken(cursor: Cursor): boolean {
  let code = next(cursor);
  while (code === COLON || code === SLASH || endOfToken(cursor.text, cursor.at) > cursor.at) {
    cursor.at = Math.max(cursor.at + 1, endOfToken(cursor.text, cursor.at));
    code = next(cursor);
  }
  return true;
}

const isBase64 = (code: number): boolean =>
  isDigit(code) || isLetter(code) || code === 43 || code === SLASH || code === EQUALS;

/** A Byte Sequence (RFC 8941 4.2.7). */
function readBytes(cursor: Cursor): boolean {
  cursor.at++;
  while (isBase64(next(cursor))) cursor.at++;
  return takes(cursor, COLON);
}

/** A Boolean (RFC 8941 4.2.8). */
function readBoolean(cursor: Cursor, member: DictionaryMember): boolean {
  cursor.at++;
  const code = next(cursor);
  cursor.at++;
  member.kind = code === 49 ? 'true' : 'false';
  return code === 48 || code === 49;
}

function readBareItem(cursor: Cursor, member: DictionaryMember): boolean {
  member.kind = 'other';
  const first = next(cursor);
  if (first === HYPHEN || isDigit(first)) return readNumber(cursor, member);
  if (first === QUOTE) return readString(cursor, member);
  if (first === COLON) return readBytes(cursor);
  if (first === QUESTION) return readBoolean(cursor, member);
  return (first === STAR || isLetter(first)) && readToken(cursor);
}

const nothing = (): DictionaryMember => ({ key: '', kind: 'true', integer: 0, text: '' });

/** Parameters (RFC 8941 4.2.3.2), of which nothing is kept. */
function skipParameters(cursor: Cursor): boolean {
  while (takes(cursor, SEMICOLON)) {
    skipSpaces(cursor);
    if (readKey(cursor) === '') return false;
    if (takes(cursor, EQUALS) && !readBareItem(cursor, nothing())) return false;
  }
  return true;
}

/** An Inner List (RFC 8941 4.2.1.2), of which nothing is kept. */
function skipInnerList(cursor: Cursor): boolean {
  cursor.at++;
  while (cursor.at < cursor.text.length) {
    skipSpaces(cursor);
    if (takes(cursor, CLOSE)) return skipParameters(cursor);
    if (!readBareItem(cursor, nothing()) || !skipParameters(cursor)) return false;
    if (next(cursor) !== SPACE && next(cursor) !== CLOSE) return false;
  }
  return false;
}

function readMember(cursor: Cursor): DictionaryMember | undefined {
  const member = nothing();
  member.key = readKey(cursor);
  if (member.key === '') return undefined;
  if (!takes(cursor, EQUALS)) return skipParameters(cursor) ? member : undefined;
  if (next(cursor) === OPEN) {
    member.kind = 'other';
    return skipInnerList(cursor) ? member : undefined;
  }
  return readBareItem(cursor, member) && skipParameters(cursor) ? member : undefined;
}

/**
 * The members of a Dictionary in their order; of those with the same key the last holds. Undefined when the text is none. Field
 * lines are joined with commas before.
 */
export function parseDictionary(this: void, text: string): DictionaryMember[] | undefined {
  const members: DictionaryMember[] = [];
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === SPACE) end--;
  const cursor: Cursor = { text: text.substring(0, end), at: 0 };
  skipSpaces(cursor);
  while (cursor.at < end) {
    const member = readMember(cursor);
    if (member === undefined) return undefined;
    members.push(member);
    cursor.at = skipBlanks(cursor.text, cursor.at);
    if (cursor.at < end) {
      if (!takes(cursor, COMMA)) return undefined;
      cursor.at = skipBlanks(cursor.text, cursor.at);
      // A comma is followed by a member.
      if (cursor.at === end) return undefined;
    }
  }
  return members;
}
