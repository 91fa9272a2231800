import type { Role, TokenScope } from '@cordon/contract';
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, errors as joseErrors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../settings/env.ts';
import { AppError } from './errors.ts';
import { createPromiseCache } from './promise-cache.ts';
import { MACHINE_PREFIX, sha256, TOKEN_PREFIX } from './secrets.ts';
import type { NotificationHub } from './stream.ts';

/** A person or a personal API token. */
export interface UserPrincipal {
  readonly kind: 'user' | 'token';
  readonly account_id: string;
  /** Of a token alone. */
  readonly token_id?: string;
  /** Null for a token that the operator issued. */
  readonly user_id: string | null;
  /** For "changed by": the e-mail, or the token's name. */
  readonly label: string;
  readonly roles: readonly Role[];
  /** `all` for people; a token has what it was given. */
  readonly scopes: 'all' | readonly TokenScope[];
  readonly is_suspended: boolean;
  /** Unix seconds at which the bearer token ends. */
  readonly expires_at: number;
}

/** A part of the system that calls with a credential of its own. Its module adds what else is known of it. */
export interface MachinePrincipal {
  readonly kind: 'machine';
  readonly id: string;
}

/** Where principals are kept. Each function answers undefined for one that is refused. */
export interface PrincipalStore {
  /** @param subject `sub` of a verified token; its end is the token's, whatever is answered. */
  findUser(subject: string): Promise<UserPrincipal | undefined>;
  findToken(hash: Buffer): Promise<UserPrincipal | undefined>;
  findMachine(hash: Buffer): Promise<MachinePrincipal | undefined>;
  /** Writes down from where a token was used; nothing waits for it. */
  noteTokenUse(tokenId: string, address: string): void;
}

/** Whom a bearer token belongs to. Everything throws UNAUTHENTICATED alike. */
export interface Authenticator {
  /** @param address Where the call comes from, for the last use of a token. */
  authenticateUser(bearer: string, address?: string): Promise<UserPrincipal>;
  authenticateMachine(bearer: string): Promise<MachinePrincipal>;
  /** The embedded provider and tests say whom to trust; otherwise it is OIDC_ISSUER, its keys fetched. */
  trust(trusted: TrustedIssuers): void;
  /** Called with the claims of each token found valid, before its user is looked up: an external issuer's users come to be here. */
  provisionWith(provision: (claims: JWTPayload) => Promise<void>): void;
}

/** Whose tokens count, and for whom they must be. */
export interface TrustedIssuers {
  readonly keys: JWTVerifyGetKey;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** Whether the session that a token belongs to still stands; without it a token counts until its end. */
  readonly isSessionOpen?: (claims: JWTPayload) => Promise<boolean>;
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'RS384', 'RS512'];
const CACHE_MS = 5_000;
const CACHE_ENTRIES_MAX = 20_000;
/** Uses of a token are written down so far apart; a moment more than the table asks for. */
const USE_NOTED_MS = 61_000;

const unauthenticated = (cause?: unknown) => new AppError('UNAUTHENTICATED', { cause });

/** Keys of an external issuer, found by discovery on first use. */
function discoverKeys(issuer: string): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const discover = async () => {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`discovery of ${issuer} answered ${response.status}`);
    const { jwks_uri } = (await response.json()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(jwks_uri));
  };
  return async (header, token) => {
    keys ??= discover().catch((error) => {
      keys = undefined;
      throw new AppError('UNAVAILABLE', { message: 'The identity provider does not answer.', cause: error });
    });
    return (await keys)(header, token);
  };
}

export function createAuthenticator(env: Environment, hub: NotificationHub, principals: PrincipalStore): Authenticator {
  let trusted: TrustedIssuers = {
    keys: discoverKeys(env.oidcIssuer),
    issuers: [env.oidcIssuer],
    audiences: [env.oidcAudience],
  };
  let provision: (claims: JWTPayload) => Promise<void> = async () => undefined;
  const verified = createPromiseCache<{ subject: string; expires_at: number }>({
    entriesMax: CACHE_ENTRIES_MAX,
    ttlMs: CACHE_MS,
  });
  const users = createPromiseCache<UserPrincipal>({ entriesMax: CACHE_ENTRIES_MAX, ttlMs: CACHE_MS });
  const tokens = createPromiseCache<UserPrincipal>({ entriesMax: CACHE_ENTRIES_MAX, ttlMs: CACHE_MS });
  const machines = createPromiseCache<MachinePrincipal>({ entriesMax: CACHE_ENTRIES_MAX, ttlMs: CACHE_MS });
  const notedUses = new LRUCache<string, true>({ max: CACHE_ENTRIES_MAX, ttl: USE_NOTED_MS });
  hub.subscribe('sessions', () => verified.clear());
  hub.subscribe('principals', () => {
    users.clear();
    tokens.clear();
    machines.clear();
  });

  async function verifyJwt(bearer: string): Promise<{ subject: string; expires_at: number }> {
    try {
      const { payload } = await jwtVerify(bearer, trusted.keys, {
        issuer: [...trusted.issuers],
        audience: [...trusted.audiences],
        algorithms: ALGORITHMS,
        clockTolerance: 5,
        requiredClaims: ['sub', 'exp'],
      });
      if ((await trusted.isSessionOpen?.(payload)) === false) throw unauthenticated();
      await provision(payload);
      return { subject: payload.sub as string, expires_at: payload.exp as number };
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) throw unauthenticated(error);
      throw error;
    }
  }

  const found = async <Principal>(principal: Promise<Principal | undefined>): Promise<Principal> => {
    const known = await principal;
    if (known === undefined) throw unauthenticated();
    return known;
  };

  function noteUse({ token_id: tokenId }: UserPrincipal, address: string | undefined): void {
    if (tokenId === undefined || address === undefined || notedUses.has(tokenId)) return;
    notedUses.set(tokenId, true);
    principals.noteTokenUse(tokenId, address);
  }

  const requireUnexpired = <Held extends { expires_at: number }>(held: Held): Held => {
    if (held.expires_at * 1000 <= Date.now()) throw unauthenticated();
    return held;
  };

  return {
    trust(given) {
      trusted = given;
      verified.clear();
    },
    provisionWith(given) {
      provision = given;
    },
    async authenticateUser(bearer, address) {
      if (bearer.startsWith(TOKEN_PREFIX)) {
        const token = requireUnexpired(await tokens.get(bearer, () => found(principals.findToken(sha256(bearer)))));
        noteUse(token, address);
        return token;
      }
      const { subject, expires_at } = requireUnexpired(await verified.get(bearer, () => verifyJwt(bearer)));
      return { ...(await users.get(subject, () => found(principals.findUser(subject)))), expires_at };
    },
    authenticateMachine(bearer) {
      if (!bearer.startsWith(MACHINE_PREFIX)) return Promise.reject(unauthenticated());
      return machines.get(bearer, () => found(principals.findMachine(sha256(bearer))));
    },
  };
}

/** The credential of an Authorization header; throws UNAUTHENTICATED when there is none. */
export function bearerOf(header: string | undefined): string {
  const match = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header ?? '');
  if (!match?.[1]) throw unauthenticated();
  return match[1];
}
