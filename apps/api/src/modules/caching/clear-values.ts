import { CLEAR_READERS, type ClearKind, type ClearRequest, type ClearUrl, isHostOf } from '@cordon/contract';
import { fieldErrors } from '../../platform/errors.ts';

/** The names of a domain, main and shadow domains, wildcards among them. */
export interface DomainNames {
  readonly names: readonly string[];
  readonly wildcardLevels: 'one' | 'all' | undefined;
}

/** What a batch or a task clears, as it is kept in its parameters; what was begun before there were values clears everything. */
export interface ClearParams {
  readonly clear_kind?: ClearRequest['kind'];
  readonly values?: readonly string[];
  readonly soft?: boolean;
  /** Of a task that was scheduled. */
  readonly task?: ScheduledBy;
}

interface ScheduledBy {
  readonly id: string;
  readonly at: string;
  /** Where it is of one domain. */
  readonly route_id?: string;
}

/** The same as a request, checked when it was kept. */
export const clearOf = ({ clear_kind: kind = 'all', values = [], soft = false }: ClearParams): ClearRequest => ({
  kind,
  values: [...values],
  soft,
});

export interface ClearValues {
  /** As they were given, without repetitions. */
  readonly shown: string[];
  /** As nodes get them (`EdgeClear.values`). */
  readonly sent: string[];
}

/** Paths times names: more than these are better cleared by prefix or all at once. */
export const SENT_MAX = 10_000;

const isExact = (name: string): boolean => !name.startsWith('*.');

/** Throws CACHE_URL_FOREIGN and CACHE_URL_NEEDS_HOST at the field, with `values`. */
function hostsOf(place: number, { host }: ClearUrl, domain: DomainNames | undefined): readonly string[] {
  if (host !== null) {
    if (!domain || !isHostOf(host, domain.names, domain.wildcardLevels))
      throw fieldErrors({ [`values.${place}`]: 'CACHE_URL_FOREIGN' }, { [`values.${place}`]: { name: host } });
    return [host];
  }
  const exact = domain?.names.filter(isExact) ?? [''];
  if (exact.length === 0) throw fieldErrors({ [`values.${place}`]: 'CACHE_URL_NEEDS_HOST' });
  return exact;
}

const urlText = (host: string, { path, query }: ClearUrl): string =>
  query === '' ? `${host}${path}` : `${host}${path}?${query}`;

/** Whether what is cleared depends on the names of a domain. */
export const hasHosts = (kind: ClearKind): boolean => kind === 'urls' || kind === 'prefixes';

/**
 * Reads a checked request, once for all domains that it is of, and answers what it means for the nodes of each. That throws with a code at
 * `values.<n>` for URLs of other names, and TOO_MANY at `values` where paths of all names come to more than 10,000. Without a
 * domain it says what holds on several: paths do, and nothing with a name does, as no name is of all; `sent` means nothing then.
 */
export function readClear({
  kind,
  values,
}: Pick<ClearRequest, 'kind' | 'values'>): (domain?: DomainNames) => ClearValues {
  const listed =
    kind === 'all' ? [] : values.map((given) => ({ text: given.trim(), read: CLEAR_READERS[kind](given) }));
  return (domain) => {
    const shown: string[] = [];
    const sent = new Set<string>();
    for (const [place, { text, read }] of listed.entries()) {
      if (!read.ok) continue;
      const { value } = read;
      const before = sent.size;
      if (typeof value === 'string') sent.add(value);
      else if (kind === 'urls') for (const host of hostsOf(place, value, domain)) sent.add(urlText(host, value));
      // Of a prefix the path counts, for all names.
      else if (value.host === null || hostsOf(place, value, domain).length > 0) sent.add(value.path);
      if (sent.size > SENT_MAX) throw fieldErrors({ values: 'TOO_MANY' }, { values: { maximum: SENT_MAX } });
      if (sent.size > before) shown.push(text);
    }
    return { shown, sent: [...sent] };
  };
}
