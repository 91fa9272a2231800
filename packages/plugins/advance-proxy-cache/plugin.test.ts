import { fieldErrorsOf } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

const parse = (config: z.input<typeof schema> = {}) => schema.parse(config);
const faultsOf = (config: unknown) => {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
};

it('starts with the defaults of the specification (section 3)', () =>
  expect(parse()).toEqual({
    enable_cache_control: false,
    global_default_caching: true,
    global_disable_cache_completely: false,
    global_custom_caching: false,
    cache_ttl: 7200,
    request_method: ['GET', 'HEAD', 'OPTIONS'],
    response_code: [200, 301, 302],
    content_type: ['css', 'image', 'javascript', 'audio'],
    bypass_rules: [],
    cache_reusable: true,
    key: { query: 'all', query_names: [], sort_query: false, by_device: false, languages: [] },
  }));

describe('of the three choices', () => {
  it('one is needed', () =>
    expect(faultsOf({ global_default_caching: false })).toEqual({ global_default_caching: 'CACHE_MODE_REQUIRED' }));

  it.each([
    [{ global_custom_caching: true }, 'global_custom_caching'],
    [{ global_disable_cache_completely: true }, 'global_disable_cache_completely'],
    [
      { global_default_caching: false, global_custom_caching: true, global_disable_cache_completely: true },
      'global_disable_cache_completely',
    ],
  ])('no second one is taken: %j', (config, field) =>
    expect(faultsOf(config)).toEqual({ [field]: 'CACHE_MODE_SECOND' }),
  );

  it.each(['global_custom_caching', 'global_disable_cache_completely'])('%s alone is taken', (mode) =>
    expect(faultsOf({ global_default_caching: false, [mode]: true })).toEqual({}),
  );
});

describe('content types', () => {
  it('are words, families and media types, however they are written', () =>
    expect(parse({ content_type: ['CSS', 'image/*', 'Application/LD+JSON', 'font'] }).content_type).toEqual([
      'css',
      'image',
      'application/ld+json',
      'font',
    ]));

  it('are nothing else, and each there once', () => {
    expect(faultsOf({ content_type: ['pdf', 'text/html; charset=utf-8', '*/*', 'a/b/c'] })).toEqual({
      'content_type.0': 'MEDIA_TYPE_INVALID',
      'content_type.1': 'MEDIA_TYPE_INVALID',
      'content_type.2': 'MEDIA_TYPE_INVALID',
      'content_type.3': 'MEDIA_TYPE_INVALID',
    });
    expect(faultsOf({ content_type: ['image', 'image/*'] })).toEqual({ 'content_type.1': 'DUPLICATE_ENTRY' });
  });
});

it('refuses response codes and methods as the other plugin does (spec section 5)', () =>
  expect(faultsOf({ response_code: [99], request_method: ['PUT'] })).toEqual({
    'response_code.0': 'STATUS_CODE_INVALID',
    'request_method.0': 'METHOD_NOT_CACHEABLE',
  }));

it.each<[z.input<typeof schema>, string, object]>([
  [
    {},
    'summary.default',
    { types: { list: ['css', 'image', 'javascript', 'audio'] }, typeCount: 4, rest: 0, number: 2, unit: 'h' },
  ],
  [
    {
      global_default_caching: false,
      global_custom_caching: true,
      content_type: ['css', 'image', 'audio', 'video', 'font'],
      cache_ttl: 86_400,
    },
    'summary.custom',
    { types: { list: ['css', 'image', 'audio', 'video'] }, typeCount: 5, rest: 1, number: 1, unit: 'd' },
  ],
  [{ global_default_caching: false, global_disable_cache_completely: true }, 'summary.off', {}],
])('sums up whose word holds: %j', (config, message, params) =>
  expect(definition.summary(parse(config))).toMatchObject({ message, params }),
);

it('remarks on the key, and on nothing where nothing is kept', () => {
  const config = { request_method: ['GET' as const], key: { query: 'none' as const } };
  expect(definition.notices(parse(config))).toEqual([
    { path: 'key.query', message: 'notices.query_ignored', params: {} },
  ]);
  const off = { ...config, global_default_caching: false, global_disable_cache_completely: true };
  expect(definition.notices(parse(off))).toEqual([]);
});
