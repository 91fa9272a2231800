import { expect, it } from 'vitest';
import { normalizePath, readingsOfPath } from './request-path.ts';

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

it.each([
  ['/a/b', ['/a/b']],
  ['/a%20b', ['/a b']],
  ['/a\\b', ['/a\\b', '/a/b']],
  ['/a%5Cb', ['/a\\b', '/a/b']],
  ['/a\\..\\..\\b', ['/a\\..\\..\\b', '/b', '/a/../../b']],
  ['/a;v=1/b;c', ['/a;v=1/b;c', '/a/b']],
  ['/a/..;/b', ['/a/..;/b', '/b', '/a/../b']],
  ['/a/..%3bx/b', ['/a/..;x/b', '/b', '/a/../b']],
  ['/a/..;\\b', ['/a/..;\\b', '/', '/a/..', '/a/..;/b', '/b', '/a/../b']],
  // nginx resolves dot segments before it sees a backslash for a slash; an origin the other way round.
  ['/x\\y/../b', ['/b', '/x\\y/../b', '/x/b', '/x/y/../b']],
])('what origins take %s for', (raw, readings) =>
  expect(readingsOfPath(normalizePath(raw) ?? '', raw)).toEqual(readings),
);

// Each line is what one of the ways of reading makes of the path, and another does not.
it.each([
  ['/a%2Fb', ['/a/b']],
  ['/a;b', ['/a;b', '/a']],
  ['/a%3Bb', ['/a;b', '/a']],
  ['/a;b/', ['/a;b/', '/a/']],
  ['/;a/b', ['/;a/b', '/b']],
  ['/a/.;/b', ['/a/.;/b', '/a/b', '/a/./b']],
  ['/a/b/..;c', ['/a/b/..;c', '/a/', '/a/b/..']],
  ['/..;/a', ['/..;/a', '/a', '/../a']],
  ['/\\..\\a', ['/\\..\\a', '/a', '/../a']],
  ['/a\\;b', ['/a\\;b', '/a\\', '/a/;b', '/a/']],
  ['/a\\', ['/a\\', '/a/']],
  ['/\\\\a', ['/\\\\a', '/a', '/']],
  ['/caf%C3%A9;b', ['/café;b', '/café']],
  ['/a/;\\..', ['/a/;\\..', '/a/', '/a/;/..', '/', '/a/..']],
  ['//a/b', ['/a/b', '/b']],
  ['//a//../b', ['/b', '/a/b', '/a/../b', '/../b']],
  ['/a/./b', ['/a/b', '/a/./b']],
  ['/a.b/.c', ['/a.b/.c']],
])('what each origin takes %s for, once', (raw, readings) =>
  expect(readingsOfPath(normalizePath(raw) ?? '', raw)).toEqual(readings),
);

// What origins that do not read as nginx does take these for.
it.each([
  ['//x/admin', '/admin', 'new URL(target, base)'],
  ['/\\x/admin', '/admin', 'new URL(target, base)'],
  ['///x/admin', '/admin', 'new URL(target, base)'],
  ['//user@h/admin', '/admin', "PHP's parse_url"],
  ['/admin/../x', '/admin/../x', 'a router by prefix'],
  ['/admin/%2e%2e/x', '/admin/../x', 'a router by prefix'],
  ['/admin%2f..%2fx', '/admin/../x', 'WSGI'],
  ['/a%2Fb/../admin/x', '/admin/x', 'new URL, which decodes later'],
  ['/admin//../x', '/admin/x', 'new URL, which merges no slashes'],
  ['/a;x%2F../admin', '/a/admin', 'a servlet, which leaves parameters out before it decodes'],
])('reads %s as %s too: %s', (raw, reading) =>
  expect(readingsOfPath(normalizePath(raw) ?? '', raw)).toContain(reading),
);

it('decodes once', () => expect(readingsOfPath('/%61;b', '/%2561;b')).toEqual(['/%61;b', '/%61']));

it.each(['/%00', '/%41%00', '/a%zz', '/%41%zz', '/a%2', '/a%', '/a;%'])(
  'reads nothing into %s, which nginx refuses',
  (raw) => {
    expect(normalizePath(raw)).toBe(undefined);
    expect(readingsOfPath('/', raw)).toEqual(['/']);
  },
);
