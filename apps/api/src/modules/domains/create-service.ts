import type { Actor, RouteConfig } from '@cordon/contract';
import { isWildcardName, SHADOW_DOMAINS_MAX } from '@cordon/contract';
import { type Db, type Executor, runInTransaction, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import { unicodeName } from '../../platform/unicode-name.ts';
import type { Environment } from '../../settings/env.ts';
import { type Claim, insertNames, type NameClaims, type NameRules, shadowDomainFaultOf } from '../names/service.ts';
import type { PluginSecrets, TakenSecret } from '../plugin-secrets/service.ts';
import type { DeployService, Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { randomLabel, type SubscriptionService } from '../subscriptions/service.ts';
import type { ConfigCheck } from './config-check.ts';
import * as repository from './repository.ts';

export interface NewDomain extends routes.DraftChange {
  /** Of the subscription that it belongs to. */
  readonly cname: string;
  readonly domain_name: string;
  readonly remarks: string;
  readonly deploy: boolean;
  /** For the history, of the version that `deploy` makes. */
  readonly note?: string | undefined;
  /** Names that are served like the main one from version 1 on, so of a domain that is deployed only (spec section 5). */
  readonly shadow_domains?: readonly string[] | undefined;
}

/** 80 bits. */
const EXCLUSIVE_LABEL_CHARACTERS = 16;

export interface CreateService {
  /** Adds a domain, and deploys it if asked. Answers its id. Everything or nothing is written. */
  create(actor: Actor, domain: NewDomain): Promise<string>;
  /** The first half: everything that asks DNS. Throws what is wrong with the domain. */
  prepare(actor: Actor, domain: NewDomain): Promise<PreparedDomain>;
  /** The second half, inside the caller's transaction. */
  createIn(executor: Executor, actor: Actor, prepared: PreparedDomain, clonedFrom?: string): Promise<string>;
}

/** A domain that may be added, as far as can be said before its name is claimed. */
export interface PreparedDomain {
  readonly domain: NewDomain;
  readonly draft: RouteConfig;
  readonly secrets: readonly TakenSecret[];
  readonly subscriptionId: string;
  /** Names that TXT records prove to be the account's. */
  readonly proved: ReadonlySet<string>;
}

export interface CreateParts {
  readonly db: Db;
  readonly env: Environment;
  readonly subscriptions: SubscriptionService;
  readonly rules: NameRules;
  readonly configCheck: ConfigCheck;
  readonly secrets: PluginSecrets;
  readonly claims: NameClaims;
  readonly deploys: DeployService;
  readonly publication: Publication;
  /** After a route without proof exists: starts to watch its name. */
  readonly watch: (executor: Executor, routeId: string) => Promise<void>;
  /** The same for its shadow domains. */
  readonly watchShadowDomains: (executor: Executor, routeId: string, names: readonly string[]) => Promise<void>;
}

export function createCreateService(parts: CreateParts): CreateService {
  const { db, env, subscriptions, claims } = parts;

  const namesOf = (domain: NewDomain): string[] => [domain.domain_name, ...(domain.shadow_domains ?? [])];
  // All at once: names are locked in one order, before any route.
  const claimOf = (accountId: string, subscriptionId: string, domain: NewDomain): Claim => ({
    accountId,
    subscriptionId,
    names: namesOf(domain),
    pathOf: (index) => (index === 0 ? 'domain_name' : `shadow_domains.${index - 1}`),
  });

  function checkShadowDomains(domain: NewDomain, draft: RouteConfig, canHaveWildcards: boolean): void {
    const { shadow_domains: shadowDomains = [], domain_name: mainName } = domain;
    if (shadowDomains.length > 0 && !domain.deploy)
      throw new AppError('DOMAIN_NOT_DEPLOYED', {
        message: 'A domain must be deployed before shadow domains can be added.',
      });
    if (shadowDomains.length > SHADOW_DOMAINS_MAX)
      throw fieldErrors({ shadow_domains: 'TOO_MANY' }, { shadow_domains: { maximum: SHADOW_DOMAINS_MAX } });
    const faults = shadowDomains.flatMap((name, index) => {
      const isAgain = shadowDomains.indexOf(name) < index;
      const fault = isAgain
        ? 'DUPLICATE_ENTRY'
        : shadowDomainFaultOf(parts.rules, name, { mainName, configs: [draft], canHaveWildcards });
      return fault === undefined ? [] : [[`shadow_domains.${index}`, fault] as const];
    });
    if (faults.length > 0) throw fieldErrors(Object.fromEntries(faults));
  }

  /** In the same transaction as version 1, which is made with them. */
  async function insertShadowDomains(
    executor: Executor,
    actor: Actor,
    route: { id: string; account_id: string; subscription_id: string; domain_name: string },
    shadowDomains: readonly string[],
    proofNeeded: ReadonlyMap<string, string | undefined>,
  ): Promise<void> {
    if (shadowDomains.length === 0) return;
    const method = env.isDemo ? 'demo' : null;
    const rows = shadowDomains.map((name) => ({ name, method, proofNeededUntil: proofNeeded.get(name) }) as const);
    await insertNames(executor, route, 'shadow', rows);
    await routes.auditRoute(executor, actor, 'route.shadow_add', route, { names: shadowDomains });
    if (!env.isDemo) await parts.watchShadowDomains(executor, route.id, shadowDomains);
  }

  async function claimCname(executor: Executor, subscriptionCname: string): Promise<string> {
    for (;;) {
      const label = randomLabel(EXCLUSIVE_LABEL_CHARACTERS);
      if (await repository.claimLabel(executor, label)) return `${label}.${subscriptionCname}`;
    }
  }

  async function createIn(
    executor: Executor,
    actor: Actor,
    { domain, draft, secrets, proved }: PreparedDomain,
    clonedFrom?: string,
  ): Promise<string> {
    const { accountId } = actor;
    const name = domain.domain_name;
    const subscription = await subscriptions.get(accountId, { cname: domain.cname }, executor);
    const proofNeeded = await claims.claimIn(executor, claimOf(accountId, subscription.id, domain), proved);
    await parts.secrets.keepIn(executor, accountId, secrets);
    const id = await repository.insertRoute(executor, {
      accountId,
      subscriptionId: subscription.id,
      czone: subscription.czone,
      domainName: name,
      domainNameUnicode: unicodeName(name),
      cname: await claimCname(executor, subscription.cname),
      draft,
      by: actor.label,
      pendingSettings: routes.settingsChanged(null, draft),
      upstreamSummary: routes.upstreamSummary(draft),
      remarks: domain.remarks,
      ownershipMethod: env.isDemo ? 'demo' : null,
      proofNeededUntil: proofNeeded.get(name),
    });
    const origin = clonedFrom === undefined ? {} : { cloned_from: clonedFrom };
    await routes.auditRoute(executor, actor, 'route.create', { id, domain_name: name }, origin);
    if (!env.isDemo) await parts.watch(executor, id);
    const names = { id, account_id: accountId, subscription_id: subscription.id, domain_name: name };
    await insertShadowDomains(executor, actor, names, domain.shadow_domains ?? [], proofNeeded);
    if (domain.deploy) {
      const route = await routes.lockRoute(executor, accountId, id);
      if (route) await parts.deploys.deployIn(executor, actor, route, { note: domain.note ?? '' });
    } else await parts.publication.announce(executor, [{ routeId: id }]);
    return id;
  }

  async function prepare(actor: Actor, domain: NewDomain): Promise<PreparedDomain> {
    const name = domain.domain_name;
    parts.rules.checkName(name);
    const subscription = await subscriptions.get(actor.accountId, { cname: domain.cname });
    if (subscription.status !== 'active')
      throw new AppError('PLAN_REQUIRED', { message: 'The subscription is not active.' });
    if (isWildcardName(name) && !subscription.features.wildcard_domain)
      throw fieldErrors({ domain_name: 'WILDCARD_NEEDS_VIP' });
    const positions = new Map((domain.plugins ?? []).map((plugin, index) => [plugin.name, index]));
    if (positions.size < (domain.plugins?.length ?? 0)) throw duplicatePlugins(domain);
    const { plugins, secrets } = await parts.secrets.take(db, actor.accountId, domain.plugins ?? []);
    const draft = await parts.configCheck.check(
      routes.applyChange(routes.EMPTY_CONFIG, { ...domain, plugins }),
      subscription,
      { accountId: actor.accountId, name },
      { positions, isDraft: !domain.deploy },
    );
    checkShadowDomains(domain, draft, subscription.features.wildcard_domain);
    const proved = await claims.proved(actor.accountId, namesOf(domain));
    return { domain, draft, secrets, subscriptionId: subscription.id, proved };
  }

  return {
    prepare,
    createIn,
    async create(actor, domain) {
      const prepared = await prepare(actor, domain);
      try {
        // Two accounts that take names from each other at once wait for each other.
        return await runInTransaction(db, (trx) => createIn(trx, actor, prepared));
      } catch (error) {
        if (uniqueViolation(error) === 'names_pkey')
          throw await claims.refusal(db, claimOf(actor.accountId, prepared.subscriptionId, domain));
        throw error;
      }
    },
  };
}

/** A plugin given twice in one request: which one counts would be a guess. */
export function duplicatePlugins(change: routes.DraftChange): AppError {
  const names = (change.plugins ?? []).map((plugin) => plugin.name);
  const repeated = names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []));
  return fieldErrors(
    Object.fromEntries(repeated.map((index) => [`plugins.${index}.name`, 'DUPLICATE_ENTRY' as const])),
  );
}
