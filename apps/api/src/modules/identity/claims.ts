import type { Person } from './repository.ts';

/** Roles that belong to the account resource; all others are the realm's (spec section 6). */
const ACCOUNT_ROLES: ReadonlySet<string> = new Set(['view-attack']);

/** Roles from where Keycloak puts them, whatever else the token holds. */
export function rolesFromClaims(claims: Readonly<Record<string, unknown>>): string[] {
  const rolesOf = (holder: unknown): string[] => {
    const roles = (holder as { roles?: unknown } | undefined)?.roles;
    return Array.isArray(roles) ? roles.filter((role): role is string => typeof role === 'string') : [];
  };
  const account = (claims.resource_access as Record<string, unknown> | undefined)?.account;
  const realm = rolesOf(claims.realm_access).filter((role) => !ACCOUNT_ROLES.has(role));
  return [...new Set([...realm, ...rolesOf(account).filter((role) => ACCOUNT_ROLES.has(role))])];
}

/** Claims about a person: the standard ones, and roles where Keycloak puts them. */
export const claimsOf = (person: Person): { sub: string; [claim: string]: unknown } => ({
  sub: person.subject,
  email: person.email,
  email_verified: person.is_email_verified,
  name: person.name,
  preferred_username: person.email,
  ...(person.locale === null ? {} : { locale: person.locale }),
  realm_access: { roles: person.roles.filter((role) => !ACCOUNT_ROLES.has(role)) },
  resource_access: { account: { roles: person.roles.filter((role) => ACCOUNT_ROLES.has(role)) } },
});
