import { fieldErrorsOf } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { definition } from './plugin.ts';
import { type ProxyCacheConfig, schema } from './schema.ts';

const parse = (config: z.input<typeof schema> = {}) => schema.parse(config);
const faultsOf = (config: unknown) => {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
};

/** Those that Cloudflare caches (product design, "cache_postfixes"). */
const FILE_EXTENSIONS =
  '7z apk avi avif bin bmp bz2 class css csv dmg doc docx ejs eot eps exe flac gif gz ico iso jar jpeg jpg js mid midi mkv mp3 mp4 ogg otf pdf pict pls png ppt pptx ps rar svg svgz swf tar tif tiff ttf webm webp woff woff2 xls xlsx zip'.split(
    ' ',
  );

it('starts with the defaults of the specification (section 3)', () => {
  expect(parse()).toEqual({
    request_method: ['GET', 'HEAD', 'OPTIONS'],
    response_code: [200, 301, 302],
    cache_postfixes: FILE_EXTENSIONS,
    bypass_rules: [],
    cache_control: [],
    cache_control_response_override: false,
    cache_paths: ['/static', '/uploads'],
    cache_reusable: true,
    cache_ttl: 7200,
    key: { query: 'all', query_names: [], sort_query: false, by_device: false, languages: [] },
  });
});

describe('the schema', () => {
  it.each([
    [{ request_method: ['GET', 'POST'] }, { 'request_method.1': 'METHOD_NOT_CACHEABLE' }],
    [{ request_method: ['GET', 'GET'] }, { 'request_method.1': 'DUPLICATE_ENTRY' }],
    [{ request_method: [] }, { request_method: 'TOO_FEW' }],
  ])('refuses methods that are not in the allowed list: %j', (config, faults) =>
    expect(faultsOf(config)).toEqual(faults),
  );

  it('takes response codes from 100 to 900 (spec section 5)', () => {
    expect(faultsOf({ response_code: [100, 900, 599] })).toEqual({});
    expect(faultsOf({ response_code: [99, 901, 200.5, '200'] })).toEqual({
      'response_code.0': 'STATUS_CODE_INVALID',
      'response_code.1': 'STATUS_CODE_INVALID',
      'response_code.2': 'STATUS_CODE_INVALID',
      'response_code.3': 'STATUS_CODE_INVALID',
    });
    expect(faultsOf({ response_code: [404, 404] })).toEqual({ 'response_code.1': 'DUPLICATE_ENTRY' });
  });

  it.each([
    ['static', 'PATH_SLASH_MISSING'],
    ['//static', 'PATH_SLASH_REPEATED'],
    ['/a/../b', 'PATH_DOTS'],
    ['/static/*', 'PATH_NOT_PLAIN'],
    ['/static?v=1', 'PATH_NOT_PLAIN'],
    ['/static#top', 'PATH_NOT_PLAIN'],
    ['/static;v=1', 'PATH_NOT_PLAIN'],
    ['', 'REQUIRED'],
  ])('refuses the path %j as %s', (path, code) =>
    expect(faultsOf({ cache_paths: ['/', path] })).toEqual({ 'cache_paths.1': code }),
  );

  it('takes a path once, with or without a slash at its end, and one inside another', () => {
    expect(parse({ cache_paths: ['/', '/a/', '/a/b//'] }).cache_paths).toEqual(['/', '/a', '/a/b']);
    expect(faultsOf({ cache_paths: ['/a', '/a/'] })).toEqual({ 'cache_paths.1': 'DUPLICATE_ENTRY' });
  });

  it('takes extensions however they are written, each once', () => {
    expect(parse({ cache_postfixes: ['.CSS', '*.js', ' woff2 '] }).cache_postfixes).toEqual(['css', 'js', 'woff2']);
    expect(faultsOf({ cache_postfixes: ['css', 'tar.gz', 'a b'] })).toEqual({
      'cache_postfixes.1': 'EXTENSION_INVALID',
      'cache_postfixes.2': 'EXTENSION_INVALID',
    });
    expect(faultsOf({ cache_postfixes: ['css', '.CSS'] })).toEqual({ 'cache_postfixes.1': 'DUPLICATE_ENTRY' });
  });

  it('keeps something', () =>
    expect(faultsOf({ cache_paths: [], cache_postfixes: [] })).toEqual({ cache_paths: 'CACHE_STRATEGY_EMPTY' }));

  it.each([0, 31_536_001, 1.5])('refuses a default cache time of %s', (seconds) =>
    expect(Object.keys(faultsOf({ cache_ttl: seconds }))).toEqual(['cache_ttl']),
  );
});

