import {
  type Actor,
  type ApiToken,
  type AuditAction,
  type AuditDetails,
  type NewAuditChange,
  TOKEN_ENDED_DAYS,
  TOKENS_MAX,
  type TokenScope,
  tokenScope,
} from '@cordon/contract';
import { auditedBy, changesOf, insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { newCredential, sha256, TOKEN_PREFIX } from '../../platform/secrets.ts';
import * as repository from './token-repository.ts';

/** Personal API tokens of a user. Those of others are NOT_FOUND, within the account, too. */
export interface TokenService {
  /** The newest first. */
  list(accountId: string, userId: string): Promise<ApiToken[]>;
  /** Answers the secret, which is kept only hashed. Throws TOKEN_NAME_TAKEN at `name`, and TOKENS_FULL. */
  create(
    actor: Actor,
    userId: string,
    token: { readonly name: string; readonly scopes: readonly TokenScope[]; readonly days: number },
  ): Promise<ApiToken & { secret: string }>;
  /** Throws TOKEN_NAME_TAKEN at `name`. */
  rename(actor: Actor, userId: string, tokenId: string, name: string): Promise<ApiToken>;
  /** From then on it opens nothing, on no process. */
  revoke(actor: Actor, userId: string, tokenId: string): Promise<void>;
  /** Job: forgets those that ended 30 days ago, which are listed until then. */
  forgetEnded(): Promise<void>;
}

const DAY_MS = 86_400_000;

const toToken = ({ last_four, scopes, ...row }: repository.TokenRow): ApiToken => ({
  ...row,
  hint: `${TOKEN_PREFIX}…${last_four}`,
  scopes: scopes.filter((scope): scope is TokenScope => tokenScope.safeParse(scope).success),
});

function requireFreeName(tokens: readonly repository.TokenRow[], name: string): void {
  if (tokens.some((token) => token.name.toLowerCase() === name.toLowerCase()))
    throw fieldErrors({ name: 'TOKEN_NAME_TAKEN' });
}

export function createTokenService(db: Db): TokenService {
  const audit = (
    executor: Executor,
    actor: Actor,
    action: AuditAction,
    id: string,
    details: AuditDetails,
    changes?: readonly NewAuditChange[],
  ) => insertAudit(executor, auditedBy(actor, { action, subject: `token ${id}`, details, changes }));

  return {
    list: async (accountId, userId) => (await repository.listTokens(db, { accountId, userId })).map(toToken),
    create: (actor, userId, { name, scopes, days }) =>
      runInTransaction(db, async (executor) => {
        const owner = { accountId: actor.accountId, userId };
        const tokens = await repository.lockTokens(executor, owner);
        requireFreeName(tokens, name);
        if (tokens.length >= TOKENS_MAX) throw new AppError('TOKENS_FULL');
        const secret = newCredential(TOKEN_PREFIX);
        const row = await repository.insertToken(executor, owner, {
          name,
          scopes,
          hash: sha256(secret),
          lastFour: secret.slice(-4),
          expiresAt: new Date(Date.now() + days * DAY_MS),
        });
        await audit(executor, actor, 'token.create', row.id, { name, scopes, expires_at: row.expires_at });
        return { ...toToken(row), secret };
      }),
    rename: (actor, userId, tokenId, name) =>
      runInTransaction(db, async (executor) => {
        const owner = { accountId: actor.accountId, userId };
        const tokens = await repository.lockTokens(executor, owner);
        const row = tokens.find(({ id }) => id === tokenId);
        if (!row) throw notFound();
        requireFreeName(
          tokens.filter((token) => token !== row),
          name,
        );
        const changes = changesOf({ name: row.name }, { name });
        if (changes.length > 0) {
          await repository.renameToken(executor, owner, tokenId, name);
          await audit(executor, actor, 'token.rename', tokenId, { name }, changes);
        }
        return toToken({ ...row, name });
      }),
    revoke: (actor, userId, tokenId) =>
      runInTransaction(db, async (executor) => {
        const row = await repository.deleteToken(executor, { accountId: actor.accountId, userId }, tokenId);
        if (!row) throw notFound();
        await audit(executor, actor, 'token.revoke', tokenId, row);
      }),
    forgetEnded: () => repository.forgetEndedTokens(db, TOKEN_ENDED_DAYS),
  };
}
