import { keyedQuery } from '@cordon/plugin-kit/shared-cache';
import { invalidateAtShields, invalidateUrl, urlOf } from './cache-clears.ts';
import { keyOf, sliceKeyOf } from './cache-lookup.ts';
import { readObject, type StoredObject } from './cache-object.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { passedRoute } from './request-state.ts';

/**
 * Slices of two versions do not make a file (RFC 9110 15.3.7.3). What tells versions apart is a strong entity tag: nginx compares those
 * of the slices that it puts together, and breaks off what does not belong together. Here all slices of such a file are made void, so
 * that the next request gets the file.
 */

/** Entity tags of slices that are fetched, by URL: a memory that may forget. */
const tags = ngx.shared.cordon_learned as SharedDict;
const TAG_SECONDS = 86_400;

/** Whether it says of parts that they are of one file. */
export const isStrong = (tag: string | undefined): boolean => tag !== undefined && string.sub(tag, 1, 1) === '"';

/** For as long its slices come from the origin: a shield may have some of the older one. */
const PAST_SHIELD_SECONDS = 600;

/**
 * A slice of a URL was fetched, with this tag: another one than before makes all slices of the URL void. True: it is the one before the last again, as where several origins have tags of their
 * own for a file, which then comes as a whole.
 */
export function noteTag(route: PreparedRoute, variant: string, url: string, tag: string, isOfShield: boolean): boolean {
  const key = `tag ${route.id} ${variant} ${ngx.md5(url)}`;
  const [known = '', former] = ((tags.get(key) ?? '') as string).split('\n');
  if (known === tag) return false;
  tags.set(key, `${tag}\n${known}`, TAG_SECONDS);
  if (known === '') return false;
  invalidateUrl(route.id, url, true);
  if (!isOfShield) invalidateAtShields(route.id, route.czone, url, PAST_SHIELD_SECONDS);
  return former === tag;
}

const TAG_LINE = 'etag: ';

function tagOf({ head }: StoredObject): string {
  for (const line of head)
    if (string.lower(string.sub(line, 1, TAG_LINE.length)) === TAG_LINE) return string.sub(line, TAG_LINE.length + 1);
  return '';
}

/** `log_by_lua` of a file that was put together of slices: where one of them is of another version, it was broken off there. */
export function endSlices(this: void, scheme: string): void {
  const variables = ngx.var;
  // Of the first one: what is sent may be a plugin's.
  const tag = variables.upstream_http_etag;
  const route = passedRoute();
  if (variables.request_completion === 'OK' || tag === undefined || route === undefined || route.cache === undefined)
    return;
  const [host, target] = [variables.host ?? '', variables.cordon_cache_target ?? ''];
  const key = keyOf(variables.cordon_cache_prefix ?? '', scheme, host, target);
  const slice = readObject(route.cache.zone, sliceKeyOf(key, variables.slice_range ?? ''));
  if (slice === undefined || tagOf(slice) === tag) return;
  const query = variables.args ?? '';
  invalidateUrl(
    route.id,
    urlOf(host, variables.uri ?? '/', query === '' ? '' : keyedQuery(route.cache.key, query)),
    true,
  );
}
