import type { RouteConfig } from '@cordon/contract';
import { isWildcardName } from '@cordon/contract';
import { insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction, uniqueViolation } from '../../platform/database.ts';
import type { Environment } from '../../platform/env.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import { type AccountService, randomLabel } from '../accounts/service.ts';
import { applyChange, changedPaths, type DraftChange, EMPTY_CONFIG, upstreamSummary } from './config.ts';
import type { ConfigCheck } from './config-check.ts';
import type { Actor, DeployService } from './deploy-service.ts';
import { type NameRules, registrableName, unicodeName } from './name-rules.ts';
import type { OwnershipProof } from './ownership.ts';
import type { Publication } from './publication.ts';
import * as repository from './repository.ts';

export interface NewDomain extends DraftChange {
  /** Of the subscription that it belongs to. */
  readonly cname: string;
  readonly domain_name: string;
  readonly remarks: string;
  readonly deploy: boolean;
}

/** Days after which a proved name that another account gave up needs no TXT proof any more (security design, "Names"). */
const PROOF_DAYS = 30;
/** 80 bits. */
const EXCLUSIVE_LABEL_CHARACTERS = 16;

export interface CreateService {
  /** Adds a domain, and deploys it if asked. Answers its id. Everything or nothing is written. */
  create(actor: Actor, domain: NewDomain): Promise<string>;
}

export interface CreateParts {
  readonly db: Db;
  readonly env: Environment;
  readonly accounts: AccountService;
  readonly rules: NameRules;
  readonly configCheck: ConfigCheck;
  readonly proof: OwnershipProof;
  readonly deploys: DeployService;
  readonly publication: Publication;
  /** After a route without proof exists: starts to watch its name. */
  readonly watch: (executor: Executor, routeId: string) => Promise<void>;
}

type Conflict = 'taken' | 'yours' | 'spans' | undefined;

export function createCreateService(parts: CreateParts): CreateService {
  const { db, env, accounts, proof } = parts;

  async function findConflict(executor: Executor, accountId: string, name: string): Promise<Conflict> {
    const holder = await repository.findName(executor, name);
    if (holder) return holder.account_id === accountId ? 'yours' : 'taken';
    return (await repository.spansOthers(executor, accountId, name)) ? 'spans' : undefined;
  }

  /** Refusals name nobody, but tell the record that would prove the name. */
  function refuse(conflict: Exclude<Conflict, undefined>, accountId: string, name: string): AppError {
    if (conflict === 'yours') return fieldErrors({ domain_name: 'DOMAIN_NAME_YOURS' });
    const record = proof.txtRecord(accountId, name);
    const code = conflict === 'taken' ? 'DOMAIN_NAME_TAKEN' : 'WILDCARD_SPANS_OTHERS';
    return fieldErrors({ domain_name: code }, { domain_name: { txt_name: record.name, txt_value: record.value } });
  }

  async function claimCname(executor: Executor, subscriptionCname: string): Promise<string> {
    for (;;) {
      const label = randomLabel(EXCLUSIVE_LABEL_CHARACTERS);
      if (await repository.claimLabel(executor, label)) return `${label}.${subscriptionCname}`;
    }
  }

  async function insert(
    executor: Executor,
    actor: Actor,
    domain: NewDomain,
    draft: RouteConfig,
    hasProof: boolean,
  ): Promise<string> {
    const { accountId } = actor;
    const name = domain.domain_name;
    const subscription = await accounts.getSubscription(accountId, { cname: domain.cname }, executor);
    await repository.lockNamesBelow(executor, registrableName(name));
    const conflict = await findConflict(executor, accountId, name);
    if (conflict === 'yours' || (conflict !== undefined && !hasProof)) throw refuse(conflict, accountId, name);
    await accounts.takeNames(executor, subscription.id, 1);
    if (conflict === 'taken') {
      const holder = await repository.findName(executor, name);
      if (holder) await parts.deploys.evictIn(executor, holder.route_id, name);
    } else if (conflict === 'spans') {
      // Exact names go before the wildcard: what nobody has proved would keep its names from their owner.
      for (const held of await repository.unprovedBelow(executor, accountId, name))
        await parts.deploys.evictIn(executor, held.route_id, held.name);
    }
    const id = await repository.insertRoute(executor, {
      accountId,
      subscriptionId: subscription.id,
      czone: subscription.czone,
      domainName: name,
      domainNameUnicode: unicodeName(name),
      cname: await claimCname(executor, subscription.cname),
      draft,
      by: actor.label,
      pendingChanges: changedPaths(EMPTY_CONFIG, draft).length,
      upstreamSummary: upstreamSummary(draft),
      remarks: domain.remarks,
      ownershipMethod: env.isDemo ? 'demo' : null,
      proofNeededUntil: await repository.releasedByOthers(executor, accountId, name, PROOF_DAYS),
    });
    await insertAudit(executor, {
      accountId,
      actorKind: actor.kind,
      actor: actor.label,
      action: 'route.create',
      subject: `route ${id}`,
      details: { domain_name: name },
    });
    if (!env.isDemo) await parts.watch(executor, id);
    if (domain.deploy) {
      const route = await repository.lockRoute(executor, accountId, id);
      if (route) await parts.deploys.deployIn(executor, route, actor, '');
    } else await parts.publication.announce(executor, id);
    return id;
  }

  return {
    async create(actor, domain) {
      const name = domain.domain_name;
      parts.rules.checkName(name);
      const subscription = await accounts.getSubscription(actor.accountId, { cname: domain.cname });
      if (subscription.status !== 'active')
        throw new AppError('PLAN_REQUIRED', { message: 'The subscription is not active.' });
      if (isWildcardName(name) && !subscription.features.wildcard_domain)
        throw fieldErrors({ domain_name: 'WILDCARD_NEEDS_VIP' });
      const positions = new Map((domain.plugins ?? []).map((plugin, index) => [plugin.name, index]));
      if (positions.size < (domain.plugins?.length ?? 0)) throw duplicatePlugins(domain);
      const draft = await parts.configCheck.check(applyChange(EMPTY_CONFIG, domain), subscription, { name }, positions);
      const conflict = await findConflict(db, actor.accountId, name);
      const hasProof =
        conflict === 'taken' || conflict === 'spans' ? await proof.hasTxtProof(actor.accountId, name) : false;
      try {
        // Two accounts that take names from each other at once wait for each other.
        return await runInTransaction(db, (trx) => insert(trx, actor, domain, draft, hasProof));
      } catch (error) {
        if (uniqueViolation(error) === 'names_pkey')
          throw refuse((await findConflict(db, actor.accountId, name)) ?? 'taken', actor.accountId, name);
        throw error;
      }
    },
  };
}

/** A plugin given twice in one request: which one counts would be a guess. */
export function duplicatePlugins(change: DraftChange): AppError {
  const names = (change.plugins ?? []).map((plugin) => plugin.name);
  const repeated = names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []));
  return fieldErrors(
    Object.fromEntries(repeated.map((index) => [`plugins.${index}.name`, 'DUPLICATE_ENTRY' as const])),
  );
}
