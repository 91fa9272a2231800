import { readCount, readOne } from '../../../app/search-readers';
import { type RequestMatch, readRequestMatch } from '../../../domain/traffic/request-match';
import { DOMAIN_TABS, type DomainTab } from './domain-tabs';

/** What tabs are called on the screen and were once called in addresses: old links and what is typed lead there all the same. */
const OTHER_NAMES: ReadonlyMap<unknown, DomainTab> = new Map([
  ['aliases', 'shadow-domains'],
  ['certificates', 'ssl'],
  ['history', 'versions'],
  ['diagnose', 'diagnosis'],
]);

/** Search of `/domain/list/{id}`. */
export interface DomainPageSearch extends RequestMatch {
  tab?: DomainTab;
  /** Page of the versions. */
  page?: number;
  /** What the diagnosis shows; its checks when left out. */
  view?: 'trace';
  /** Id of a logged request to trace. */
  request?: string;
  /** Panel of the tab to lead to; the tab takes it away. */
  panel?: string;
  /** Range of the figures of the cache, if not the one chosen last. */
  range?: string;
  /** Plugin whose form is open from the start. */
  edit?: string;
}

/** Reads the URL; what is not understood is left out. */
export function readPageSearch(raw: Readonly<Record<string, unknown>>): DomainPageSearch {
  return {
    ...readRequestMatch(raw),
    tab: readOne(DOMAIN_TABS, raw.tab) ?? OTHER_NAMES.get(raw.tab),
    page: readCount(raw.page),
    view: raw.view === 'trace' ? 'trace' : undefined,
    request: typeof raw.request === 'string' || typeof raw.request === 'number' ? String(raw.request) : undefined,
    panel: typeof raw.panel === 'string' ? raw.panel : undefined,
    range: typeof raw.range === 'string' ? raw.range : undefined,
    edit: typeof raw.edit === 'string' ? raw.edit : undefined,
  };
}
