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

const css = { headers: { 'Content-Type': 'text/css' } } as const;
const page = { headers: { 'Content-Type': 'text/html' } } as const;

const PATHS: readonly Case[] = [
  {
    name: 'a file is kept by its extension, wherever it is and whatever its case',
    config: {},
    request: { path: '/themes/a/Site.CSS?v=3' },
    origin: css,
    expect: stored(),
  },
  {
    name: 'what is below a path is kept, whatever it is',
    config: {},
    request: { path: '/static/docs/start' },
    origin: page,
    expect: stored(),
  },
  { name: 'so is the path itself', config: {}, request: { path: '/uploads' }, origin: page, expect: stored() },
  { name: 'a path is of whole segments', config: {}, request: { path: '/statics/start' }, expect: bypass('path') },
  { name: 'a path has its case', config: {}, request: { path: '/Static/start' }, expect: bypass('path') },
  { name: 'a page is not kept', config: {}, request: { path: '/about' }, origin: page, expect: bypass('path') },
  {
    name: 'paths and extensions are what the settings say',
    config: { cache_paths: ['/media/'], cache_postfixes: ['.PHTM'] },
    request: { path: '/a.phtm' },
    origin: css,
    expect: stored(),
  },
  {
    name: 'and no others',
    config: { cache_paths: ['/media/'], cache_postfixes: ['phtm'] },
    request: { path: '/static/a.css' },
    origin: css,
    expect: bypass('path'),
  },
  {
    name: 'the root covers all',
    config: { cache_paths: ['/'], cache_postfixes: [] },
    request: { path: '/about' },
    origin: page,
    expect: stored(),
  },
  {
    name: 'without paths extensions decide',
    config: { cache_paths: [], cache_postfixes: ['css'] },
    request: { path: '/static/start' },
    origin: page,
    expect: bypass('path'),
  },
];

/** Paths that a cache and an origin may take for different ones. */
const READINGS: readonly Case[] = [
  ...[
    '/login.php/x.css',
    '/account;x.css',
    '/static/..%2faccount',
    '/static/..%5caccount',
    '/static/b%2f..%2f..%2faccount/a',
  ].map(
    (path): Case => ({
      name: `is not kept, as an origin may take it for another path: ${path}`,
      config: {},
      request: { path },
      origin: css,
      expect: bypass('path'),
    }),
  ),
  {
    name: 'a page that only looks like a file is not kept',
    config: {},
    request: { path: '/account/x.css' },
    origin: page,
    expect: unstored('type_mismatch'),
  },
  {
    name: 'what every reading of a path covers is kept',
    config: {},
    request: { path: '/static//a/./b.css' },
    origin: css,
    expect: stored(),
  },
];

const METHODS: readonly Case[] = [
  ...['POST', 'OPTIONS', 'DELETE'].map(
    (method): Case => ({
      name: `${method} passes by the cache`,
      config: {},
      request: { path: '/a.css', method },
      origin: css,
      expect: says('Cordon; fwd=method'),
    }),
  ),
  {
    name: 'so does a method that is not listed',
    config: { request_method: ['HEAD'] },
    request: { path: '/a.css' },
    origin: css,
    expect: says('Cordon; fwd=method'),
  },
];

