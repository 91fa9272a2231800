import { expect, it } from 'vitest';
import { openSecret, sealSecret } from './sealed-secret.ts';

const key = Buffer.alloc(32, 7);
const to = { accountId: 'account', handle: 'secret_aaaaaaaaaaaaaaaaaaaaaa' };
const secret = 'a secret of the tests';

it('opens what was sealed, which is the same text each time and does not show the secret', () => {
  const sealed = sealSecret(key, secret, to);
  expect(openSecret(key, sealed, to)).toBe(secret);
  expect(sealSecret(key, secret, to)).toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').includes(secret)).toBe(false);
});

it.each([
  ['another account', key, { ...to, accountId: 'other' }],
  ['another handle', key, { ...to, handle: 'secret_bbbbbbbbbbbbbbbbbbbbbb' }],
  ['another czone, whose key is another', Buffer.alloc(32, 8), to],
])('does not open for %s', (_, otherKey, other) => {
  expect(openSecret(otherKey, sealSecret(key, secret, to), other)).toBeUndefined();
});

it.each(['', 'short', '!', 'A'.repeat(80)])('does not open what is none: %j', (sealed) => {
  expect(openSecret(key, sealed, to)).toBeUndefined();
});

it('gives each secret a nonce of its own', () => {
  const nonceOf = (handle: string) => sealSecret(key, secret, { ...to, handle }).slice(0, 16);
  expect(nonceOf('secret_aaaaaaaaaaaaaaaaaaaaaa')).not.toBe(nonceOf('secret_bbbbbbbbbbbbbbbbbbbbbb'));
});
