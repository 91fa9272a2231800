import { readPage, readText } from '../../app/search-readers';
import type { SelectedForRule } from './selected-domains';

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
  /** What the rule that is open is made for. */
  selected?: SelectedForRule | undefined;
  onApplied?: () => void;
  /** In the place of the page that it replaces, what that was opened for stays. */
  onSearchChange: (search: RulesSearch, how?: { replace?: boolean }) => void;
}

const ID_CHARACTERS = 36;

/** Reads the URL; what is not understood is left out. */
export function readRulesSearch(raw: Readonly<Record<string, unknown>>): RulesSearch {
  return {
    ...readPage(raw),
    q: readText(raw.q, 100),
    rule: readText(raw.rule, ID_CHARACTERS),
    new: raw.new === true ? true : undefined,
    from: readText(raw.from, ID_CHARACTERS),
  };
}
