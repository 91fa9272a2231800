import type { Role } from '@cordon/contract';

/** What the console reads of a token, where Keycloak puts it. */
export interface Claims {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly realmRoles: readonly string[];
  readonly accountRoles: readonly string[];
}

interface TokenPayload {
  sub?: string;
  email?: string;
  name?: string;
  preferred_username?: string;
  realm_access?: { roles?: string[] };
  resource_access?: { account?: { roles?: string[] } };
}

/** Payload of a JWT, unverified: the API verifies, the console only decides what to draw. Null when it is no JWT. */
export function decodeJwt(token: string): TokenPayload | null {
  const payload = token.split('.')[1];
  if (!payload) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as TokenPayload;
  } catch {
    return null;
  }
}

/** Claims of a signed-in user: roles from the access token, or from the profile when the token is opaque. */
export function readClaims(accessToken: string, profile: TokenPayload): Claims {
  const token = decodeJwt(accessToken);
  return {
    sub: token?.sub ?? profile.sub ?? '',
    email: token?.email ?? profile.email ?? '',
    name: token?.name ?? profile.name ?? profile.preferred_username ?? '',
    realmRoles: token?.realm_access?.roles ?? profile.realm_access?.roles ?? [],
    accountRoles: token?.resource_access?.account?.roles ?? profile.resource_access?.account?.roles ?? [],
  };
}

/** `view-attack` is checked on the account resource, every other role on the realm (specification, section 6). */
export function hasRole(claims: Claims, role: Role): boolean {
  return (role === 'view-attack' ? claims.accountRoles : claims.realmRoles).includes(role);
}
