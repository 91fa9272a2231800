import { type CacheTryInput, type EdgeLook, type EdgeRoute, isHostOf, readClearUrl } from '@cordon/contract';
import { fieldErrors } from '../../platform/errors.ts';
import { visitedHost } from './trace-service.ts';

/** A request for a URL that is tried in the cache, as a browser would send it. */
export interface TriedRequest {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** As it is sent, without query, and as nginx reads it, percent-encoded. */
  readonly sentPath: string;
  readonly path: string;
  readonly query: string;
  readonly headers: EdgeLook['headers'];
}

/** Names of kinds of devices as their browsers write them. */
const AGENTS = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64) Cordon-Try/1.0',
  mobile: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Cordon-Try/1.0',
  tablet: 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Cordon-Try/1.0',
} as const;

/** Browsers take Brotli over TLS alone. */
const ENCODINGS = { http: 'gzip, deflate', https: 'gzip, deflate, br, zstd' } as const;

/** As nodes take it (`edgeLook`). */
const TARGET_BYTES_MAX = 8192;

/** Of the exchange between node and visitor, or of Cordon itself: another value would mean another request. */
const OWN_FIELDS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|cdn-loop|range|if-.*|cordon-.*|x-accel-.*|x-forwarded-.*|x-real-ip|forwarded)$/i;

function headersOf({ device, language, headers }: CacheTryInput, scheme: 'http' | 'https'): EdgeLook['headers'] {
  const own: EdgeLook['headers'] = [
    { name: 'User-Agent', value: AGENTS[device] },
    { name: 'Accept', value: '*/*' },
    { name: 'Accept-Encoding', value: ENCODINGS[scheme] },
    ...(language === '' ? [] : [{ name: 'Accept-Language', value: language }]),
  ];
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  return [...own.filter(({ name }) => !given.has(name.toLowerCase())), ...headers];
}

/**
 * Reads what is tried, as clears read URLs. Throws at `url` for what is none, and for names that the domain does not answer for, and at
 * `headers.<n>.name` for fields that are not a visitor's to choose.
 */
export function readTriedRequest(
  input: CacheTryInput,
  domainName: string,
  route: Pick<EdgeRoute, 'hosts' | 'wildcard_levels'>,
): TriedRequest {
  const read = readClearUrl(input.url);
  if (!read.ok) throw fieldErrors({ url: read.code });
  const names = route.hosts.map(({ name }) => name);
  const { host: named, path, query } = read.value;
  if (named !== null && !isHostOf(named, names, route.wildcard_levels))
    throw fieldErrors({ url: 'CACHE_URL_FOREIGN' }, { url: { name: named } });
  const [, stated] = /^(https?):/i.exec(input.url.trim()) ?? [];
  const scheme = stated === undefined ? input.scheme : stated.toLowerCase() === 'http' ? 'http' : 'https';
  const foreign = input.headers.findIndex(({ name }) => OWN_FIELDS.test(name));
  if (foreign >= 0) throw fieldErrors({ [`headers.${foreign}.name`]: 'NOT_ALLOWED' });
  const host = named ?? visitedHost(domainName);
  const typed = input.url.trim();
  const target = named === null ? typed : typed.replace(/^https?:\/\/[^/?]*/i, '');
  // What a browser sends of it: dots resolved, and encoded where it has to be.
  const sent = new URL(`http://host${target.startsWith('/') ? '' : '/'}${target}`);
  if (sent.pathname.length + query.length >= TARGET_BYTES_MAX) throw fieldErrors({ url: 'TOO_LONG' });
  return { scheme, host, sentPath: sent.pathname, path, query, headers: headersOf(input, scheme) };
}
