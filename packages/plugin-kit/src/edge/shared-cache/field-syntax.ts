const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

/** What tokens (RFC 9110 5.6.2) have besides letters and digits. */
const TOKEN_MARKS = "!#$%&'*+-.^_`|~";

function isTokenAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || (code >= 48 && code <= 57) || TOKEN_MARKS.includes(text.charAt(at));
}

/** Where what is a token from `start` on ends; `start` where none begins there. */
export function endOfToken(this: void, text: string, start: number): number {
  let at = start;
  while (at < text.length && isTokenAt(text, at)) at++;
  return at;
}

/** Whether the whole text is a token (RFC 9110 5.6.2), as names of fields are. */
export const isToken = (text: string): boolean => text !== '' && endOfToken(text, 0) === text.length;

/** Where the string that is quoted at `open` ends: at its closing quote; -1 where there is none (RFC 9110 5.6.4). */
export function endOfQuoted(this: void, text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

export const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** Where the blanks from `start` on end. */
export function skipBlanks(this: void, text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Without the blanks (RFC 9110 5.6.3, OWS) before and behind it. */
export function trimBlanks(this: void, text: string): string {
  const start = skipBlanks(text, 0);
  let end = text.length;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.substring(start, end);
}

/** Members of a list that has no quoted strings (RFC 9110 5.6.1), over all its field lines, without the empty ones. */
export function listMembers(this: void, values: readonly string[]): string[] {
  const members: string[] = [];
  for (const value of values) {
    for (const part of value.split(',')) {
      const member = trimBlanks(part);
      if (member !== '') members.push(member);
    }
  }
  return members;
}
