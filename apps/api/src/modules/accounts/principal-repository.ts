import { type Role, role as roleSchema, type TokenScope, tokenScope } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import type { Executor } from '../../platform/database.ts';

const rolesOf = (names: readonly string[]): Role[] =>
  names.filter((name): name is Role => roleSchema.safeParse(name).success);

/** The user of a subject; undefined for one that is unknown or disabled. */
export async function findUserPrincipal(db: Executor, subject: string): Promise<UserPrincipal | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.id',
      'users.account_id',
      'users.email',
      'users.roles',
      'users.disabled_at',
      'accounts.suspended_at',
    ])
    .where('users.subject', '=', subject)
    .executeTakeFirst();
  if (!row || row.disabled_at !== null) return undefined;
  return {
    kind: 'user',
    account_id: row.account_id,
    user_id: row.id,
    label: row.email,
    roles: rolesOf(row.roles),
    scopes: 'all',
    is_suspended: row.suspended_at !== null,
    expires_at: 0,
  };
}

/** What a token by its hash stands for; undefined for one that is unknown or revoked, or whose user is disabled. */
export async function findTokenPrincipal(db: Executor, hash: Buffer): Promise<UserPrincipal | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
    .leftJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id',
      'api_tokens.account_id',
      'api_tokens.user_id',
      'api_tokens.name',
      'api_tokens.scopes',
      'api_tokens.expires_at',
    ])
    .select(['api_tokens.issued_by', 'users.roles', 'users.disabled_at', 'accounts.suspended_at'])
    .where('api_tokens.token_hash', '=', hash)
    .where('api_tokens.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row || row.disabled_at !== null) return undefined;
  const roles: readonly string[] = row.user_id === null ? ['user', 'view-attack'] : (row.roles ?? []);
  return {
    kind: 'token',
    token_id: row.id,
    account_id: row.account_id,
    user_id: row.user_id,
    label: row.issued_by === 'operator' ? `operator (${row.name})` : row.name,
    roles: rolesOf(roles),
    scopes: row.scopes.filter((scope): scope is TokenScope => tokenScope.safeParse(scope).success),
    is_suspended: row.suspended_at !== null,
    expires_at: Math.floor(Date.parse(row.expires_at) / 1000),
  };
}
