import type { OriginCost } from '@cordon/plugin-kit';
import { expect, it } from 'vitest';
import { cacheRemedy } from './cache-remedy.ts';
import { schema } from './schema.ts';

const config = schema.parse({});
const passedBy = (path: string): OriginCost => ({ path, status: 200, cache: 'bypass', reason: 'path' });
const unstored = (reason: string, status = 200): OriginCost => ({ path: '/a', status, cache: 'miss', reason });

it.each([
  ['/img/2026/logo.x', '/img/2026', 'of a file, its folder'],
  ['/logo.x', '/logo.x', 'of a file at the root, the file alone'],
  ['/news/today', '/news/today', 'of a page, the page'],
  ['/news/', '/news', 'of a folder’s page, the folder'],
  ['/你好/图.x', '/你好', 'as it is read'],
])('keeps %s by listing %s: %s', (path, entry) => {
  const change = cacheRemedy(config, passedBy(path));
  expect(change).toMatchObject({ message: 'remedy.path', params: { path: entry } });
  expect(change?.config).toEqual({ ...config, cache_paths: ['/static', '/uploads', entry] });
  expect(schema.safeParse(change?.config).success).toBe(true);
  // Then it is covered.
  expect(cacheRemedy(change?.config ?? config, passedBy(path))?.config).toBe(change?.config);
});

it.each<readonly [path: string, what: string]>([
  ['/', 'all of the domain'],
  ['/blog/index.php', 'a program, which mostly answers each visitor for himself'],
  ['/login.php/x.x', 'what may be the page of a visitor'],
  ['/a%2fb/c.x', 'what is compared decoded'],
  ...[';', '*', '?', '#', '\\', '//', '/./', '/../'].map(
    (sign) => [`/a${sign}b/c.x`, `no plain path: ${sign}`] as const,
  ),
  [`/${'a'.repeat(500)}/c.x`, 'too long'],
])('lists nothing for %s: it would be %s', (path) => {
  expect(cacheRemedy(config, passedBy(path))).toBeUndefined();
});

it.each(['/static/app', '/static', '/anywhere/logo.PNG'])('has nothing to change for %s, which is covered', (path) => {
  expect(cacheRemedy(config, passedBy(path))?.config).toBe(config);
  expect(cacheRemedy(config, { path, status: 200, cache: '', reason: '' })?.config).toBe(config);
});

it('lists no path that is answered with an error, and calls none covered, but where the error is listed', () => {
  const failed = (path: string, status: number): OriginCost => ({ ...passedBy(path), status });
  for (const path of ['/page', '/static/page']) {
    expect(cacheRemedy(config, failed(path, 500))).toBeUndefined();
    expect(cacheRemedy(config, { ...failed(path, 404), cache: '', reason: '' })).toBeUndefined();
  }
  const listed = { ...config, response_code: [200, 404] };
  expect(cacheRemedy(listed, failed('/page', 404))?.config.cache_paths).toContain('/page');
});

it('lists a path that no cache had to do with', () => {
  const change = cacheRemedy(config, { path: '/page', status: 200, cache: '', reason: '' });
  expect(change?.config.cache_paths).toContain('/page');
});

it('keeps what states no lifetime by its status, but no errors that may be over in a moment', () => {
  const change = cacheRemedy(config, unstored('no_lifetime', 404));
  expect(change).toMatchObject({ message: 'remedy.status', params: { status: '404', number: 2, unit: 'h' } });
  expect(change?.config.response_code).toEqual([200, 301, 302, 404]);
  for (const status of [200, 401, 403, 500, 503, 206])
    expect(cacheRemedy(config, unstored('no_lifetime', status)), String(status)).toBeUndefined();
});

it.each(['rule', 'method', 'private', 'no_store', 'set_cookie', 'no_room', 'development', ''])(
  'leaves %j to the origin, or to the rule that its owner has made',
  (reason) => expect(cacheRemedy(config, unstored(reason, 404))).toBeUndefined(),
);
