import { expect, it } from 'vitest';
import { normalizePath } from './request-path.ts';

it.each([
  ['//login', '/login'],
  ['/login///', '/login/'],
  ['///', '/'],
  ['/%2F%2flogin', '/login'],
  ['/a//./b', '/a/b'],
  ['/a//../login', '/login'],
  ['/a/..//login', '/login'],
])('merges slashes before it resolves dots: %s is %s', (raw, path) => expect(normalizePath(raw)).toBe(path));

it.each(['//..', '/a//../..', '/%2F..'])('refuses %s, which leads above the root', (raw) =>
  expect(normalizePath(raw)).toBe(undefined),
);
