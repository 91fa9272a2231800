/** Pages and chats put marks without width around what is copied (soft hyphen, zero width space, marks of direction). */
const BETWEEN = '\\s,;，；、\\u00ad\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069';
const SEPARATOR = new RegExp(`[${BETWEEN}]+`);
const ENTRY = new RegExp(`[^${BETWEEN}]+`, 'g');

/** The entries of a text, whatever parts them. */
export const splitEntries = (text: string): string[] => text.split(SEPARATOR).filter(Boolean);

/** Whether a text says more than one entry, or ends the one it says. */
export const hasSeparator = (text: string): boolean => SEPARATOR.test(text.trim());

export interface EntryPlace {
  /** Counted from 1. */
  readonly line: number;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** Where entries of a text stand, by their index; one that is not there is left out. */
export function findEntries(text: string, indexes: ReadonlySet<number>): ReadonlyMap<number, EntryPlace> {
  const found = new Map<number, EntryPlace>();
  let [line, at, index] = [1, 0, 0];
  for (const match of text.matchAll(ENTRY)) {
    if (indexes.has(index)) {
      for (; at < match.index; at++) if (text[at] === '\n') line++;
      found.set(index, { line, start: match.index, end: match.index + match[0].length });
      if (found.size === indexes.size) break;
    }
    index++;
  }
  return found;
}
