import { PAGE_SIZE_MAX } from '@cordon/contract';

/** Search of `/domain/rules`: the list, or one rule in its place. */
export interface RulesSearch {
  page?: number;
  perpage?: number;
  q?: string;
  /** Id of the rule that is open. */
  rule?: string;
  /** A rule that is not saved yet is open. */
  new?: true;
  /** Domain whose settings the new rule starts with. */
  from?: string;
}

export interface RulesScreenProps {
  search: RulesSearch;
  onSearchChange: (search: RulesSearch, how?: { replace?: boolean }) => void;
}

const readCount = (value: unknown, maximum = 1_000_000): number | undefined => {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= maximum ? count : undefined;
};
const readText = (value: unknown, maximum: number) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maximum) : undefined;
const ID_CHARACTERS = 36;

/** Reads the URL; what is not understood is left out. */
export function readRulesSearch(raw: Readonly<Record<string, unknown>>): RulesSearch {
  return {
    page: readCount(raw.page),
    perpage: readCount(raw.perpage, PAGE_SIZE_MAX),
    q: readText(raw.q, 100),
    rule: readText(raw.rule, ID_CHARACTERS),
    new: raw.new === true ? true : undefined,
    from: readText(raw.from, ID_CHARACTERS),
  };
}
