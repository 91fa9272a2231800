/**
 * A visitor sends bytes. In Lua a text is its bytes; in JavaScript it is UTF-16, where a byte that is no part of UTF-8
 * stands as the lone surrogate U+DC00 + byte (as in Python's PEP 383), which no other text can be taken for.
 */
const IS_BYTES = 'é'.length === 2;

const ESCAPED = 0xdc00;

/** Code point of the UTF-8 sequence of `length` bytes at `at`; -1 when there is none, or not in its shortest form. */
export function codePointAt(this: void, bytes: string, at: number, length: number): number {
  const lead = bytes.charCodeAt(at);
  let code = lead & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next++) {
    const byte = next < bytes.length ? bytes.charCodeAt(next) : 0;
    if (byte < 0x80 || byte > 0xbf) return -1;
    code = code * 64 + (byte & 0x3f);
  }
  const first = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < first || code > 0x10ffff || isSurrogate ? -1 : code;
}

/** Bytes of the UTF-8 sequence that begins with `lead`; 0 where none does. */
export function sequenceLength(this: void, lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc0 || lead > 0xf7) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The text that bytes (one character of `bytes` each, 0 to 255) are. */
export function textOfBytes(this: void, bytes: string): string {
  if (IS_BYTES) return bytes;
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes.charCodeAt(at);
    const length = sequenceLength(lead);
    const code = length < 2 ? -1 : codePointAt(bytes, at, length);
    if (code >= 0x10000) {
      text += String.fromCharCode(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else if (code >= 0) text += String.fromCharCode(code);
    else text += String.fromCharCode(lead < 0x80 ? lead : ESCAPED + lead);
    at += code < 0 ? 1 : length;
  }
  return text;
}

const continuation = (code: number, shift: number): number => 0x80 | ((code >> shift) & 0x3f);

/** UTF-8 of a code point. */
export function bytesOfCode(this: void, code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), continuation(code, 0));
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12), continuation(code, 6), continuation(code, 0));
  return String.fromCharCode(0xf0 | (code >> 18), continuation(code, 12), continuation(code, 6), continuation(code, 0));
}

/** The bytes of a text, one character each: the inverse of `textOfBytes`. */
export function bytesOfText(this: void, text: string): string {
  if (IS_BYTES) return text;
  let bytes = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
      bytes += bytesOfCode(0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00));
      at++;
    } else if (unit >= ESCAPED + 0x80 && unit <= ESCAPED + 0xff) bytes += String.fromCharCode(unit - ESCAPED);
    else bytes += bytesOfCode(unit);
  }
  return bytes;
}

/** With the letters of ASCII in lower case, and all others as they are: what bytes mean differs from origin to origin. */
export function lowerAscii(this: void, text: string): string {
  if (IS_BYTES) return text.toLowerCase();
  let lower = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    lower += code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : text.charAt(at);
  }
  return lower;
}

/** How many bytes a text is. */
export function byteCount(this: void, text: string): number {
  if (IS_BYTES) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
      count += 4;
      at++;
    } else if (unit < 0x80 || (unit >= ESCAPED + 0x80 && unit <= ESCAPED + 0xff)) count += 1;
    else count += unit < 0x800 ? 2 : 3;
  }
  return count;
}
