import { PAGE_SIZE_MAX } from '@cordon/contract';

/** Search of `/domain/rules`: the list, or one template in its place. */
export interface TemplatesSearch {
  page?: number;
  perpage?: number;
  q?: string;
  /** Id of the template that is open. */
  template?: string;
  /** A template that is not saved yet is open. */
  new?: true;
  /** Domain whose settings the new template starts with. */
  from?: string;
}

export interface TemplatesScreenProps {
  search: TemplatesSearch;
  onSearchChange: (search: TemplatesSearch, how?: { replace?: boolean }) => void;
}

const readCount = (value: unknown, maximum = 1_000_000): number | undefined => {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= maximum ? count : undefined;
};
const readText = (value: unknown, maximum: number) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maximum) : undefined;
const ID_CHARACTERS = 36;

/** Reads the URL; what is not understood is left out. */
export function readTemplatesSearch(raw: Readonly<Record<string, unknown>>): TemplatesSearch {
  return {
    page: readCount(raw.page),
    perpage: readCount(raw.perpage, PAGE_SIZE_MAX),
    q: readText(raw.q, 100),
    template: readText(raw.template, ID_CHARACTERS),
    new: raw.new === true ? true : undefined,
    from: readText(raw.from, ID_CHARACTERS),
  };
}
