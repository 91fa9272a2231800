import {
  type CacheDevice,
  CLEAR_READERS,
  type EdgePrefetch,
  isHostOf,
  PREFETCH_VISITS_MAX,
  type RouteConfig,
} from '@cordon/contract';
import { DEVICES } from '@cordon/plugin-kit/shared-cache';
import { findDefinition } from '@cordon/plugins/definitions';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import type { DomainNames } from './clear-values.ts';

type PrefetchUrl = EdgePrefetch['urls'][number];

/** Names of a domain; whoever comes to one that forces HTTPS is served over that alone. */
export interface PrefetchedNames extends DomainNames {
  readonly forcesHttps: boolean;
}

/** What of a configuration makes several objects of one URL. */
export interface CachedVariants {
  readonly devices: readonly CacheDevice[];
  readonly languages: readonly string[];
}

/** What nodes are to ask themselves for. */
export interface PrefetchPlan extends CachedVariants {
  /** As they were given, each once. */
  readonly shown: string[];
  readonly urls: PrefetchUrl[];
  readonly hosts: string[];
  /** How many URLs were left out. */
  readonly leftOut: number;
  /** Requests of each node. */
  readonly visits: number;
}

/** As nginx takes them with room to spare; a path in another script has nine of them for each character. */
const TARGET_CHARACTERS_MAX = 4096;

interface CacheConfig {
  readonly global_disable_cache_completely?: boolean;
  readonly key?: { readonly by_device?: boolean; readonly languages?: readonly string[] };
}

/** By the plugin that caches; undefined where none does, or it keeps nothing. */
export function variantsOf(plugins: RouteConfig['plugins']): CachedVariants | undefined {
  const caching = plugins.find(({ name, enabled }) => enabled && findDefinition(name)?.phase === 'cache');
  const read = caching && findDefinition(caching.name)?.schema.safeParse(caching.config);
  if (!read?.success) return undefined;
  const { global_disable_cache_completely: isOff, key } = read.data as CacheConfig;
  if (isOff === true) return undefined;
  return { devices: key?.by_device === true ? DEVICES : [], languages: key?.languages ?? [] };
}

const schemeOf = (given: string): PrefetchUrl['scheme'] =>
  /^https:/i.test(given) ? 'https' : /^http:/i.test(given) ? 'http' : null;

/** Throws a code for what cannot be asked for. */
function readUrl(given: string, exact: readonly string[], domain: PrefetchedNames): PrefetchUrl {
  const read = CLEAR_READERS.urls(given);
  if (!read.ok) throw fieldErrors({ url: read.code });
  const { host, path, query } = read.value;
  if (host === null && exact.length === 0) throw fieldErrors({ url: 'CACHE_URL_NEEDS_HOST' });
  if (host !== null && !isHostOf(host, domain.names, domain.wildcardLevels))
    throw fieldErrors({ url: 'CACHE_URL_FOREIGN' }, { url: { name: host } });
  const target = query === '' ? path : `${path}?${query}`;
  if (target.length > TARGET_CHARACTERS_MAX)
    throw fieldErrors({ url: 'TOO_LONG' }, { url: { maximum: TARGET_CHARACTERS_MAX } });
  return { scheme: schemeOf(given.trim()) ?? (domain.forcesHttps ? 'https' : null), host, target };
}

/** The same at the place of the URL in the list. */
const placed = ({ fields, params }: AppError, place: number): AppError => {
  const moved = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.values(values).map((value) => [`urls.${place}`, value]));
  return fieldErrors(moved(fields) as Parameters<typeof fieldErrors>[0], moved(params));
};

/**
 * What a checked list means for a domain's nodes. Throws with a code at `urls.<n>` for URLs of other names, and PREFETCH_TOO_MANY at
 * `urls` where these come to more than 10,000 requests.
 * @param leavesOut URLs that can be asked for no longer are left out in place of that, unless all are: the list is older than the
 * names of the domain, or than a rule for URLs.
 */
export function planPrefetch(
  given: readonly string[],
  domain: PrefetchedNames,
  variants: CachedVariants,
  leavesOut = false,
): PrefetchPlan {
  const exact = domain.names.filter((name) => !name.startsWith('*.'));
  const shown: string[] = [];
  const urls = new Map<string, PrefetchUrl>();
  const refusals: AppError[] = [];
  for (const [place, value] of given.entries()) {
    try {
      const url = readUrl(value, exact, domain);
      const key = JSON.stringify(url);
      if (urls.has(key)) continue;
      urls.set(key, url);
      shown.push(value.trim());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push(placed(error, place));
    }
  }
  const [refusal] = refusals;
  if (refusal && (!leavesOut || urls.size === 0)) throw refusal;
  const each = Math.max(1, variants.devices.length) * Math.max(1, variants.languages.length);
  const asked = [...urls.values()].reduce(
    (sum, { scheme, host }) => sum + (scheme === null ? 2 : 1) * (host === null ? exact.length : 1),
    0,
  );
  const visits = asked * each;
  if (visits > PREFETCH_VISITS_MAX)
    throw fieldErrors({ urls: 'PREFETCH_TOO_MANY' }, { urls: { count: visits, maximum: PREFETCH_VISITS_MAX } });
  const isOfAll = [...urls.values()].some(({ host }) => host === null);
  return {
    ...variants,
    shown,
    urls: [...urls.values()],
    hosts: isOfAll ? exact : [],
    leftOut: refusals.length,
    visits,
  };
}

/** About so many characters of URLs stand in an event, so that what follows it in the stream of a node does not wait for long. */
const PART_CHARACTERS = 32 * 1024;

/** The URLs of each event. */
export function partsOf(urls: readonly PrefetchUrl[]): PrefetchUrl[][] {
  const parts: PrefetchUrl[][] = [[]];
  let characters = 0;
  for (const url of urls) {
    if (characters > PART_CHARACTERS) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(url);
    characters += url.target.length + (url.host?.length ?? 0) + 50;
  }
  return parts;
}
