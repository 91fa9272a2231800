/** Words of a command line, or why it cannot be read. */
export type ShellWords = { readonly ok: true; readonly words: string[] } | { readonly ok: false };

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
};

interface Cursor {
  readonly text: string;
  at: number;
}

/** What stands in `$'…'` after the opening quote (Bash, "ANSI-C Quoting"); undefined when it is not closed. */
function readAnsiQuoted(cursor: Cursor): string | undefined {
  let value = '';
  while (cursor.at < cursor.text.length) {
    const letter = cursor.text[cursor.at++] as string;
    if (letter === "'") return value;
    if (letter !== '\\') {
      value += letter;
      continue;
    }
    const rest = cursor.text.slice(cursor.at);
    const code = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3}))/i.exec(rest);
    if (code) {
      const hex = code[1] ?? code[2] ?? code[3];
      const point = hex === undefined ? Number.parseInt(code[4] ?? '0', 8) : Number.parseInt(hex, 16);
      value += point <= 0x10ffff ? String.fromCodePoint(point) : '';
      cursor.at += code[0].length;
    } else {
      const next = cursor.text[cursor.at++] ?? '';
      value += ESCAPES[next] ?? next;
    }
  }
  return undefined;
}

/** What stands between the quotes; `mark` escapes the letters of `escapable` only. */
function readQuoted(cursor: Cursor, quote: string, mark: string, escapable: string): string | undefined {
  let value = '';
  while (cursor.at < cursor.text.length) {
    const letter = cursor.text[cursor.at++] as string;
    if (letter === quote) return value;
    const next = cursor.text[cursor.at];
    if (letter === mark && next !== undefined && escapable.includes(next)) {
      cursor.at++;
      if (next !== '\n') value += next;
    } else value += letter;
  }
  return undefined;
}

/**
 * Browsers write Windows commands with `^` before whatever cmd.exe reads, also inside of quotes; only there does a
 * line end with it.
 */
const isWindows = (text: string): boolean => /\^\s*\r?\n|\s\^"/.test(text);

/** cmd.exe takes `^` away first; `^` at the end of a line joins the next. */
const withoutCarets = (text: string): string => text.replace(/\^\r?\n\s*/g, ' ').replace(/\^(.)/g, '$1');

/** Splits a command as a POSIX shell, or as cmd.exe, would: quotes, escapes, lines that go on. Expands nothing. */
export function splitWords(command: string): ShellWords {
  const isCmd = isWindows(command);
  const cursor: Cursor = { text: (isCmd ? withoutCarets(command) : command).replaceAll('\r\n', '\n'), at: 0 };
  const words: string[] = [];
  let word: string | undefined;
  while (cursor.at < cursor.text.length) {
    const letter = cursor.text[cursor.at++] as string;
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const isAnsi = letter === '$' && cursor.text[cursor.at] === "'" && !isCmd;
    if (isAnsi || letter === '"' || (letter === "'" && !isCmd)) {
      if (isAnsi) cursor.at++;
      const part = isAnsi
        ? readAnsiQuoted(cursor)
        : letter === "'"
          ? readQuoted(cursor, "'", '', '')
          : readQuoted(cursor, '"', '\\', isCmd ? '"\\' : '"\\$`\n');
      if (part === undefined) return { ok: false };
      word = (word ?? '') + part;
    } else if (letter === '\\' && !isCmd) {
      const next = cursor.text[cursor.at++];
      // A line that goes on separates nothing.
      if (next !== undefined && next !== '\n') word = (word ?? '') + next;
    } else word = (word ?? '') + letter;
  }
  if (word !== undefined) words.push(word);
  return { ok: true, words };
}
