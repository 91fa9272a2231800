import { readId, readPage, readText } from '../../app/search-readers';

/** Search of `/manage-ip`. */
export interface BansSearch {
  page?: number;
  perpage?: number;
  /** Addresses, ranges, or words of the note. */
  q?: string;
  /** Id of the domain for which the bans hold. */
  domain?: string;
  /** The dialog that bans addresses is open. */
  add?: true;
  /** What the dialog starts with. */
  address?: string;
}

export interface BansScreenProps {
  search: BansSearch;
  onSearchChange: (change: Partial<BansSearch>, how?: { replace?: boolean }) => void;
}

const SEARCH_CHARACTERS_MAX = 200;
/** Of the longest range of IPv6. */
const ADDRESS_CHARACTERS_MAX = 49;

/** Reads the URL; what is not understood is left out. */
export function readBansSearch(raw: Readonly<Record<string, unknown>>): BansSearch {
  return {
    ...readPage(raw),
    q: readText(raw.q, SEARCH_CHARACTERS_MAX),
    domain: readId(raw.domain),
    add: raw.add === true ? true : undefined,
    address: readText(raw.address, ADDRESS_CHARACTERS_MAX),
  };
}
