import { randomBytes } from 'node:crypto';
import { tokenScope } from '@cordon/contract';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { type AccountService, createAccountService } from '../modules/accounts/service.ts';
import { createPasswords, normalizeEmail, passwordFault } from '../modules/identity/service.ts';
import { markVerified } from '../modules/names/service.ts';
import { findOriginSeeds } from '../modules/origins/service.ts';
import { createPublication, type Publication } from '../modules/publishing/service.ts';
import { lockAnyRoute, setRouteSuspended } from '../modules/routes/service.ts';
import { createSubscriptionService } from '../modules/subscriptions/service.ts';
import { runInTransaction, uniqueViolation } from '../platform/database.ts';
import { audit, type OperatorContext, type Options, requireReason } from './context.ts';
import * as repository from './repository.ts';
import { OPERATOR_SCOPES, OperatorError } from './usage.ts';

const TTL_SECONDS_MAX = 3_600;
const TTL_DEFAULT = '15m';
const ROUTES_AT_ONCE = 200;

const parseTtl = (text: string): number => {
  const seconds = durationSeconds(text) ?? 0;
  if (seconds < 1 || seconds > TTL_SECONDS_MAX)
    throw new OperatorError(`--ttl must be between 1s and 1h, as in 30m; "${text}" is not.`);
  return seconds;
};

async function accountOf(context: OperatorContext, text: string | undefined): Promise<string> {
  if (text === undefined) throw new OperatorError('Name the account by e-mail or id.');
  const id = await repository.findAccountId(context.db, text);
  if (id === undefined) throw new OperatorError(`There is no account "${text}".`);
  return id;
}

async function routeOf(context: OperatorContext, text: string | undefined): Promise<string> {
  if (text === undefined) throw new OperatorError('Name the domain by its name or id.');
  const id = await repository.findRouteId(context.db, text);
  if (id === undefined) throw new OperatorError(`There is no domain "${text}".`);
  return id;
}

const accountsOf = ({ env, db }: OperatorContext): AccountService => createAccountService(env, db);

const publicationOf = ({ env, db }: OperatorContext): Publication =>
  createPublication({
    accounts: createAccountService(env, db),
    subscriptions: createSubscriptionService(env, db),
    findOriginSeeds,
  });

export async function issueToken(context: OperatorContext, options: Options): Promise<void> {
  const reason = requireReason(options);
  const accountId = await accountOf(context, options.account ?? options.email);
  const seconds = parseTtl(options.ttl ?? TTL_DEFAULT);
  const scopes = (options.scopes?.split(',').map((scope) => scope.trim()) ?? [...OPERATOR_SCOPES]).map((scope) => {
    const parsed = tokenScope.safeParse(scope);
    if (!parsed.success || !OPERATOR_SCOPES.includes(parsed.data))
      throw new OperatorError(`"${scope}" is no scope for the operator; there are ${OPERATOR_SCOPES.join(', ')}.`);
    return parsed.data;
  });
  const accounts = accountsOf(context);
  const token = await runInTransaction(context.db, async (trx) => {
    const issued = await accounts.issueOperatorToken(trx, {
      accountId,
      name: reason.slice(0, 200),
      scopes,
      ttlSeconds: seconds,
    });
    await audit(trx, {
      accountId,
      action: 'operator.token',
      subject: `account ${accountId}`,
      reason,
      details: { scopes, expires_at: issued.expiresAt.toISOString() },
    });
    return issued.token;
  });
  context.print(token);
}

