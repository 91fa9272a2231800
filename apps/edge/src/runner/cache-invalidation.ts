import { isSlicedFile, keyedQuery } from '@cordon/plugin-kit/shared-cache';
import { clearsOf, invalidateUrl, isBeingFetched, numberOfUrl, urlOf } from './cache-clears.ts';
import { prefixOf } from './cache-key.ts';
import { keyOf } from './cache-lookup.ts';
import { isStored } from './cache-object.ts';
import type { EncodingClass } from './encoding-class.ts';
import { caching, type PreparedCache, type PreparedRoute } from './prepared-route.ts';
import { passedRoute } from './request-state.ts';
import { noteChanged } from './shield-state.ts';

/**
 * What a request may have changed is not served from the cache any more (RFC 9111 4.4): an answer that is no error, to a method that
 * is not safe, invalidates its URL, and those that Location and Content-Location name of the same scheme, host and port.
 */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];
const CLASSES: readonly EncodingClass[] = ['b', 'g', '-'];
const SCHEMES = ['http', 'https'];

/** Whether there is anything to invalidate: of most requests with such methods nothing is stored, and nothing has to be remembered. */
function isKept(
  route: PreparedRoute,
  cache: PreparedCache,
  host: string,
  path: string,
  target: string,
  url: string,
): boolean {
  if (isBeingFetched(route.id, url)) return true;
  // Which variants or slices there are is not known.
  if (cache.hasVariants || isSlicedFile(path)) return true;
  const number = numberOfUrl(route.id, url);
  for (const encoding of CLASSES) {
    const prefix = prefixOf({ ...cache, clears: clearsOf(route.id) }, number, '', encoding);
    for (const scheme of SCHEMES) if (isStored(cache.zone, keyOf(prefix, scheme, host, target))) return true;
  }
  return false;
}

function invalidate(route: PreparedRoute, cache: PreparedCache, host: string, target: string): void {
  const [at] = string.find(target, '?', 1, true);
  const path = at === undefined ? target : string.sub(target, 1, at - 1);
  const query = at === undefined ? '' : keyedQuery(cache.key, string.sub(target, at + 1));
  const url = urlOf(host, ngx.unescape_uri(path), query);
  const keyed = query === '' ? path : `${path}?${query}`;
  noteChanged(route.id, route.czone, url);
  if (isKept(route, cache, host, path, keyed, url)) invalidateUrl(route.id, url);
}

/** Host and port without one that the scheme has anyway. */
const authorityOf = (scheme: string, text: string): string =>
  string.gsub(string.lower(text), scheme === 'https' ? ':443$' : ':80$', '')[0];

/** The path and query of a reference to the same scheme, host and port; undefined where it leads elsewhere. */
function targetOnOrigin(reference: string, scheme: string, authority: string, directory: string): string | undefined {
  const [fragment] = string.find(reference, '#', 1, true);
  const text = fragment === undefined ? reference : string.sub(reference, 1, fragment - 1);
  if (text.startsWith('//')) return targetOnOrigin(`${scheme}:${text}`, scheme, authority, directory);
  if (string.find(text, '^%a[%w+.-]*:')[0] !== undefined) {
    const [, , named, place, rest] = string.find(text, '^(%a+)://([^/?]*)(.*)$');
    if (named === undefined || string.lower(named as string) !== scheme) return undefined;
    if (authorityOf(scheme, place as string) !== authority) return undefined;
    return (rest as string).startsWith('/') ? (rest as string) : `/${rest as string}`;
  }
  return text.startsWith('/') ? text : `${directory}${text}`;
}

const directoryOf = (path: string): string => string.match(path, '^.*/')[0] ?? '/';

/** In the header filter of what an origin answers. */
export function invalidateByAnswer(): void {
  if (!caching.ofAny || ngx.status >= 400 || SAFE_METHODS.includes(ngx.req.get_method())) return;
  const route = passedRoute();
  if (route === undefined || route.cache === undefined) return;
  const host = ngx.var.host ?? '';
  const target = ngx.var.request_uri ?? '/';
  const scheme = ngx.var.scheme ?? 'http';
  const authority = authorityOf(scheme, ngx.var.http_host ?? '');
  const directory = directoryOf(ngx.var.uri ?? '/');
  invalidate(route, route.cache, host, target);
  for (const name of ['Location', 'Content-Location']) {
    const reference = ngx.header[name];
    const other = typeof reference === 'string' ? targetOnOrigin(reference, scheme, authority, directory) : undefined;
    if (other !== undefined && other !== target) invalidate(route, route.cache, host, other);
  }
}
