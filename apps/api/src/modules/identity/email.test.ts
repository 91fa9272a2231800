import { expect, it } from 'vitest';
import { normalizeEmail } from './email.ts';

it.each([
  ['  Jane@Example.COM ', 'jane@example.com'],
  ['ｊane@example.com', 'jane@example.com'],
  ['jane@müller.example', 'jane@xn--mller-kva.example'],
  ['jane+cdn@example.com', 'jane+cdn@example.com'],
])('one spelling for %s', (given, expected) => {
  expect(normalizeEmail(given)).toBe(expected);
});

it.each([
  '',
  'jane',
  '@example.com',
  'jane@',
  'jane@localhost',
  'a b@example.com',
  'jane@exa mple.com',
  `${'a'.repeat(250)}@b.co`,
  'jane@example.com\r\nBcc: x@y.zz',
])('no address: %j', (given) => {
  expect(normalizeEmail(given)).toBeNull();
});
