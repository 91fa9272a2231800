import { endOfQuoted, endOfToken, skipBlanks } from './field-syntax.ts';

const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;

/** How a directive's argument is written. `malformed`: not as RFC 9111 5.2 has it, so that only its name is known. */
export type ArgumentForm = 'none' | 'token' | 'quoted' | 'malformed';

/** A directive as it stands in Cache-Control. */
export interface WrittenDirective {
  /** In lower case. */
  readonly name: string;
  readonly form: ArgumentForm;
  /** Without quotes and backslashes; empty when there is none. */
  readonly argument: string;
}

/** Where the member of a list that goes on at `start` ends: at a comma outside of quoted strings, or with the text. */
function endOfMember(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== COMMA) {
    const close = text.charCodeAt(at) === QUOTE ? endOfQuoted(text, at) : -1;
    at = Math.max(at, close) + 1;
  }
  return at;
}

/** Where a quoted string begins that does not end; the end of the text where all do. */
function openQuoteIn(text: string): number {
  let open = text.indexOf('"');
  while (open >= 0) {
    const close = endOfQuoted(text, open);
    if (close < 0) return open;
    open = text.indexOf('"', close + 1);
  }
  return text.length;
}

/** What a quoted string says: a backslash stands for the character behind it (RFC 9110 5.6.4). */
function unquote(quoted: string): string {
  let text = '';
  let start = 0;
  let at = quoted.indexOf('\\');
  while (at >= 0) {
    text += quoted.substring(start, at);
    start = at + 1;
    at = quoted.indexOf('\\', at + 2);
  }
  return text + quoted.substring(start);
}

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** Without marks around it, which are of tokens, and of no name: what was copied from a text may have them. @param name In lower case. */
function withoutMarks(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && !isLetterOrDigit(name.charCodeAt(start))) start++;
  while (end > start && !isLetterOrDigit(name.charCodeAt(end - 1))) end--;
  return start === 0 && end === name.length ? name : name.substring(start, end);
}

/** Where the first token of a member begins that does not begin with one; its end where it has none. */
function startOfToken(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && endOfToken(text, at) === at) at++;
  return at;
}

/** Adds the directive whose name stands from `start` to `nameEnd`; answers where it ends. */
function addDirective(
  written: WrittenDirective[],
  text: string,
  start: number,
  nameEnd: number,
  isInDoubt: boolean,
): number {
  const given = text.substring(start, nameEnd).toLowerCase();
  const name = withoutMarks(given);
  let form: ArgumentForm = 'none';
  let argument = '';
  let end = nameEnd;
  if (nameEnd < text.length && text.charCodeAt(nameEnd) === EQUALS) {
    const open = nameEnd + 1;
    const isQuoted = open < text.length && text.charCodeAt(open) === QUOTE;
    const close = isQuoted ? endOfQuoted(text, open) : endOfToken(text, open);
    if (close > open) {
      form = isQuoted ? 'quoted' : 'token';
      argument = isQuoted ? unquote(text.substring(open + 1, close)) : text.substring(open, close);
      end = isQuoted ? close + 1 : close;
    } else form = 'malformed';
  }
  end = skipBlanks(text, end);
  const isWhole = end === text.length || text.charCodeAt(end) === COMMA;
  if (form !== 'malformed' && isWhole && !isInDoubt && name === given) written.push({ name, form, argument });
  else written.push({ name, form: 'malformed', argument: '' });
  return endOfMember(text, end);
}

/**
 * The directives of Cache-Control fields (RFC 9111 5.2), one value for each line, in their order. Of what is malformed the name is
 * kept, whatever stands before it, so that what forbids still does. A quoted string that does not end is none: commas behind its quote part directives, which
 * are malformed.
 */
export function readDirectives(this: void, values: readonly string[]): WrittenDirective[] {
  const written: WrittenDirective[] = [];
  for (const text of values) {
    const openQuote = openQuoteIn(text);
    let at = 0;
    while (at < text.length) {
      const start = skipBlanks(text, at);
      const nameEnd = endOfToken(text, start);
      if (nameEnd > start) at = addDirective(written, text, start, nameEnd, start > openQuote) + 1;
      else {
        const end = endOfMember(text, start);
        const token = startOfToken(text, start, end);
        if (token < end) addDirective(written, text, token, endOfToken(text, token), true);
        at = end + 1;
      }
    }
  }
  return written;
}
