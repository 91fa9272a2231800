import type { Route } from '@cordon/contract';
import type { KnownConfigs } from './repository.ts';

/**
 * The rows that all modules over domains share: a route with its draft and its names, what its configuration is, and
 * the lines of the audit log about it. Only what is here may be used elsewhere.
 */
export { auditRoute, auditRoutes, requireChangeable, stateForbids } from './audit.ts';
export {
  applyChange,
  bringEntry,
  bringPlugins,
  changedPaths,
  countChanges,
  type DraftChange,
  EMPTY_CONFIG,
  isRedirecting,
  materialiseBrought,
  materialiseConfig,
  settingsChanged,
  upstreamSummary,
  visitorTargets,
} from './config.ts';
export {
  findAnyRoute,
  findRoute,
  findRouteAgain,
  findRouteStates,
  findRoutes,
  findRoutesByIds,
  findStandings,
  forgetGroupCounts,
  type KnownConfigs,
  lockAnyRoute,
  lockRoute,
  lockRoutes,
  type NameOfRoute,
  NOT_PAUSED,
  namesOfRoute,
  namesOfRoutes,
  offOf,
  type RouteRow,
  type RouteStanding,
  type RouteState,
  type SuspensionColumns,
  setRouteSuspended,
  suspensionOf,
  updateRoute,
} from './repository.ts';

/** A domain as the API shows it; throws NOT_FOUND for another account's (domains/route-reader.ts). What is `known` of it is not read again. */
export type ReadRoute = (accountId: string, routeId: string, known?: KnownConfigs) => Promise<Route>;
