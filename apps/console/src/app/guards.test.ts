import { expect, test } from 'vitest';
import { decide } from './guards';
import type { Claims } from './session/claims';

const claims = (realmRoles: string[], accountRoles: string[] = []): Claims => ({
  sub: 'u',
  email: '',
  name: '',
  realmRoles,
  accountRoles,
});

test('a public route needs no session', () => {
  expect(decide({}, null, false)).toBe('proceed');
});

test('a route that needs sign-in starts it', () => {
  expect(decide({ auth: true, roles: ['user'] }, null, false)).toBe('sign-in');
});

test('a missing role leads to Unauthorized', () => {
  expect(decide({ auth: true, roles: ['user'] }, claims([]), false)).toBe('unauthorized');
});

test('every role is needed, and view-attack is read on the account resource only', () => {
  const flags = { auth: true, roles: ['user', 'view-attack'] } as const;
  expect(decide(flags, claims(['user', 'view-attack']), false)).toBe('unauthorized');
  expect(decide(flags, claims(['user'], ['view-attack']), false)).toBe('proceed');
});

test('the white-label variant has no billing screens, signed in or not', () => {
  expect(decide({ auth: true, hiddenInWhiteLabel: true }, null, true)).toBe('not-found');
  expect(decide({ auth: true, hiddenInWhiteLabel: true }, claims(['user']), false)).toBe('proceed');
});
