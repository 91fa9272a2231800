import { CLEAR_READERS, type ClearRequest, type ClearUrl, isHostOf } from '@cordon/contract';
import { fieldErrors } from '../../platform/errors.ts';

/** The names of a domain, main and shadow domains, wildcards among them. */
export interface DomainNames {
  readonly names: readonly string[];
  readonly wildcardLevels: 'one' | 'all' | undefined;
}

export interface ClearValues {
  /** As they were given, without repetitions. */
  readonly shown: string[];
  /** As nodes get them (`EdgeClear.values`). */
  readonly sent: string[];
}

/** Paths times names: more than these are better cleared by prefix or all at once. */
const SENT_MAX = 10_000;

const isExact = (name: string): boolean => !name.startsWith('*.');

/** Throws CACHE_URL_FOREIGN and CACHE_URL_NEEDS_HOST at the field, with `values`. */
function hostsOf(place: number, { host }: ClearUrl, domain: DomainNames): readonly string[] {
  if (host !== null) {
    if (!isHostOf(host, domain.names, domain.wildcardLevels))
      throw fieldErrors({ [`values.${place}`]: 'CACHE_URL_FOREIGN' });
    return [host];
  }
  const exact = domain.names.filter(isExact);
  if (exact.length === 0) throw fieldErrors({ [`values.${place}`]: 'CACHE_URL_NEEDS_HOST' });
  return exact;
}

const urlText = (host: string, { path, query }: ClearUrl): string =>
  query === '' ? `${host}${path}` : `${host}${path}?${query}`;

/**
 * What a checked request means for a domain's nodes. Throws with a code at `values.<n>` for URLs of other names, and TOO_MANY at
 * `values` where paths of all names come to more than 10,000.
 */
export function clearValues({ kind, values }: ClearRequest, domain: DomainNames): ClearValues {
  const shown: string[] = [];
  const sent = new Set<string>();
  for (const [place, given] of values.entries()) {
    const before = sent.size;
    if (kind === 'tags') {
      const read = CLEAR_READERS.tags(given);
      if (read.ok) sent.add(read.value);
    } else if (kind !== 'all') {
      const read = CLEAR_READERS[kind](given);
      if (!read.ok) continue;
      // Of a prefix the path counts, for all names.
      if (kind === 'urls') for (const host of hostsOf(place, read.value, domain)) sent.add(urlText(host, read.value));
      else if (read.value.host === null || hostsOf(place, read.value, domain).length > 0) sent.add(read.value.path);
    }
    if (sent.size > SENT_MAX) throw fieldErrors({ values: 'TOO_MANY' }, { values: { maximum: SENT_MAX } });
    if (sent.size > before) shown.push(given.trim());
  }
  return { shown, sent: [...sent] };
}
