import type { OriginCost } from '@cordon/plugin-kit';
import { expect, it } from 'vitest';
import { cacheRemedy } from './cache-remedy.ts';
import { schema } from './schema.ts';

const config = schema.parse({});
const unstored = (path: string, status = 200): OriginCost => ({ path, status, cache: 'miss', reason: 'no_lifetime' });

it.each([
  ['bypass', 'path'],
  ['', ''],
] as const)('covers all paths, whatever the cache was before: %j', (cache, reason) => {
  expect(cacheRemedy(config, { path: '/a', status: 200, cache, reason })?.config).toBe(config);
});

it('keeps answers again where it keeps none', () => {
  const off = schema.parse({ global_default_caching: false, global_disable_cache_completely: true });
  const change = cacheRemedy(off, { path: '/a', status: 200, cache: 'bypass', reason: 'off' });
  expect(change).toEqual({ message: 'remedy.on', params: {}, config });
});

it('covers no errors but those that are listed', () => {
  const failed = { path: '/a', status: 404, cache: 'bypass', reason: 'path' } as const;
  expect(cacheRemedy(config, failed)).toBeUndefined();
  const listed = { ...config, response_code: [200, 404] };
  expect(cacheRemedy(listed, failed)?.config).toBe(listed);
});

it('leaves requests no say where they had one', () => {
  const asked = { path: '/a', status: 200, cache: 'bypass', reason: 'request' } as const;
  const change = cacheRemedy({ ...config, enable_cache_control: true }, asked);
  expect(change).toEqual({ message: 'remedy.requests', params: {}, config });
  expect(cacheRemedy(config, asked)).toBeUndefined();
});

it.each([
  ['/a.mp4', 'video'],
  ['/a.WOFF2', 'font'],
  ['/a.pdf', 'application/pdf'],
])('keeps %s, which states no lifetime, by its type %s', (path, type) => {
  const change = cacheRemedy(config, unstored(path));
  expect(change).toMatchObject({ message: 'remedy.type', params: { type, number: 2, unit: 'h' } });
  expect(change?.config).toEqual({ ...config, content_type: [...config.content_type, type] });
  expect(schema.safeParse(change?.config).success).toBe(true);
});

it('keeps it by its status, and by both where both are missing', () => {
  const byStatus = cacheRemedy(config, unstored('/a.css', 404));
  expect(byStatus).toMatchObject({ message: 'remedy.status', params: { status: '404' } });
  expect(byStatus?.config.content_type).toBe(config.content_type);
  expect(cacheRemedy(config, unstored('/a.mp4', 404))?.config).toMatchObject({
    response_code: [200, 301, 302, 404],
    content_type: [...config.content_type, 'video'],
  });
});

it.each([
  ['/page', 200],
  ['/old', 301],
])('has the type of %s, answered with %i, added by who knows it', (path, status) => {
  const change = cacheRemedy(config, unstored(path, status));
  expect(change).toEqual({ message: 'remedy.types', params: {}, config, field: 'content_type' });
  expect(change?.config).toBe(config);
});

it.each([
  ['/page', 404, 'nothing tells its type, and an error need not be kept'],
  ['/a.css', 200, 'it is kept already: its origin says that it lives for no time'],
  ['/a.mp4', 503, 'an error may be over in a moment'],
])('leaves %s, answered with %i, to its origin: %s', (path, status) => {
  expect(cacheRemedy(config, unstored(path, status))).toBeUndefined();
});

it('takes an empty list for all types', () => {
  const all = { ...config, content_type: [] };
  expect(cacheRemedy(all, unstored('/page'))).toBeUndefined();
  expect(cacheRemedy(all, unstored('/page', 404))?.config.response_code).toContain(404);
});

it.each(['rule', 'method', 'private', 'no_store', 'set_cookie', ''])(
  'leaves %j to the origin, or its owner',
  (reason) => {
    expect(cacheRemedy(config, { path: '/a.mp4', status: 404, cache: 'miss', reason })).toBeUndefined();
  },
);
