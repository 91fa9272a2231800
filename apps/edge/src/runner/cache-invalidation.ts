import { isSlicedFile, keyedQuery } from '@cordon/plugin-kit/shared-cache';
import { clearsOf, invalidateAtShields, invalidateUrl, numberOfUrl, urlOf } from './cache-clears.ts';
import { prefixOf } from './cache-key.ts';
import { keyOf } from './cache-lookup.ts';
import { isStored } from './cache-object.ts';
import { isBeingFetched } from './cache-under-way.ts';
import type { EncodingClass } from './encoding-class.ts';
import { caching, type PreparedCache, type PreparedRoute } from './prepared-route.ts';
import { readPath } from './request-parts.ts';
import { passedRoute } from './request-state.ts';

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
  target: string,
  url: string,
  isFile: boolean,
): boolean {
  if (isBeingFetched(route.id, url)) return true;
  // Which variants or slices there are is not known.
  if (cache.hasVariants || isFile) return true;
  const number = numberOfUrl(route.id, url, false);
  for (const encoding of CLASSES) {
    const prefix = prefixOf({ ...cache, clears: clearsOf(route.id) }, number, '', encoding);
    for (const scheme of SCHEMES) if (isStored(cache.zone, keyOf(prefix, scheme, host, target))) return true;
  }
  return false;
}

const pathOf = (target: string): string => string.match(target, '^[^?]*')[0] ?? '';

/** A path as nginx reads it: without escapes (a `+` is one), slashes in a row and segments of dots. */
function plainPath(path: string): string {
  const kept: string[] = [];
  const segments = ngx.unescape_uri(string.gsub(path, '%+', '%%2B')[0]).split('/');
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at] as string;
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (at === segments.length - 1) kept.push(isDots ? '' : segment);
    else if (!isDots && segment !== '') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** @param plain The path of the target as nginx reads it. */
function invalidate(route: PreparedRoute, cache: PreparedCache, host: string, target: string, plain: string): void {
  const path = pathOf(target);
  const query = path === target ? '' : keyedQuery(cache.key, string.sub(target, path.length + 2));
  const url = urlOf(host, plain, query);
  const isFile = isSlicedFile(plain);
  const keyed = query === '' ? path : `${path}?${query}`;
  invalidateAtShields(route.id, route.czone, url);
  if (isKept(route, cache, host, keyed, url, isFile)) invalidateUrl(route.id, url, isFile);
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
  invalidate(route, route.cache, host, target, readPath());
  for (const name of ['Location', 'Content-Location']) {
    const reference = ngx.header[name];
    const other = typeof reference === 'string' ? targetOnOrigin(reference, scheme, authority, directory) : undefined;
    if (other !== undefined && other !== target) invalidate(route, route.cache, host, other, plainPath(pathOf(other)));
  }
}
