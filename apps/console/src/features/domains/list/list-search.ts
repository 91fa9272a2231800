import { type DomainStatus, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type RouteFilter } from '@cordon/contract';
import { readCount, readId, readOne, readPage, readText } from '../../../app/search-readers';
import type { RouteListQuery } from '../../../domain/data/keys';
import type { DataTableSort } from '../../../ui/data-table-types';

type Status = Exclude<DomainStatus, 'deleted'>;
type Sort = NonNullable<RouteListQuery['sort']>;

/** Search of `/domain/list`. */
export interface DomainListSearch {
  page?: number;
  perpage?: number;
  q?: string;
  domain_name?: string;
  status?: Status;
  /** Only what needs fixing, or what is off. */
  health?: RouteFilter['health'];
  /** Only what has changes that are not live. */
  changes?: RouteFilter['changes'];
  /** Id of a group. */
  group?: string;
  /** Of a subscription. */
  cname?: string;
  sort?: Sort;
  /** The question is open before what this batch has changed is deployed. */
  deploy?: string;
  /** The dialog that adds a domain is open. */
  add?: true;
  /** The dialog that looks for many names is open. */
  find?: true;
}

const PERPAGE_KEY = 'domains.perpage';
const NAME_CHARACTERS_MAX = 253;
const STATUSES: readonly Status[] = ['running', 'deactivated', 'deleting'];
const HEALTH = ['attention', 'off'] as const;
const CHANGES = ['pending'] as const;
const SORTS: readonly Sort[] = [
  'health',
  ...(['domain_name', 'last_deployed', 'created_at', 'requests', 'blocked', 'hit_ratio'] as const).flatMap(
    (column) => [column, `-${column}`] as const,
  ),
];

/** The page size chosen last, on this device. */
export function storedPerpage(): number {
  try {
    return readCount(window.localStorage.getItem(PERPAGE_KEY), PAGE_SIZE_MAX) ?? PAGE_SIZE_DEFAULT;
  } catch {
    return PAGE_SIZE_DEFAULT;
  }
}

export function storePerpage(perpage: number): void {
  try {
    window.localStorage.setItem(PERPAGE_KEY, String(perpage));
  } catch {
    // Without storage the choice lasts as long as the URL.
  }
}

/** Reads the URL; what is not understood is left out. */
export function readListSearch(raw: Readonly<Record<string, unknown>>): DomainListSearch {
  return {
    ...readPage(raw),
    q: readText(raw.q, NAME_CHARACTERS_MAX),
    domain_name: readText(raw.domain_name, NAME_CHARACTERS_MAX),
    status: readOne(STATUSES, raw.status),
    health: readOne(HEALTH, raw.health),
    changes: readOne(CHANGES, raw.changes),
    group: readId(raw.group),
    cname: readText(raw.cname, NAME_CHARACTERS_MAX),
    sort: readOne(SORTS, raw.sort),
    deploy: readId(raw.deploy),
    add: raw.add === true ? true : undefined,
    find: raw.find === true ? true : undefined,
  };
}

export function toListQuery(search: DomainListSearch): RouteListQuery & { page: number; perpage: number } {
  const { page = 1, perpage = storedPerpage(), sort = USUAL_SORT } = search;
  return { page, perpage, sort, ...toFilter(search) };
}

/** What narrows the list down: the same for its pages, its CSV file and a selection of all that match. */
export function toFilter({ q, domain_name, status, health, changes, group, cname }: DomainListSearch): RouteFilter {
  return { q, domain_name, status, health, changes, group, cname };
}

/** The order that needs no word in the URL, of the whole list and of what a search or a filter finds: the worst first. */
const USUAL_SORT: Sort = 'health';

export function toTableSort({ sort = USUAL_SORT }: DomainListSearch): DataTableSort {
  return sort.startsWith('-') ? { id: sort.slice(1), direction: 'descending' } : { id: sort, direction: 'ascending' };
}

/** Undefined for the order that needs no word in the URL. By health there is one direction: a second press goes back to names. */
export function fromTableSort({ id, direction }: DataTableSort): Sort | undefined {
  const sort = readOne(SORTS, direction === 'descending' ? `-${id}` : id) ?? 'domain_name';
  return sort === USUAL_SORT ? undefined : sort;
}