describe('directives (spec section 5)', () => {
  it.each([
    [['private', 'public'], { 'cache_control.1': 'DIRECTIVES_CONFLICT' }],
    [['public', 'private="x-a"'], { 'cache_control.1': 'DIRECTIVES_CONFLICT' }],
    [['max-age=1', 'MAX-AGE=2'], { 'cache_control.1': 'DIRECTIVE_REPEATED' }],
    [['only-if-cached'], { 'cache_control.0': 'DIRECTIVE_UNKNOWN' }],
    [['max-age'], { 'cache_control.0': 'DIRECTIVE_SECONDS' }],
    [['s-maxage=-1'], { 'cache_control.0': 'DIRECTIVE_SECONDS' }],
    [['stale-if-error=1.5'], { 'cache_control.0': 'DIRECTIVE_SECONDS' }],
    [['max-age=2147483649'], { 'cache_control.0': 'DIRECTIVE_SECONDS' }],
    [['public=1'], { 'cache_control.0': 'DIRECTIVE_ARGUMENT' }],
    [['no-cache=x-a'], { 'cache_control.0': 'DIRECTIVE_ARGUMENT' }],
    [['public, max-age=1'], { 'cache_control.0': 'DIRECTIVE_UNKNOWN' }],
    [['max-age=1\r\nx: y'], { 'cache_control.0': 'DIRECTIVE_SECONDS' }],
    [['no-cache="a\r\nb"'], { 'cache_control.0': 'DIRECTIVE_ARGUMENT' }],
  ])('are refused: %j', (directives, faults) => expect(faultsOf({ cache_control: directives })).toEqual(faults));

  it('are kept in the form that caches read', () =>
    expect(
      parse({ cache_control: ['Public', 'max-age = "060"', 'no-cache="set-cookie, x-a"', 'immutable'] }).cache_control,
    ).toEqual(['public', 'max-age=60', 'no-cache="set-cookie, x-a"', 'immutable']));
});

describe('rules for what passes by the cache', () => {
  it('have what they need, each at its place', () => {
    const rules = [
      { on: 'path', pattern: '' },
      { on: 'cookie', name: '' },
      { on: 'header', name: 'X Y' },
      { on: 'argument', name: 'a', pattern: '(' },
      { on: 'argument', name: 'a' },
    ];
    expect(faultsOf({ bypass_rules: rules })).toEqual({
      'bypass_rules.0.pattern': 'REQUIRED',
      'bypass_rules.1.name': 'REQUIRED',
      'bypass_rules.2.name': 'HEADER_NAME_INVALID',
      'bypass_rules.3.pattern': 'PATTERN_UNFINISHED',
    });
  });

  it('hold for any value where there is no pattern', () =>
    expect(parse({ bypass_rules: [{ on: 'cookie', name: 'a' }] }).bypass_rules).toEqual([
      { on: 'cookie', name: 'a', pattern: '' },
    ]));
});

describe('the key', () => {
  it('needs names where only some arguments count, or all but some', () => {
    for (const query of ['only', 'except'])
      expect(faultsOf({ key: { query } })).toEqual({ 'key.query_names': 'QUERY_NAMES_REQUIRED' });
    expect(faultsOf({ key: { query: 'none' } })).toEqual({});
  });

  it('takes language tags in any case, each once', () => {
    expect(parse({ key: { languages: ['EN', 'zh-hans-cn', 'pt-BR'] } }).key.languages).toEqual([
      'en',
      'zh-Hans-CN',
      'pt-BR',
    ]);
    expect(faultsOf({ key: { languages: ['english language', 'e', '*'] } })).toEqual({
      'key.languages.0': 'LANGUAGE_INVALID',
      'key.languages.1': 'LANGUAGE_INVALID',
      'key.languages.2': 'LANGUAGE_INVALID',
    });
    expect(faultsOf({ key: { languages: ['en', 'EN'] } })).toEqual({ 'key.languages.1': 'DUPLICATE_ENTRY' });
  });
});

