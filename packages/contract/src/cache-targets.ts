import type { FieldErrorCode } from './errors.ts';
import { answersFor, candidateNames } from './host-name.ts';

/** Values of one call. */
export const CLEAR_VALUES_MAX = 500;
/** Of them, where they are tags. */
export const CLEAR_TAGS_MAX = 100;
/** Values that a task may clear, each once for each of its domains. */
export const TASK_CLEARS_MAX = 5_000;
/** URLs of a prefetch, and of a list that is fetched after deploys. */
export const PREFETCH_URLS_MAX = 500;
export const PREFETCH_LIST_URLS_MAX = 100;
/** Requests that a prefetch may come to on each node. */
export const PREFETCH_VISITS_MAX = 10_000;
/** Prefetches of an account that run. */
export const PREFETCHES_MAX = 3;

/** What a URL of a clear means: `host` null is every exact name of the domain. */
export interface ClearUrl {
  readonly host: string | null;
  /** Without dot segments and doubled slashes, as nginx reads it, percent-encoded in one form. */
  readonly path: string;
  /** Without question mark; empty where there is none. */
  readonly query: string;
}

type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: FieldErrorCode };

const fail = (code: FieldErrorCode) => ({ ok: false, code }) as const;

/** Written as they are: RFC 3986 3.3 `pchar`, and the slash. */
const PLAIN = /^[\w.~!$&'()*+,;=:@/-]$/;

/** The path as bytes, each a character; undefined for what no request can ask for, and for control characters. */
function decodePath(path: string): string | undefined {
  let bytes = '';
  for (const byte of new TextEncoder().encode(path)) bytes += String.fromCharCode(byte);
  if (/%(?![\da-f]{2})/i.test(bytes)) return undefined;
  const decoded = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\0-\x1f\x7f]/.test(decoded) ? undefined : decoded;
}

/** As nginx does (`merge_slashes`); undefined above the root. */
function resolvePath(decoded: string): string | undefined {
  const kept: string[] = [];
  const segments = decoded.split('/').slice(1);
  for (const [place, segment] of segments.entries()) {
    const isLast = place === segments.length - 1;
    if (segment === '..' && kept.pop() === undefined) return undefined;
    const isDots = segment === '.' || segment === '..';
    if (isLast) kept.push(isDots ? '' : segment);
    else if (!isDots && segment !== '') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

const encodePath = (bytes: string): string =>
  [...bytes]
    .map((byte) => (PLAIN.test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');

/** Path and query as they are sent, after what stands before them was taken off. */
function readTarget(host: string | null, target: string): Read<ClearUrl> {
  const mark = target.indexOf('?');
  const decoded = decodePath(mark < 0 ? target : target.slice(0, mark));
  if (decoded === undefined) return fail('CACHE_URL_CHARACTERS');
  const path = resolvePath(decoded);
  if (path === undefined) return fail('CACHE_URL_INVALID');
  // Browsers encode what is outside of ASCII in it, and leave the rest.
  const query = mark < 0 ? '' : new URL(`http://host/?${target.slice(mark + 1)}`).search.slice(1);
  return { ok: true, value: { host, path: encodePath(path), query } };
}

/**
 * Reads a URL of which the cache is to be cleared: absolute (http or https; a port does not matter, names may be written in any
 * script) or a path. Whether its host is the domain's, `isHostOf` knows.
 */
export function readClearUrl(input: string): Read<ClearUrl> {
  const typed = input.trim();
  if (typed === '') return fail('REQUIRED');
  if (/[\s\p{Cc}]/u.test(typed.replaceAll(' ', ''))) return fail('CACHE_URL_CHARACTERS');
  if (typed.includes('#')) return fail('CACHE_URL_FRAGMENT');
  if (/^\/(?!\/)/.test(typed)) return readTarget(null, typed);
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?\\]*)(.*)$/i.exec(typed) ?? [];
  if (authority === '') return fail('CACHE_URL_INVALID');
  if (authority.includes('@')) return fail('URL_CREDENTIALS');
  try {
    const host = new URL(`http://${authority}`).hostname.replace(/\.$/, '');
    return readTarget(host, rest.startsWith('/') ? rest : `/${rest}`);
  } catch {
    return fail('CACHE_URL_INVALID');
  }
}

/**
 * Reads a URL of a list. An asterisk in its host or path, or alone behind its question mark, is meant as a pattern, which nothing
 * is cleared by; one that its path has is written `%2A`.
 */
function readListedUrl(input: string): Read<ClearUrl> {
  return /^[^?]*(?:\*|\?\*$)/.test(input.trim()) ? fail('CACHE_URL_PATTERN') : readClearUrl(input);
}

/**
 * Reads the beginning of a path, or an absolute URL without query, of which the path counts. Asterisks at its end say again that
 * it is a beginning; before that they are patterns, as in URLs of a list.
 */
export function readClearPrefix(input: string): Read<ClearUrl> {
  if (input.includes('?')) return fail('CACHE_PREFIX_QUERY');
  const typed = input.trim();
  if (!/^(?:https?:\/\/[^/]+)?\//i.test(typed)) return readClearUrl(typed);
  let end = typed.length;
  while (typed[end - 1] === '*') end -= 1;
  return readListedUrl(typed.slice(0, end));
}

/** Characters of a tag of answers (`Cache-Tag`, `Surrogate-Key`). */
export const CACHE_TAG_CHARACTERS_MAX = 128;

/**
 * Reads a tag: visible characters of ASCII but the comma, which parts tags, as blanks do, and the asterisk, which is meant as a
 * pattern: tags are matched whole.
 */
export function readClearTag(input: string): Read<string> {
  const tag = input.trim();
  if (tag === '') return fail('REQUIRED');
  if (tag.includes('*')) return fail('CACHE_TAG_PATTERN');
  if (tag.length > CACHE_TAG_CHARACTERS_MAX || !/^[!-+\--~]+$/.test(tag)) return fail('CACHE_TAG_INVALID');
  return { ok: true, value: tag };
}

/** How a value of each kind is read. */
export const CLEAR_READERS = { urls: readListedUrl, prefixes: readClearPrefix, tags: readClearTag } as const;

/** Whether a domain with these names, wildcards among them, answers for the host. */
export const isHostOf = (host: string, names: readonly string[], levels: 'one' | 'all' | undefined): boolean =>
  candidateNames(host).some((name) => names.includes(name) && answersFor(name, host, levels));
