import { parseAddress } from '@cordon/contract/address';
import { describe, expect, it } from 'vitest';
import { cacheFields } from '../cache-settings.ts';
import type { CacheBypassRule, CacheSettings, EdgeContext } from './context.ts';
import { edgeKit } from './kit.ts';
import { createPlainContext, createPlainState } from './plain-context.ts';

const settings: CacheSettings = {
  request_method: ['GET', 'HEAD', 'OPTIONS'],
  bypass_rules: [],
  cache_reusable: true,
  key: { query: 'all', query_names: [], sort_query: false, by_device: false, languages: [] },
};
const withRules = (...rules: CacheBypassRule[]) => edgeKit.cacheRules({ ...settings, bypass_rules: rules });

const request = (cookies = 'session=1'): EdgeContext =>
  createPlainContext(
    {
      method: 'GET',
      scheme: 'https',
      host: 'www.example.com',
      path: '/a',
      query: 'q=1',
      headers: [
        { name: 'X-Mode', value: 'live' },
        { name: 'Cookie', value: cookies },
      ],
      clientAddress: parseAddress('203.0.113.7') ?? { family: 4, words: [0] },
      country: '',
      crawler: '',
      now: 0,
    },
    createPlainState(),
  );

it('keeps answers to GET and HEAD only, whatever is listed', () => {
  const { isKeptMethod } = edgeKit.cacheRules({ ...settings, request_method: ['HEAD', 'OPTIONS', 'POST'] });
  expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'constructor'].filter(isKeptMethod)).toEqual(['HEAD']);
});

it('has a stale answer serve for a day while its origin fails, and not at all where it is not to be reused', () => {
  expect(edgeKit.cacheRules(settings).staleIfErrorSeconds).toBe(86_400);
  expect(edgeKit.cacheRules({ ...settings, cache_reusable: false }).staleIfErrorSeconds).toBe(0);
});

it('has the key as the cache reads it', () => {
  const key = { query: 'only', query_names: ['q'], sort_query: true, by_device: true, languages: ['en'] } as const;
  expect(edgeKit.cacheRules({ ...settings, key }).key).toEqual({
    query: 'only',
    queryNames: ['q'],
    sortsQuery: true,
    byDevice: true,
    languages: ['en'],
  });
});

describe('a request that has cost all that it may', () => {
  // As long as no pattern may be searched for any more: each look at the text takes steps of its own.
  const spent = () => {
    const ctx = request();
    while (ctx.spendOn('', 100_000, 0));
    while (ctx.spendOn('', 100, 0));
    while (ctx.spendOn('', 1, 0));
    return ctx;
  };

  it.each<[string, CacheBypassRule]>([
    ['a path', { on: 'path', pattern: 'none' }],
    ['an argument', { on: 'argument', name: 'q', pattern: 'none' }],
    ['a cookie', { on: 'cookie', name: 'session', pattern: 'none' }],
    ['a header', { on: 'header', name: 'X-Mode', pattern: 'none' }],
  ])('counts as one that a rule on %s is for', (_, rule) => {
    expect(withRules(rule).bypasses(request())).toBe(false);
    expect(withRules(rule).bypasses(spent())).toBe(true);
  });
});

it('takes more cookies of a name than are looked at for one that the rule is for', () => {
  const { bypasses } = withRules({ on: 'cookie', name: 'session', pattern: 'none' });
  const cookies = (count: number) => Array.from({ length: count }, (_, index) => `session=${index}`).join('; ');
  expect(bypasses(request(cookies(100)))).toBe(false);
  expect(bypasses(request(cookies(3000)))).toBe(true);
});

it('refuses a rule that it does not know, instead of taking it for another', () =>
  expect(() => withRules({ on: 'country', name: 'x', pattern: '' } as never)).toThrow());

it('reads what the schema gives', () => {
  const fields = cacheFields();
  const given: CacheSettings = {
    request_method: fields.request_method.parse(undefined),
    bypass_rules: fields.bypass_rules.parse([{ on: 'cookie', name: 'session' }]),
    cache_reusable: fields.cache_reusable.parse(undefined),
    key: fields.key.parse(undefined),
  };
  expect(edgeKit.cacheRules(given).bypasses(request())).toBe(true);
});