export async function createAccount(context: OperatorContext, options: Options): Promise<void> {
  const reason = requireReason(options);
  const email = normalizeEmail(options.email ?? '');
  if (email === null) throw new OperatorError('Give a valid address with --email.');
  if (options.passwordStdin === options.generate)
    throw new OperatorError('Give the password with --password-stdin, or have one made with --generate.');
  const password = options.generate
    ? randomBytes(15).toString('base64url')
    : (await context.readStdin()).replace(/\r?\n$/, '');
  const fault = passwordFault(password, { email, names: [options.name ?? ''] });
  if (fault !== null) throw new OperatorError(`The password is refused: ${fault}.`);
  const passwordHash = await createPasswords().hash(password);
  const accounts = accountsOf(context);
  const plan = options.plan ?? (context.env.isDemo ? 'vip' : 'free');
  try {
    const made = await runInTransaction(context.db, async (trx) => {
      const created = await accounts.createAccount(
        { email, name: options.name ?? '', passwordHash, plan, isEmailVerified: true },
        trx,
      );
      await audit(trx, {
        accountId: created.accountId,
        action: 'operator.account_create',
        subject: `account ${created.accountId}`,
        reason,
      });
      return created;
    });
    context.print(`account ${made.accountId}`);
    if (options.generate) context.print(`password ${password}`);
  } catch (error) {
    if (uniqueViolation(error) === 'users_email') throw new OperatorError(`There is an account with ${email} already.`);
    throw error;
  }
}

export async function listAccounts(context: OperatorContext): Promise<void> {
  for (const row of await repository.listAccounts(context.db))
    context.print(
      [
        row.id,
        row.email,
        row.plan,
        `${row.domains} domains`,
        row.suspended_at === null ? 'active' : 'suspended',
        row.created_at,
      ].join('\t'),
    );
}

/** Takes an account or a domain off the edge, or brings it back; live as soon as the nodes hear of it. */
export async function setSuspended(
  context: OperatorContext,
  kind: string | undefined,
  target: string | undefined,
  isSuspended: boolean,
  options: Options,
): Promise<void> {
  const reason = requireReason(options);
  const publication = publicationOf(context);
  const action = isSuspended ? 'suspend' : 'unsuspend';
  if (kind === 'route') {
    const routeId = await routeOf(context, target);
    await runInTransaction(context.db, async (trx) => {
      const route = await lockAnyRoute(trx, routeId);
      if (!route) throw new OperatorError('The domain is gone.');
      await setRouteSuspended(trx, routeId, isSuspended ? reason : null);
      await audit(trx, {
        accountId: route.account_id,
        action: `operator.${action}_route`,
        subject: `route ${routeId}`,
        reason,
        details: { domain_name: route.domain_name },
      });
      await publication.republish(trx, routeId);
      await publication.announce(trx, [{ routeId }]);
    });
    context.print(`route ${routeId} ${action}ed`);
    return;
  }
  if (kind !== 'account') throw new OperatorError(`Say what to ${action}: account or route.`);
  const accountId = await accountOf(context, target);
  const accounts = accountsOf(context);
  await runInTransaction(context.db, async (trx) => {
    await accounts.setSuspended(trx, accountId, isSuspended ? reason : null);
    await audit(trx, {
      accountId,
      action: `operator.${action}_account`,
      subject: `account ${accountId}`,
      reason,
    });
  });
  let count = 0;
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const routes = await repository.routesOnEdge(context.db, accountId, afterId, ROUTES_AT_ONCE);
    const last = routes.at(-1);
    if (last === undefined) break;
    await runInTransaction(context.db, async (trx) => {
      for (const routeId of routes) {
        await lockAnyRoute(trx, routeId);
        await publication.republish(trx, routeId);
      }
    });
    count += routes.length;
    afterId = last;
  }
  context.print(`account ${accountId} ${action}ed, ${count} domains sent to the edge`);
}

export async function verifyName(
  context: OperatorContext,
  target: string | undefined,
  options: Options,
): Promise<void> {
  const reason = requireReason(options);
  const routeId = await routeOf(context, target);
  const publication = publicationOf(context);
  await runInTransaction(context.db, async (trx) => {
    const route = await lockAnyRoute(trx, routeId);
    if (!route) throw new OperatorError('The domain is gone.');
    // A shadow domain has a proof of its own: naming it says nothing about the main name.
    const name = target?.toLowerCase() === routeId ? route.domain_name : (target?.toLowerCase() ?? '');
    await audit(trx, {
      accountId: route.account_id,
      action: 'operator.verify_name',
      subject: `route ${routeId}`,
      reason,
      details: { domain_name: route.domain_name, name },
    });
    await markVerified(publication, trx, route, 'operator', name === route.domain_name ? undefined : name);
  });
  context.print(`route ${routeId} verified`);
}
