import { readPage, readText } from '../../../app/search-readers';

/** Search of the allow list's tab of `/manage-ip`. */
export interface AllowListSearch {
  page?: number;
  perpage?: number;
  /** Addresses, ranges, or words of the note. */
  q?: string;
  /** The dialog that adds addresses is open. */
  add?: true;
  /** What the dialog starts with. */
  address?: string;
}

export interface AllowListProps {
  search: AllowListSearch;
  onSearchChange: (change: Partial<AllowListSearch>, how?: { replace?: boolean }) => void;
}

const SEARCH_CHARACTERS_MAX = 200;
/** Of the longest range of IPv6. */
const ADDRESS_CHARACTERS_MAX = 49;

/** Reads the URL; what is not understood is left out. */
export function readAllowListSearch(raw: Readonly<Record<string, unknown>>): AllowListSearch {
  return {
    ...readPage(raw),
    q: readText(raw.q, SEARCH_CHARACTERS_MAX),
    add: raw.add === true ? true : undefined,
    address: readText(raw.address, ADDRESS_CHARACTERS_MAX),
  };
}
