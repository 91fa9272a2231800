import { expect, it } from 'vitest';
import { CLEAR_READERS, isHostOf, readClearPrefix, readClearTag, readClearUrl } from './cache-targets.ts';

const textOf = (input: string) => {
  const read = readClearUrl(input);
  if (!read.ok) return read.code;
  const { host, path, query } = read.value;
  return `${host ?? ''}${path}${query === '' ? '' : `?${query}`}`;
};

it.each([
  ['/a', '/a'],
  [' https://WWW.Example.com ', 'www.example.com/'],
  ['http://example.com:8080/a?x=1', 'example.com/a?x=1'],
  ['https://b\u00fccher.example./\u4f60', 'xn--bcher-kva.example/%E4%BD%A0'],
  ['/a//b/./c/../d/', '/a/b/d/'],
  ['/a/..', '/'],
  ['/%61%2Fb', '/a/b'],
  ['/a%20b c', '/a%20b%20c'],
  ['/%ff', '/%FF'],
  ['/100%25', '/100%25'],
  ['/a\\b', '/a%5Cb'],
  ['/a?q=\u00fc%2f', '/a?q=%C3%BC%2f'],
  ['/a?', '/a'],
  ['https://example.com?x', 'example.com/?x'],
  ['', 'REQUIRED'],
  ['a', 'CACHE_URL_INVALID'],
  ['//example.com/a', 'CACHE_URL_INVALID'],
  ['ftp://example.com/', 'CACHE_URL_INVALID'],
  ['https:///a', 'CACHE_URL_INVALID'],
  ['https://exa mple.com/', 'CACHE_URL_INVALID'],
  ['/..', 'CACHE_URL_INVALID'],
  ['/50%off', 'CACHE_URL_CHARACTERS'],
  ['https://example.com/50%', 'CACHE_URL_CHARACTERS'],
  ['/a%2', 'CACHE_URL_CHARACTERS'],
  ['/a%00', 'CACHE_URL_CHARACTERS'],
  ['/a%0ab', 'CACHE_URL_CHARACTERS'],
  ['/a\tb', 'CACHE_URL_CHARACTERS'],
  ['/a#b', 'CACHE_URL_FRAGMENT'],
  ['https://user@example.com/', 'URL_CREDENTIALS'],
])('reads the URL %j as nginx does: %s', (input, expected) => {
  expect(textOf(input)).toBe(expected);
});

it('reads prefixes without query, and tags without what parts them', () => {
  expect(readClearPrefix('https://example.com/a/')).toMatchObject({ ok: true, value: { path: '/a/' } });
  expect(readClearPrefix('/a?b')).toEqual({ ok: false, code: 'CACHE_PREFIX_QUERY' });
  expect(readClearTag(' a:1/b ')).toEqual({ ok: true, value: 'a:1/b' });
  for (const tag of ['*', 'product-*', 'a*b'])
    expect(readClearTag(tag)).toEqual({ ok: false, code: 'CACHE_TAG_PATTERN' });
  for (const tag of ['a,b', 'a b', '\u00fc', 'x'.repeat(129)])
    expect(readClearTag(tag)).toEqual({ ok: false, code: 'CACHE_TAG_INVALID' });
});

it.each([
  ['/assets/*', '/assets/'],
  [' /img** ', '/img'],
  ['https://example.com/*', '/'],
  ['/a%2Ab/*', '/a*b/'],
  ['/a%2A', '/a*'],
  ['*', 'CACHE_URL_INVALID'],
  ['/*?*', 'CACHE_PREFIX_QUERY'],
  ['/*/site.css', 'CACHE_URL_PATTERN'],
  ['/assets/*.css', 'CACHE_URL_PATTERN'],
  ['/a*b/*', 'CACHE_URL_PATTERN'],
  ['https://*.shop.example/a/', 'CACHE_URL_PATTERN'],
])('takes asterisks at the end of the prefix %j for what it means without: %s', (input, expected) => {
  const read = readClearPrefix(input);
  expect(read.ok ? read.value.path : read.code).toBe(expected);
});

it('leaves the host of a prefix as it is', () => {
  expect(readClearPrefix('https://example.com*')).not.toMatchObject({ value: { host: 'example.com' } });
});

it.each([
  ['/assets/*', false],
  ['https://example.com/img* ', false],
  ['/a?*', false],
  ['/a*b', false],
  ['/assets/*.css?v=1', false],
  ['https://*.shop.example/a', false],
  ['/a%2A', true],
  ['/a?q=*', true],
])('takes the URL %j of a list for a pattern, or for what it is: %s', (input, isUrl) => {
  const pattern = { ok: false, code: 'CACHE_URL_PATTERN' };
  expect(CLEAR_READERS.urls(input)).toMatchObject(isUrl ? { ok: true } : pattern);
  // One that is tried is no list.
  expect(readClearUrl(input).ok).toBe(true);
});

it('knows the hosts of a domain, those of its wildcards too', () => {
  const names = ['example.com', '*.shop.example'];
  const own = (host: string, levels?: 'one' | 'all') => isHostOf(host, names, levels);
  expect(['example.com', 'a.shop.example'].map((host) => own(host))).toEqual([true, true]);
  expect(['www.example.com', 'shop.example', 'a.b.shop.example'].map((host) => own(host))).toEqual([
    false,
    false,
    false,
  ]);
  expect(own('a.b.shop.example', 'all')).toBe(true);
});
