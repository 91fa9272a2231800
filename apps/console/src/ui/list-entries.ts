const SEPARATOR = /[\s,;，；、]+/;
const ENTRY = /[^\s,;，；、]+/g;

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
