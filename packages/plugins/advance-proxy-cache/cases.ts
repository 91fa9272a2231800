import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

/** What the field Cache-Status (RFC 9211) tells. */
const says = (status: string) => ({ verdict: 'pass', answer: { fields: { 'cache-status': status } } }) as const;
const stored = (seconds = 7200, status = 200) =>
  says(`Cordon; fwd=uri-miss; fwd-status=${status}; stored; ttl=${seconds}`);
const unstored = (reason: string, status = 200) => says(`Cordon; fwd=uri-miss; fwd-status=${status}; detail=${reason}`);
const bypass = (reason: string) => says(`Cordon; fwd=bypass; detail=${reason}`);

const custom = { global_default_caching: false, global_custom_caching: true } as const;
const off = { global_default_caching: false, global_disable_cache_completely: true } as const;
const ofType = (type: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { 'Content-Type': type, ...headers },
});

const DEFAULT: readonly Case[] = [
  ...[
    'text/css',
    'text/javascript; charset=utf-8',
    'application/javascript',
    'application/x-javascript',
    'image/png',
    'audio/mpeg',
  ].map(
    (type): Case => ({
      name: `an answer of type ${type} is kept for the default cache time, whatever its path`,
      config: {},
      request: { path: '/any' },
      origin: ofType(type),
      expect: stored(),
    }),
  ),
  ...['text/html', 'application/json', 'video/mp4'].map(
    (type): Case => ({
      name: `one of type ${type} is not`,
      config: {},
      request: { path: '/any' },
      origin: ofType(type),
      expect: unstored('no_lifetime'),
    }),
  ),
  {
    name: 'the lifetime that the origin states holds for every type and status',
    config: {},
    request: {},
    origin: { status: 404, ...ofType('text/html', { 'Cache-Control': 'max-age=60' }) },
    expect: stored(60, 404),
  },
  {
    name: 'also in place of the default cache time',
    config: {},
    request: {},
    origin: ofType('image/png', { 'Cache-Control': 'max-age=60' }),
    expect: stored(60),
  },
  {
    name: 'types, statuses and the default cache time are what the settings say',
    config: { content_type: ['Application/JSON', 'video/*'], response_code: [410], cache_ttl: 30 },
    request: {},
    origin: { status: 410, ...ofType('application/json') },
    expect: stored(30, 410),
  },
  {
    name: 'and no others',
    config: { content_type: ['application/json'], response_code: [200] },
    request: {},
    origin: ofType('image/png'),
    expect: unstored('no_lifetime'),
  },
  {
    name: 'the key has no say in what is kept',
    config: { key: { query: 'none', by_device: true, languages: ['en', 'zh-CN'] } },
    request: { path: '/?q=1' },
    origin: ofType('image/png'),
    expect: stored(),
  },
  {
    name: 'without types all are kept',
    config: { content_type: [] },
    request: {},
    origin: ofType('text/html'),
    expect: stored(),
  },
];

const CUSTOM: readonly Case[] = [
  {
    name: 'custom: the cache time takes the place of the lifetime that the origin states',
    config: { ...custom, cache_ttl: 600 },
    request: {},
    origin: ofType('image/png', { 'Cache-Control': 'max-age=60' }),
    expect: stored(600),
  },
  {
    name: 'custom: not of types that are not listed',
    config: { ...custom, cache_ttl: 600 },
    request: {},
    origin: ofType('text/html', { 'Cache-Control': 'max-age=60' }),
    expect: stored(60),
  },
  ...(
    [
      ['private', 'private'],
      ['no-store', 'no_store'],
    ] as const
  ).map(
    ([directive, reason]): Case => ({
      name: `custom: what the origin marks ${directive} is not kept`,
      config: custom,
      request: {},
      origin: ofType('image/png', { 'Cache-Control': directive }),
      expect: unstored(reason),
    }),
  ),
];

const REQUESTS: readonly Case[] = [
  {
    name: 'disabled: every request passes by the cache',
    config: off,
    request: { path: '/a.css' },
    origin: ofType('text/css', { 'Cache-Control': 'max-age=60' }),
    expect: bypass('off'),
  },
  {
    name: 'directives of requests are obeyed where that is on',
    config: { enable_cache_control: true },
    request: { headers: { 'Cache-Control': 'no-store' } },
    origin: ofType('text/css'),
    expect: unstored('request_no_store'),
  },
  {
    name: 'and not where it is off',
    config: { enable_cache_control: false },
    request: { headers: { 'Cache-Control': 'no-store' } },
    origin: ofType('text/css'),
    expect: stored(),
  },
  {
    name: 'OPTIONS passes by the cache, though it is listed',
    config: {},
    request: { method: 'OPTIONS' },
    origin: ofType('text/css'),
    expect: says('Cordon; fwd=method'),
  },
  {
    name: 'so does a method that is not listed',
    config: { request_method: ['GET'] },
    request: { method: 'HEAD' },
    origin: ofType('text/css'),
    expect: says('Cordon; fwd=method'),
  },
  {
    name: 'a request that a rule is for passes by the cache',
    config: { bypass_rules: [{ on: 'cookie', name: 'session', pattern: '^[0-9a-f]+$' }] },
    request: { headers: { Cookie: 'session=c0ffee' } },
    origin: ofType('text/css'),
    expect: bypass('rule'),
  },
  {
    name: 'another one does not',
    config: { bypass_rules: [{ on: 'cookie', name: 'session', pattern: '^[0-9a-f]+$' }] },
    request: { headers: { Cookie: 'session=none' } },
    origin: ofType('text/css'),
    expect: stored(),
  },
];

export const cases: readonly Case[] = [...DEFAULT, ...CUSTOM, ...REQUESTS];
