import type { Actor, FieldErrorCode, RouteConfig } from '@cordon/contract';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionRow, SubscriptionService } from '../subscriptions/service.ts';
import type { Deletion } from './deletion.ts';
import { requireRevision } from './draft-revision.ts';
import type { OperationRow } from './operation-repository.ts';
import { keepResolved } from './plugin-resolution.ts';
import type { Publication } from './publication.ts';
import * as repository from './repository.ts';
import { refusedByTlsCaLimit } from './tls-ca-limit.ts';
import { findVersion } from './version-repository.ts';

/** What a deploy says of itself in the history. `rolledBackTo`: the earlier version that it brings back. */
export interface DeployNote {
  readonly note: string;
  readonly rolledBackTo?: number | undefined;
}

/** What deploys of one domain and of many are. Another account's domains are NOT_FOUND. */
export interface DeployService {
  /** Makes the draft of a locked route version N and brings it to the nodes. Answers the operation. */
  deployIn(executor: Executor, actor: Actor, route: routes.RouteRow, how: DeployNote): Promise<string>;
  /**
   * The same for locked routes of one account, of which each may be deployed; answers the operations by route, and the
   * error of what the plan does not allow.
   */
  deployMany(
    executor: Executor,
    actor: Actor,
    deployed: readonly routes.RouteRow[],
    how: DeployNote,
  ): Promise<ReadonlyMap<string, OperationRow | AppError>>;
  /** Takes locked, running routes of one account off the edge; answers the operations by route. */
  deactivateMany(
    executor: Executor,
    actor: Actor,
    deactivated: readonly routes.RouteRow[],
  ): Promise<ReadonlyMap<string, OperationRow>>;
  /**
   * Brings locked, deactivated routes of one account back with the version that was live; answers the operations by
   * route, and the error of names that may no longer be used.
   */
  resumeMany(
    executor: Executor,
    actor: Actor,
    resumed: readonly routes.RouteRow[],
  ): Promise<ReadonlyMap<string, OperationRow | AppError>>;
  /** Deletes locked routes of one account; answers the operations by route. */
  removeMany(
    executor: Executor,
    actor: Actor,
    removed: readonly routes.RouteRow[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Deploys the draft that has this revision; checks it once more, as plan and DNS may have changed. Equal deploys at once make
   * one version.
   */
  deploy(actor: Actor, routeId: string, revision: number, note: string): Promise<void>;
  /** Throws DOMAIN_STATE_FORBIDS unless running. */
  deactivate(actor: Actor, routeId: string): Promise<void>;
  /** Throws DOMAIN_NOT_DEPLOYED without a version, DOMAIN_STATE_FORBIDS unless deactivated. */
  resume(actor: Actor, routeId: string): Promise<void>;
  /** Throws SUBSCRIPTION_NOT_FOUND unless `cname` is the route's subscription, NAME_CONFIRMATION_MISMATCH at `confirm`. */
  remove(actor: Actor, routeId: string, check: { cname: string; confirm: string | undefined }): Promise<void>;
}

/** Checks a configuration by the rules of today (domains/config-check.ts). Asks DNS: not for use inside a transaction. */
export type CheckConfig = (
  config: RouteConfig,
  limits: SubscriptionRow,
  domain: { readonly accountId: string; readonly name: string; readonly routeId: string },
  how?: { readonly isDraft?: boolean; readonly positions?: ReadonlyMap<string, number> },
) => Promise<RouteConfig>;

/** No plugin stands in the request: faults have their names. */
const NO_POSITIONS: ReadonlyMap<string, number> = new Map();

/** Why a name may not be used by any account; undefined when it may. */
export type NameFault = (name: string) => FieldErrorCode | undefined;

type NameToGoLive = { readonly name: string; readonly kind: 'main' | 'shadow' };

/** What a name may be is asked again whenever it goes live, also at a roll-back: rules and our own hosts change. */
export function requireNamesThatMayGoLive(faultOf: NameFault, names: readonly NameToGoLive[]): void {
  const refusal = nameRefusal(faultOf, names);
  if (refusal) throw refusal;
}

function nameRefusal(faultOf: NameFault, names: readonly NameToGoLive[]): AppError | undefined {
  const fields: Record<string, FieldErrorCode> = {};
  let shadowDomains = 0;
  for (const { name, kind } of names) {
    const fault = faultOf(name);
    const path = kind === 'main' ? 'domain_name' : `shadow_domains.${shadowDomains++}`;
    if (fault !== undefined) fields[path] = fault;
  }
  return Object.keys(fields).length > 0 ? fieldErrors(fields) : undefined;
}

/** Throws DOMAIN_NOT_DEPLOYED without a version, DOMAIN_STATE_FORBIDS unless deactivated. */
export function requireResumable(route: routes.RouteRow): void {
  routes.requireChangeable(route);
  if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
  if (route.status !== 'deactivated') throw routes.stateForbids(route.status);
}

export interface DeployParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  readonly publication: Publication;
  readonly deletion: Deletion;
  readonly nameFault: NameFault;
  readonly checkConfig: CheckConfig;
}

export function createDeployService(parts: DeployParts): DeployService {
  const { db, subscriptions, publication, deletion } = parts;

  async function lock(executor: Executor, accountId: string, routeId: string): Promise<routes.RouteRow> {
    const route = await routes.lockRoute(executor, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  /** Whether another call has deployed the same draft with the same note since the route was read. */
  async function isDeployedSince(executor: Executor, read: routes.RouteRow, locked: routes.RouteRow, note: string) {
    const { version_live: version, pending_changes: pending } = locked;
    if (version === null || version === read.version_live || pending > 0 || locked.status !== 'running') return false;
    return (await findVersion(executor, locked.account_id, locked.id, version))?.note === note;
  }

  const requireNames = async (executor: Executor, routeId: string): Promise<void> =>
    requireNamesThatMayGoLive(parts.nameFault, await routes.namesOfRoute(executor, routeId));

  async function deployMany(
    executor: Executor,
    actor: Actor,
    deployed: readonly routes.RouteRow[],
    { note, rolledBackTo }: DeployNote,
  ): Promise<ReadonlyMap<string, OperationRow | AppError>> {
    const asked = deployed.map((route) => route.id);
    const refused = await refusedByTlsCaLimit(executor, subscriptions, asked);
    const ids = asked.filter((id) => !refused.has(id));
    if (ids.length === 0) return refused;
    const pending = await repository.pendingChangesOf(executor, ids);
    const live = await repository.makeDraftsLive(executor, ids);
    // After the routes say which versions are live: those are never let go.
    await repository.insertLiveVersions(executor, pending, actor, { note, rolledBackTo });
    await keepResolved(executor, live);
    await routes.auditRoutes(executor, actor, 'route.deploy', live, (route) => ({
      version: route.version_live,
      ...(note === '' ? {} : { note }),
      ...(rolledBackTo === undefined ? {} : { rolled_back_to: rolledBackTo }),
    }));
    const operations = await publication.publish(executor, live, 'deploy');
    return new Map<string, OperationRow | AppError>([...refused, ...operations]);
  }

  async function deployIn(executor: Executor, actor: Actor, route: routes.RouteRow, how: DeployNote): Promise<string> {
    routes.requireChangeable(route);
    await requireNames(executor, route.id);
    const outcome = (await deployMany(executor, actor, [route], how)).get(route.id);
    if (outcome instanceof AppError) throw outcome;
    return outcome?.id ?? '';
  }

  async function deactivateMany(executor: Executor, actor: Actor, deactivated: readonly routes.RouteRow[]) {
    const ids = deactivated.map((route) => route.id);
    const off = await repository.takeOffEdge(executor, ids, 'deactivated');
    await routes.auditRoutes(executor, actor, 'route.deactivate', off);
    return publication.publish(executor, off, 'deactivate');
  }

  async function resumeMany(executor: Executor, actor: Actor, resumed: readonly routes.RouteRow[]) {
    const ids = resumed.map((route) => route.id);
    const names = groupBy(await routes.namesOfRoutes(executor, ids), (name) => name.route_id);
    const outcomes = new Map<string, OperationRow | AppError>();
    for (const id of ids) {
      const refusal = nameRefusal(parts.nameFault, names.get(id) ?? []);
      if (refusal) outcomes.set(id, refusal);
    }
    const allowed = ids.filter((id) => !outcomes.has(id));
    if (allowed.length === 0) return outcomes;
    const back = await repository.putOnEdge(executor, allowed);
    await routes.auditRoutes(executor, actor, 'route.resume', back, (route) => ({ version: route.version_live }));
    for (const [id, operation] of await publication.publish(executor, back, 'resume')) outcomes.set(id, operation);
    return outcomes;
  }

  return {
    deployIn,
    deployMany,
    deactivateMany,
    resumeMany,
    removeMany: deletion.remove,
    async deploy(actor, routeId, revision, note) {
      const route = await routes.findRoute(db, actor.accountId, routeId);
      if (!route) throw notFound();
      await requireRevision(db, route, revision);
      const subscription = await subscriptions.get(actor.accountId, { id: route.subscription_id });
      const domain = { accountId: actor.accountId, name: route.domain_name, routeId };
      await parts.checkConfig(route.draft, subscription, domain, { positions: NO_POSITIONS });
      await runInTransaction(db, async (trx) => {
        const locked = await lock(trx, actor.accountId, routeId);
        await requireRevision(trx, locked, revision);
        if (await isDeployedSince(trx, route, locked, note)) return;
        await deployIn(trx, actor, locked, { note });
      });
    },
    deactivate: (actor, routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        routes.requireChangeable(route);
        if (route.status !== 'running') throw routes.stateForbids(route.status);
        await deactivateMany(trx, actor, [route]);
      }),
    resume: (actor, routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        requireResumable(route);
        const outcome = (await resumeMany(trx, actor, [route])).get(route.id);
        if (outcome instanceof AppError) throw outcome;
      }),
    remove: (actor, routeId, check) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        const subscription = await subscriptions.get(actor.accountId, { cname: check.cname }, trx);
        if (subscription.id !== route.subscription_id) throw new AppError('SUBSCRIPTION_NOT_FOUND');
        if (
          check.confirm !== undefined &&
          ![route.domain_name, route.domain_name_unicode].includes(check.confirm.trim().toLowerCase())
        )
          throw fieldErrors({ confirm: 'NAME_CONFIRMATION_MISMATCH' });
        await deletion.remove(trx, actor, [route]);
      }),
  };
}