const LIFETIMES: readonly Case[] = [
  {
    name: 'the lifetime that the origin states holds',
    config: {},
    request: { path: '/a.css' },
    origin: { headers: { 'Content-Type': 'text/css', 'Cache-Control': 'max-age=60' } },
    expect: stored(60),
  },
  {
    name: 'also of a status that is not listed',
    config: {},
    request: { path: '/a.css' },
    origin: { status: 404, headers: { 'Content-Type': 'text/css', 'Cache-Control': 'max-age=60' } },
    expect: stored(60, 404),
  },
  {
    name: 'a status that is not listed has no lifetime of its own',
    config: {},
    request: { path: '/a.css' },
    origin: { status: 404, ...css },
    expect: unstored('no_lifetime', 404),
  },
  {
    name: 'the default cache time and its statuses are what the settings say',
    config: { cache_ttl: 30, response_code: [404] },
    request: { path: '/a.css' },
    origin: { status: 404, ...css },
    expect: stored(30, 404),
  },
  ...(
    [
      ['private', 'private'],
      ['no-store', 'no_store'],
    ] as const
  ).map(
    ([directive, reason]): Case => ({
      name: `what the origin marks ${directive} is not kept`,
      config: {},
      request: { path: '/a.css' },
      origin: { headers: { 'Content-Type': 'text/css', 'Cache-Control': directive } },
      expect: unstored(reason),
    }),
  ),
  {
    name: 'what sets a cookie is not kept',
    config: {},
    request: { path: '/a.css' },
    origin: { headers: { 'Content-Type': 'text/css', 'Set-Cookie': 'a=1' } },
    expect: unstored('set_cookie'),
  },
  {
    name: 'the key has no say in what is kept',
    config: { key: { query: 'only', query_names: ['v'], sort_query: true, by_device: true, languages: ['en'] } },
    request: { path: '/a.css?v=1' },
    origin: css,
    expect: stored(),
  },
  {
    name: 'requests have no say in it',
    config: {},
    request: { path: '/a.css', headers: { 'Cache-Control': 'no-store' } },
    origin: css,
    expect: stored(),
  },
];

const DIRECTIVES: readonly Case[] = [
  {
    name: 'directives are for answers that have none',
    config: { cache_control: ['public', 'max-age=90'] },
    request: { path: '/a.css' },
    origin: css,
    expect: stored(90),
  },
  {
    name: 'and leave those that the origin sends',
    config: { cache_control: ['max-age=90'] },
    request: { path: '/a.css' },
    origin: { headers: { 'Content-Type': 'text/css', 'Cache-Control': 'max-age=60' } },
    expect: stored(60),
  },
  {
    name: 'unless they take their place',
    config: { cache_control: ['max-age=90'], cache_control_response_override: true },
    request: { path: '/a.css' },
    origin: { headers: { 'Content-Type': 'text/css', 'Cache-Control': 'private' } },
    expect: stored(90),
  },
];

const rule = {
  path: { on: 'path', pattern: '^/static/private' },
  argument: { on: 'argument', name: 'preview' },
  cookie: { on: 'cookie', name: 'session' },
  header: { on: 'header', name: 'X-Debug', pattern: '^(on|1)$' },
} as const;
const file = { path: '/static/a.css' };

const RULES: readonly Case[] = [
  {
    name: 'a path that a rule is for passes by the cache, however it is written',
    config: { bypass_rules: [rule.path] },
    request: { path: '/static/x/..;/private/a.css' },
    origin: css,
    expect: bypass('rule'),
  },
  {
    name: 'an argument, whatever its value',
    config: { bypass_rules: [rule.argument] },
    request: { path: '/static/a.css?v=1&preview' },
    origin: css,
    expect: bypass('rule'),
  },
  {
    name: 'a cookie, whatever its value',
    config: { bypass_rules: [rule.argument, rule.cookie] },
    request: { ...file, headers: { Cookie: 'a=1; session=' } },
    origin: css,
    expect: bypass('rule'),
  },
  {
    name: 'not a cookie of another name',
    config: { bypass_rules: [rule.cookie] },
    request: { ...file, headers: { Cookie: 'Session=1; xsession=2' } },
    origin: css,
    expect: stored(),
  },
  {
    name: 'a header with such a value',
    config: { bypass_rules: [rule.cookie, rule.header] },
    request: { ...file, headers: { 'X-DEBUG': '1' } },
    origin: css,
    expect: bypass('rule'),
  },
  {
    name: 'not with another value',
    config: { bypass_rules: [rule.cookie, rule.header] },
    request: { ...file, headers: { 'X-Debug': 'off' } },
    origin: css,
    expect: stored(),
  },
];

export const cases: readonly Case[] = [...PATHS, ...READINGS, ...METHODS, ...LIFETIMES, ...DIRECTIVES, ...RULES];