it('takes what it answers for the same, so that a stored configuration stays as it is', () => {
  const config = parse({
    cache_paths: ['/a/', '/b%20c'],
    cache_postfixes: ['.CSS'],
    cache_control: ['MAX-AGE="5"', 'no-cache="a, b"'],
    key: { languages: ['zh-cn'] },
  });
  expect(parse(config)).toEqual(config);
});

describe('notices', () => {
  const noticesOf = (config: z.input<typeof schema>) =>
    definition
      .notices(parse({ request_method: ['GET'], ...config }))
      .map(({ path, message, params }) => [path, message, ...Object.values(params)].join(' '));

  it('tell that OPTIONS is never kept, at its place in the list', () =>
    expect(noticesOf({ request_method: ['GET', 'OPTIONS'] })).toEqual(['request_method.1 notices.options_not_kept']));

  it.each<[z.input<typeof schema>, string]>([
    [{ key: { query: 'none' } }, 'key.query notices.query_ignored'],
    [{ cache_control: ['max-age=1', 'private'] }, 'cache_control notices.unstated_not_kept private'],
    [
      { cache_control: ['no-store'], cache_control_response_override: true },
      'cache_control notices.nothing_kept no-store',
    ],
    [{ cache_paths: ['/caf%C3%A9'] }, 'cache_paths.0 notices.path_as_sent /caf%C3%A9'],
    [{ cache_postfixes: ['css', 'php'] }, 'cache_postfixes.1 notices.program php'],
  ])('tell of what surprises: %j', (config, notice) => expect(noticesOf(config)).toEqual([notice]));

  it('say nothing of the whole site, nor where nothing passes by', () =>
    expect(noticesOf({ cache_paths: ['/', '/account'], bypass_rules: [] })).toEqual([]));
});

it.each<[z.input<typeof schema>, object]>([
  [
    { cache_postfixes: ['css', 'js'] },
    { paths: { list: ['/static', '/uploads'] }, pathCount: 2, rest: 0, extensions: 2, number: 2, unit: 'h' },
  ],
  [
    { cache_paths: ['/a', '/b', '/c', '/d'], cache_postfixes: [], cache_ttl: 90 },
    { paths: { list: ['/a', '/b', '/c'] }, pathCount: 4, rest: 1, extensions: 0, number: 90, unit: 's' },
  ],
])('sums up what is kept, and for how long: %j', (config, params) =>
  expect(definition.summary(parse(config))).toEqual({ message: 'summary.kept', params }),
);

describe('two of them', () => {
  const own = parse({
    cache_paths: ['/a'],
    cache_postfixes: ['css'],
    bypass_rules: [{ on: 'cookie', name: 'session' }],
    cache_control: ['public'],
  });
  const brought = parse({
    cache_paths: ['/b'],
    cache_postfixes: ['js'],
    bypass_rules: [{ on: 'path', pattern: '^/b/x' }],
    cache_control: ['private'],
    cache_ttl: 60,
  });
  const merge = definition.merge as (own: ProxyCacheConfig, brought: ProxyCacheConfig) => ProxyCacheConfig;

  it('keep what either keeps, but for what either leaves out', () => {
    const merged = merge(own, brought);
    expect(merged).toMatchObject({ cache_paths: ['/a', '/b'], cache_postfixes: ['css', 'js'], cache_ttl: 60 });
    expect(merged.bypass_rules).toEqual([...own.bypass_rules, ...brought.bypass_rules]);
    expect(merged.cache_control).toEqual(['private']);
    expect(schema.parse(merged)).toEqual(merged);
  });

  it('are the same once more', () => {
    const merged = merge(own, brought);
    expect(merge(merged, brought)).toEqual(merged);
  });
});
