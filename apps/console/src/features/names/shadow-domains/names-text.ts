import { isWildcardName, parseDomainName } from '@cordon/contract';

/** One name as it was typed, and what it is or why it is none. */
export interface TypedName {
  readonly text: string;
  readonly name?: string;
  readonly code?: string;
}

export interface NamesText {
  /** Names to add, each once. */
  readonly names: readonly string[];
  readonly wrong: readonly (TypedName & { readonly code: string })[];
  /** How many were typed more than once and are left out. */
  readonly repeated: number;
}

const SEPARATORS = /[\s,;，；、]+/;

/** Reads names as people paste them: one per line, or with commas; from a table, a mail, a list in Chinese. */
export function readNames(text: string, rules: { mainName: string; canHaveWildcards: boolean }): NamesText {
  const names = new Set<string>();
  const wrong: (TypedName & { code: string })[] = [];
  let repeated = 0;
  for (const typed of text.split(SEPARATORS).filter((one) => one !== '')) {
    const read = parseDomainName(typed);
    if (!read.ok) wrong.push({ text: typed, code: read.code });
    else if (read.name === rules.mainName) wrong.push({ text: typed, name: read.name, code: 'SHADOW_IS_MAIN' });
    else if (isWildcardName(read.name) && !rules.canHaveWildcards)
      wrong.push({ text: typed, name: read.name, code: 'WILDCARD_NEEDS_VIP' });
    else if (names.has(read.name)) repeated += 1;
    else names.add(read.name);
  }
  return { names: [...names], wrong, repeated };
}

/** The text without some of its names; what stays keeps its order, one per line. */
export const withoutNames = (text: string, left: ReadonlySet<string>): string =>
  text
    .split(SEPARATORS)
    .filter((typed) => {
      const read = parseDomainName(typed);
      return typed !== '' && !left.has(read.ok ? read.name : typed) && !left.has(typed);
    })
    .join('\n');
