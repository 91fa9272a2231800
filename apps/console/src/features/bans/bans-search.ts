import { PAGE_SIZE_MAX } from '@cordon/contract';

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
}

export interface BansScreenProps {
  search: BansSearch;
  onSearchChange: (change: Partial<BansSearch>, how?: { replace?: boolean }) => void;
}

const SEARCH_CHARACTERS_MAX = 200;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const readCount = (value: unknown, maximum = 1_000_000): number | undefined => {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= maximum ? count : undefined;
};

/** Reads the URL; what is not understood is left out. */
export function readBansSearch(raw: Readonly<Record<string, unknown>>): BansSearch {
  const { q, domain } = raw;
  return {
    page: readCount(raw.page),
    perpage: readCount(raw.perpage, PAGE_SIZE_MAX),
    // `10` and `10.1` are numbers to who reads an address bar.
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, SEARCH_CHARACTERS_MAX) || undefined
        : undefined,
    domain: typeof domain === 'string' && ID.test(domain) ? domain : undefined,
    add: raw.add === true ? true : undefined,
  };
}
