import { add_header } from 'ngx.resp';
import { fieldOf, type StoredObject, storedFields, storedName } from './cache-object.ts';

/** Fields of the answer that the fetching server is sending, beside those that are stored. */

/** All values of a field of the answer that is being sent. */
export function answerField(name: string): readonly string[] {
  const value = ngx.header[name] as string | number | string[] | undefined;
  if (value === undefined) return [];
  if (typeof value === 'string' || typeof value === 'number') return [`${value}`];
  return value;
}

/** The fields of an answer to a validation, and where it has none of a name, those that are stored (RFC 9111 3.2). */
export function mergedField(stored: StoredObject, name: string): readonly string[] {
  const values = answerField(name);
  if (values.length > 0) return values;
  const known = fieldOf(stored, storedName(name));
  return known === undefined ? [] : [known];
}

/** Between a proxy and who asks it: never stored (RFC 9111 3.1). */
const PROXY_FIELDS = ['proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'];

/** What only the fetching server may say, and what is for this hop only. */
export function withholdInternal(): void {
  for (const [name] of ngx.resp.get_headers(0)) {
    const lower = string.lower(name);
    if (string.sub(lower, 1, 7) === 'cordon-' || PROXY_FIELDS.includes(lower)) ngx.header[name] = undefined;
  }
}

/** Fields that belong to the exchange, or that nginx and the runner write themselves. */
const EXCHANGE_FIELDS = new LuaSet<string>();
for (const name of [
  ...[
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
    'content-range',
    'date',
    'age',
    'server',
    'expires',
  ],
  ...['x-accel-expires', 'x-accel-redirect', 'cache-status'],
])
  EXCHANGE_FIELDS.add(name);

const isExchangeField = (name: string): boolean => EXCHANGE_FIELDS.has(name) || string.sub(name, 1, 7) === 'cordon-';

/** What two tags have in common that are weakly equal (RFC 9110 8.8.3.2). */
export const opaqueOf = (tag: string): string => (tag.startsWith('W/') ? string.sub(tag, 3) : tag);

/**
 * What is compressed has a weak entity tag, where its origin has a strong one (RFC 9110 8.8.3.2), and what can be compressed says in Vary
 * that it differs (`setVary` of cache-fetch.ts).
 */
function isSame(name: string, known: string | undefined, value: string): boolean {
  if (known === value) return true;
  if (name === 'vary') return known === `${value}, Accept-Encoding`;
  return name === 'etag' && known !== undefined && opaqueOf(known) === opaqueOf(value);
}

export function hasNewFields(stored: StoredObject): boolean {
  for (const [name, value] of ngx.resp.get_headers(0)) {
    const text = typeof value === 'string' ? value : (value as string[]).join(', ');
    if (!isExchangeField(name) && !isSame(name, fieldOf(stored, storedName(name)), text)) return true;
  }
  const expires = answerField('expires')[0];
  return expires !== undefined && fieldOf(stored, 'expires')?.length !== expires.length;
}

/** Whether an answer to a validation names another strong entity tag: it is not of what is stored (RFC 9111 4.3.4). */
export function isOfAnother(stored: StoredObject): boolean {
  const [tag] = answerField('etag');
  const known = fieldOf(stored, 'etag');
  return tag !== undefined && known !== undefined && !tag.startsWith('W/') && tag !== opaqueOf(known);
}

/** Whether an answer to a validation varies by other fields than what is stored. */
export function isVariedAnew(stored: StoredObject): boolean {
  const values = answerField('vary');
  return values.length > 0 && !isSame('vary', fieldOf(stored, storedName('vary')) ?? '', values.join(', '));
}

/** Gives the answer what is stored and it does not have (RFC 9111 3.2). */
export function restoreFields(stored: StoredObject): void {
  const answered = ngx.resp.get_headers(0);
  for (const { name, value } of storedFields(stored)) {
    const visible = name === 'cordon-cache-control' ? 'cache-control' : name === 'cordon-vary' ? 'vary' : name;
    const isOwn = name === 'cache-control' || name === 'vary' || (visible === name && isExchangeField(name));
    if (!isOwn && answered.get(visible) === undefined) add_header(visible, value);
    // Those of the very form that is stored.
    if (name === 'etag') ngx.header.ETag = value;
    if (name === 'content-range') ngx.header['Content-Range'] = value;
  }
}
