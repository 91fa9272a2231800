import { expect, test } from 'vitest';
import { hasRole, readClaims } from './claims';

const jwt = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`;

test('roles are read where Keycloak puts them', () => {
  const token = jwt({
    sub: 'u1',
    email: 'lena@example.com',
    name: '李娜',
    realm_access: { roles: ['user', 'dns'] },
    resource_access: { account: { roles: ['view-attack'] } },
  });
  const claims = readClaims(token, {});
  expect(claims).toMatchObject({ sub: 'u1', email: 'lena@example.com', name: '李娜' });
  expect(hasRole(claims, 'user')).toBe(true);
  expect(hasRole(claims, 'dns')).toBe(true);
  expect(hasRole(claims, 'view-attack')).toBe(true);
});

test('an opaque access token leaves the profile to tell', () => {
  const claims = readClaims('opaque', { sub: 'u1', realm_access: { roles: ['user'] } });
  expect(claims.realmRoles).toEqual(['user']);
  expect(claims.accountRoles).toEqual([]);
});
