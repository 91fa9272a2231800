import type { Route, RouteSummary } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { AccountService } from '../accounts/service.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { HealthService } from '../health/service.ts';
import { type OwnershipProof, toOwnership } from '../names/service.ts';
import {
  findOperations,
  findVersionSummary,
  pauseOf,
  toImmediateOperation,
  toRunningOperation,
  toVersionSummary,
} from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';

/** Domains as the API shows them. Another account's are NOT_FOUND. */
export interface RouteReader {
  get: routes.ReadRoute;
  /** Also of a domain that is deleted. */
  getSummary(accountId: string, routeId: string): Promise<RouteSummary>;
}

export interface RouteReaderParts {
  readonly db: Db;
  readonly accounts: Pick<AccountService, 'findSuspension'>;
  readonly subscriptions: SubscriptionService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly proof: OwnershipProof;
  readonly health: Pick<HealthService, 'judgeRoutes'>;
  /** When its development mode ends; null while it is off. */
  readonly developmentEndOf: (routeId: string) => Promise<string | null>;
}

export function createRouteReader(parts: RouteReaderParts): RouteReader {
  const { db, accounts, subscriptions } = parts;

  const findOperation = async (id: string | null) => (id === null ? undefined : (await findOperations(db, [id]))[0]);

  const subscriptionOf = (route: routes.RouteRow) => subscriptions.get(route.account_id, { id: route.subscription_id });

  /** What is said beside a domain's row and found by its id: read together with the row. */
  const readAround = (accountId: string, routeId: string) =>
    Promise.all([
      parts.health.judgeRoutes(accountId, [routeId]),
      accounts.findSuspension(accountId),
      parts.developmentEndOf(routeId),
    ]);

  async function toSummary(
    route: routes.RouteRow,
    around = readAround(route.account_id, route.id),
    ofSubscription = subscriptionOf(route),
  ): Promise<RouteSummary> {
    const [operation, subscription, [health, accountSuspension, developmentEnd]] = await Promise.all([
      findOperation(route.operation_id),
      ofSubscription,
      around,
    ]);
    const judged = health.get(route.id);
    if (!judged) throw notFound();
    return {
      id: route.id,
      domain_name: route.domain_name,
      domain_name_unicode: route.domain_name_unicode,
      cname: route.cname,
      subscription_cname: subscription.cname,
      status: route.status,
      last_deployed: route.last_deployed,
      version_live: route.version_live,
      pending_changes: route.pending_changes,
      traffic_action: route.draft.traffic_action,
      upstream_summary: route.upstream_summary,
      ownership_state: route.ownership_state,
      group_id: route.group_id,
      remarks: route.remarks,
      operation: operation ? toRunningOperation(operation) : null,
      suspension: routes.suspensionOf(route, accountSuspension),
      is_paused: pauseOf(route) !== null,
      development_ends_at: developmentEnd,
      ...judged,
      created_at: route.created_at,
      updated_at: route.updated_at,
    };
  }

  async function get(accountId: string, routeId: string, known?: routes.KnownConfigs): Promise<Route> {
    const around = readAround(accountId, routeId);
    const [route, names, addresses] = await Promise.all([
      known ? routes.findRouteAgain(db, accountId, routeId, known) : routes.findRoute(db, accountId, routeId),
      routes.namesOfRoute(db, routeId),
      parts.addressesByCzone(),
      around,
    ]);
    if (!route) throw notFound();
    const ofSubscription = subscriptionOf(route);
    const [summary, subscription, immediate, live] = await Promise.all([
      toSummary(route, around, ofSubscription),
      ofSubscription,
      findOperation(route.immediate_operation_id),
      route.version_live === null ? undefined : findVersionSummary(db, accountId, route.id, route.version_live),
    ]);
    const czoneAddresses = addresses[route.czone] ?? [];
    return {
      ...summary,
      immediate_operation: immediate ? toImmediateOperation(immediate) : null,
      paused: pauseOf(route),
      shadow_domains: names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name),
      draft: route.draft,
      draft_revision: route.draft_revision,
      draft_updated_at: route.draft_updated_at,
      draft_updated_by: route.draft_updated_by,
      live: route.live,
      live_version: live ? toVersionSummary(live, route, new Set(names.map(({ name }) => name))) : null,
      ownership: toOwnership(parts.proof, route, { czoneAddresses, ipv6: subscription.ipv6 }),
      ssl_config: { certificate_id: route.certificate_id, force_https: route.force_https },
      auto_generate_cert: route.auto_generate_cert,
      ipv6: subscription.ipv6,
    };
  }

  return {
    get,
    getSummary: async (accountId, routeId) => {
      const route = await routes.findAnyRoute(db, routeId);
      // A deletion answers with what the domain has become.
      if (!route || route.account_id !== accountId) throw notFound();
      return toSummary(route);
    },
  };
}
