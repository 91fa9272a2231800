import { DIGEST_FIELDS, isCompressible } from '@cordon/plugin-kit/shared-cache';
import { newMemory, remember } from './worker-memory.ts';

/**
 * Compression of answers of origins on their way to visitors, by nginx's filters (nginx.conf.template), which come after the runner's: what
 * they must leave as it is (RFC 9110 7.7), and `Vary`, which they would name twice.
 */

/** `respelled`: of parameters, nginx knows `charset` alone, and takes others for a part of the type. */
type TypeKind = 'yes' | 'no' | 'respelled';
const kinds = newMemory<string, TypeKind>(1000);

function classify(type: string): TypeKind {
  if (!isCompressible(200, type, '', undefined, false)) return 'no';
  const [semicolon] = string.find(type, ';', 1, true);
  const [charset] = string.find(string.lower(type), '^[^;]*; *charset=');
  return semicolon === undefined || charset !== undefined ? 'yes' : 'respelled';
}

const kindOf = (type: string): TypeKind => kinds.entries.get(type) ?? remember(kinds, type, classify(type));

/** All lines of a field of the answer that is being sent, as one; empty where there is none. */
function fieldOf(name: string): string {
  const value = ngx.header[name] as string | number | string[] | undefined;
  if (value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : value.join(', ');
}

const hasText = (text: string, part: string): boolean => string.find(text, part, 1, true)[0] !== undefined;

const hasWord = (text: string, word: string): boolean => hasText(string.lower(text), word);

/** Has nginx leave an answer as it is. */
export function leaveAsItIs(): void {
  if (ngx.var.http_accept_encoding !== undefined) ngx.req.clear_header('Accept-Encoding');
}

function hasDigest(): boolean {
  for (const name of DIGEST_FIELDS) if (ngx.header[name] !== undefined) return true;
  return false;
}

const mustStay = (): boolean =>
  hasWord(fieldOf('Cache-Control'), 'no-transform') ||
  hasWord(fieldOf('CDN-Cache-Control'), 'no-transform') ||
  hasDigest();

function nameEncoding(): void {
  const vary = fieldOf('Vary');
  if (vary === '') ngx.header.Vary = 'Accept-Encoding';
  else if (vary !== '*' && !hasWord(vary, 'accept-encoding')) ngx.header.Vary = `${vary}, Accept-Encoding`;
}

/** In the header filter, once all else of the answer is set: says by what it differs, also to those who get it as it is. */
export function negotiateCoding(): void {
  const type = fieldOf('Content-Type');
  const kind = type === '' ? 'no' : kindOf(type);
  if (kind === 'no') return;
  const stays = mustStay();
  const length = tonumber(fieldOf('Content-Length'));
  if (!isCompressible(ngx.status, 'text/html', fieldOf('Content-Encoding'), length, stays)) {
    if (stays) leaveAsItIs();
    return;
  }
  if (kind === 'respelled') ngx.header['Content-Type'] = type;
  nameEncoding();
}

/**
 * The same of 304 (RFC 9110 15.4.5), where it does not say that its 200 would not be compressed: most name no type, and no length. It names
 * the very form that the visitor has: where that is a compressed one, its entity tag is weak, though its origin knows a strong one.
 */
export function negotiateUnmodified(): void {
  const tag = fieldOf('ETag');
  const isCompressed = tag !== '' && !tag.startsWith('W/') && hasText(ngx.var.http_if_none_match ?? '', `W/${tag}`);
  if (isCompressed) ngx.header.ETag = `W/${tag}`;
  const type = fieldOf('Content-Type');
  const isPlain = mustStay() || fieldOf('Content-Encoding') !== '' || (type !== '' && kindOf(type) === 'no');
  if (isCompressed || !isPlain) nameEncoding();
}
