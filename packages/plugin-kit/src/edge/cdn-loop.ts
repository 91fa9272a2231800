import { lowerAscii } from './byte-text.ts';

const COMMA = 44;
const SEMICOLON = 59;
const SPACE = 32;

function isEntryStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && text.charCodeAt(before) <= SPACE) before--;
  return before < 0 || text.charCodeAt(before) === COMMA;
}

function isEntryEnd(text: string, at: number): boolean {
  let after = at;
  while (after < text.length && text.charCodeAt(after) <= SPACE) after++;
  return after === text.length || text.charCodeAt(after) === COMMA || text.charCodeAt(after) === SEMICOLON;
}

/**
 * Whether the value of CDN-Loop fields (RFC 8586) has an entry of this CDN. However long it is: a request that has been here
 * must not go round. Looked for as a text, because a visitor may send thousands of entries.
 */
export function namesCdn(this: void, field: string, id: string): boolean {
  // One that has no name is named nowhere.
  if (id === '') return false;
  const text = lowerAscii(field);
  const name = lowerAscii(id);
  let at = text.indexOf(name);
  while (at >= 0) {
    const end = at + name.length;
    if (isEntryStart(text, at) && isEntryEnd(text, end)) return true;
    at = text.indexOf(name, end);
  }
  return false;
}
