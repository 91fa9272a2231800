import { bytesOfText, codePointAt, sequenceLength, textOfBytes } from './byte-text.ts';

const TAB = 9;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const DELETE = 127;

/** Blanks of ASCII, which almost all programs take for such. */
export const isSpace = (code: number): boolean => code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN);

/** Whether a character may be a blank: to Java all control characters are, to JavaScript and Python many of Unicode. */
function isBlank(code: number): boolean {
  if (code <= SPACE || code === 0x85 || code === 0xa0) return true;
  if (code >= 0x2000 && code <= 0x200a) return true;
  if (code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f) return true;
  return code === 0x1680 || code === 0x180e || code === 0x3000 || code === 0xfeff;
}

/** Bytes of the character that begins at `at`: one where it is no UTF-8. */
function lengthAfter(bytes: string, at: number): number {
  const length = sequenceLength(bytes.charCodeAt(at));
  return length < 2 || codePointAt(bytes, at, length) < 0 ? 1 : length;
}

/** Bytes of the character that ends at `end`. */
function lengthBefore(bytes: string, start: number, end: number): number {
  for (let length = 2; length <= 4 && end - length >= start; length++) {
    const at = end - length;
    if (sequenceLength(bytes.charCodeAt(at)) === length && codePointAt(bytes, at, length) >= 0) return length;
  }
  return 1;
}

/** A byte that is no UTF-8 may be a blank as well: Node reads fields as ISO 8859-1. */
const isBlankAt = (bytes: string, at: number, length: number): boolean =>
  isBlank(length === 1 ? bytes.charCodeAt(at) : codePointAt(bytes, at, length));

/** Whether nothing that may be a blank can begin or end with this. */
export const isInk = (code: number): boolean => code > SPACE && code < DELETE;

/** Without any of what may be a blank at both ends. */
export function withoutBlanks(this: void, text: string): string {
  if (text.length === 0 || (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1)))) return text;
  const bytes = bytesOfText(text);
  let start = 0;
  let end = bytes.length;
  while (start < end) {
    const length = lengthAfter(bytes, start);
    if (!isBlankAt(bytes, start, length)) break;
    start += length;
  }
  while (end > start) {
    const length = lengthBefore(bytes, start, end);
    if (!isBlankAt(bytes, end - length, length)) break;
    end -= length;
  }
  return start === 0 && end === bytes.length ? text : textOfBytes(bytes.substring(start, end));
}

/** Without the blanks of ASCII at both ends. */
export function withoutSpaces(this: void, text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.substring(start, end);
}
