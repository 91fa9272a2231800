import {
  type Actor,
  type FieldErrorCode,
  isWildcardName,
  type Page,
  SHADOW_DOMAINS_MAX,
  type ShadowDomain,
} from '@cordon/contract';
import { type Db, type Executor, runInTransaction, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { unicodeName } from '../../platform/unicode-name.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { Claim, NameClaims } from './name-claims.ts';
import type { ReleaseNames } from './name-release.ts';
import { type NameRules, registrableName } from './name-rules.ts';
import { type OwnershipProof, toOwnership } from './ownership-proof.ts';
import * as names from './repository.ts';
import { shadowDomainFaultOf } from './shadow-domain-faults.ts';
import type { ShadowDomainWatch } from './shadow-domain-watch.ts';

/** Shadow domains of a domain. They take effect at once and make no version. Another account's domains are NOT_FOUND. */
export interface ShadowDomainService {
  list(
    accountId: string,
    routeId: string,
    filter: names.ShadowFilter & Page,
  ): Promise<{ results: ShadowDomain[]; count: number }>;
  /**
   * Adds shadow domains, all or none; each is served once its DNS points here. Throws DOMAIN_NOT_DEPLOYED before the
   * first deploy, QUOTA_REACHED when there are not that many names left, and one error that names every wrong one
   * (`names.3`).
   */
  add(actor: Actor, routeId: string, added: readonly string[]): Promise<void>;
  /** Frees shadow domains. NOT_FOUND unless each of them is one of the domain. */
  remove(actor: Actor, routeId: string, removed: readonly string[]): Promise<void>;
  /**
   * Makes a shadow domain the main name and the main name a shadow domain. Throws at `name`: SHADOW_IS_WILDCARD,
   * SHADOW_NOT_VERIFIED after one more look at DNS, and what a name may not be.
   */
  promote(actor: Actor, routeId: string, name: string): Promise<void>;
  /** Looks at DNS now; answers what the shadow domains are then. */
  verify(accountId: string, routeId: string, asked: readonly string[]): Promise<ShadowDomain[]>;
}

/** Has what is scheduled for a domain name it by its new main name. In the caller's transaction. */
export type RenameInTasks = (executor: Executor, accountId: string, routeId: string, name: string) => Promise<void>;

export interface ShadowDomainParts {
  readonly db: Db;
  readonly isDemo: boolean;
  readonly subscriptions: SubscriptionService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly releaseNames: ReleaseNames;
  readonly rules: NameRules;
  readonly proof: OwnershipProof;
  readonly claims: NameClaims;
  readonly watch: ShadowDomainWatch;
  readonly publication: Publication;
  readonly renameInTasks: RenameInTasks;
}

const LOOKS_AT_ONCE = 10;

export function createShadowDomainService(parts: ShadowDomainParts): ShadowDomainService {
  const { db, subscriptions, rules, publication } = parts;

  async function find(accountId: string, routeId: string): Promise<routes.RouteRow> {
    const route = await routes.findRoute(db, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  async function lock(executor: Executor, accountId: string, routeId: string): Promise<routes.RouteRow> {
    const route = await routes.lockRoute(executor, accountId, routeId);
    if (!route) throw notFound();
    routes.requireChangeable(route);
    return route;
  }

  async function toShadowDomains(route: routes.RouteRow, rows: readonly names.NameRow[]): Promise<ShadowDomain[]> {
    const { ipv6 } = await subscriptions.get(route.account_id, { id: route.subscription_id });
    const destination = { czoneAddresses: (await parts.addressesByCzone())[route.czone] ?? [], ipv6 };
    return rows.map((row) => ({
      name: row.name,
      name_unicode: unicodeName(row.name),
      ownership: toOwnership(parts.proof, { ...row, domain_name: row.name, cname: route.cname }, destination),
      created_at: row.created_at,
    }));
  }

  function checkNames(route: routes.RouteRow, added: readonly string[], canHaveWildcards: boolean): void {
    const fields: Record<string, FieldErrorCode> = {};
    const setting = { mainName: route.domain_name, configs: [route.live, route.draft], canHaveWildcards };
    for (const [index, name] of added.entries()) {
      const fault = added.indexOf(name) < index ? 'DUPLICATE_ENTRY' : shadowDomainFaultOf(rules, name, setting);
      if (fault !== undefined) fields[`names.${index}`] = fault;
    }
    if (Object.keys(fields).length > 0) throw fieldErrors(fields);
  }

  async function requireRoom(executor: Executor, route: routes.RouteRow, added: number): Promise<void> {
    const count = await names.countShadows(executor, route.account_id, route.id);
    if (count + added > SHADOW_DOMAINS_MAX)
      throw fieldErrors({ names: 'TOO_MANY' }, { names: { maximum: SHADOW_DOMAINS_MAX } });
  }

  async function insert(
    executor: Executor,
    actor: Actor,
    routeId: string,
    claim: Claim,
    proved: ReadonlySet<string>,
  ): Promise<void> {
    const proofNeeded = await parts.claims.claimIn(executor, claim, proved);
    const route = await lock(executor, actor.accountId, routeId);
    if (claim.names.includes(route.domain_name))
      throw fieldErrors({ [claim.pathOf(claim.names.indexOf(route.domain_name))]: 'SHADOW_IS_MAIN' });
    await requireRoom(executor, route, claim.names.length);
    await names.insertNames(
      executor,
      route,
      'shadow',
      claim.names.map((name) => ({
        name,
        method: parts.isDemo ? 'demo' : null,
        proofNeededUntil: proofNeeded.get(name),
      })),
    );
    await routes.auditRoute(executor, actor, 'route.shadow_add', route, { names: claim.names });
    if (!parts.isDemo) await parts.watch.watch(executor, routeId, claim.names);
    await publication.changeAtOnce(executor, route, 'add_shadow');
  }

  return {
    async list(accountId, routeId, filter) {
      const route = await find(accountId, routeId);
      const rows = await names.listShadows(db, accountId, routeId, filter);
      return {
        results: await toShadowDomains(route, rows),
        count: await names.countShadows(db, accountId, routeId, filter),
      };
    },
    async add(actor, routeId, added) {
      const route = await find(actor.accountId, routeId);
      routes.requireChangeable(route);
      if (route.version_live === null)
        throw new AppError('DOMAIN_NOT_DEPLOYED', {
          message: 'A domain must be deployed before shadow domains can be added.',
        });
      const subscription = await subscriptions.get(actor.accountId, { id: route.subscription_id });
      if (subscription.status !== 'active')
        throw new AppError('PLAN_REQUIRED', { message: 'The subscription is not active.' });
      checkNames(route, added, subscription.features.wildcard_domain);
      const claim: Claim = {
        accountId: actor.accountId,
        subscriptionId: subscription.id,
        names: added,
        pathOf: (index) => `names.${index}`,
      };
      const proved = await parts.claims.proved(actor.accountId, added);
      try {
        await runInTransaction(db, (trx) => insert(trx, actor, routeId, claim, proved));
      } catch (error) {
        if (uniqueViolation(error) === 'names_pkey') throw await parts.claims.refusal(db, claim);
        if (error instanceof AppError && error.code === 'QUOTA_REACHED')
          throw new AppError('QUOTA_REACHED', {
            message: 'Shadow domains exceed available domains.',
            params: { QUOTA_REACHED: { asked: added.length, ...error.params.QUOTA_REACHED } },
          });
        throw error;
      }
    },
    remove: (actor, routeId, removed) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        const found = await names.findShadows(trx, actor.accountId, routeId, removed);
        if (found.length < new Set(removed).size) throw notFound();
        const freed = await parts.releaseNames(trx, route, { names: removed });
        await routes.auditRoute(trx, actor, 'route.shadow_remove', route, { names: freed });
        await publication.changeAtOnce(trx, route, 'remove_shadow');
      }),
    async promote(actor, routeId, name) {
      const route = await find(actor.accountId, routeId);
      routes.requireChangeable(route);
      const [shadowDomain] = await names.findShadows(db, actor.accountId, routeId, [name]);
      if (!shadowDomain) throw notFound();
      if (isWildcardName(name)) throw fieldErrors({ name: 'SHADOW_IS_WILDCARD' });
      const fault = rules.faultOf(name);
      if (fault !== undefined) throw fieldErrors({ name: fault });
      if (shadowDomain.ownership_state === 'pending') await parts.watch.look(route, shadowDomain);
      await runInTransaction(db, async (trx) => {
        // Before the route, as everywhere that names are taken: no other account proves the name for itself meanwhile.
        await names.lockNamesBelow(trx, registrableName(name));
        const locked = await lock(trx, actor.accountId, routeId);
        const [current] = await names.findShadows(trx, actor.accountId, routeId, [name]);
        if (!current) throw notFound();
        if (current.ownership_state !== 'verified') throw fieldErrors({ name: 'SHADOW_NOT_VERIFIED' });
        await names.swapMainName(trx, locked, name, unicodeName(name));
        if (locked.ownership_state === 'pending') await parts.watch.watch(trx, routeId, [locked.domain_name]);
        await routes.auditRoute(trx, actor, 'route.shadow_promote', locked, { name });
        await parts.renameInTasks(trx, actor.accountId, routeId, name);
        const promoted = await lock(trx, actor.accountId, routeId);
        await publication.changeAtOnce(trx, promoted, 'promote_shadow');
      });
    },
    async verify(accountId, routeId, asked) {
      const route = await find(accountId, routeId);
      const rows = await names.findShadows(db, accountId, routeId, asked);
      if (rows.length < new Set(asked).size) throw notFound();
      for (let start = 0; start < rows.length; start += LOOKS_AT_ONCE)
        await Promise.all(rows.slice(start, start + LOOKS_AT_ONCE).map((row) => parts.watch.look(route, row)));
      return toShadowDomains(route, await names.findShadows(db, accountId, routeId, asked));
    },
  };
}
