import type { Actor, AuditAction, AuditDetails, NewAuditChange } from '@cordon/contract';
import { auditedBy, insertAudits } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { RouteRow } from './repository.ts';

/** Writes what was done to a domain where its owner reads it. */
export const auditRoute = (
  executor: Executor,
  actor: Actor,
  action: AuditAction,
  route: { id: string; domain_name: string },
  details: AuditDetails = {},
  changes: readonly NewAuditChange[] = [],
): Promise<void> =>
  auditRoutes(
    executor,
    actor,
    action,
    [route],
    () => details,
    () => changes,
  );

/** The same for many at once. */
export const auditRoutes = <Route extends { id: string; domain_name: string }>(
  executor: Executor,
  actor: Actor,
  action: AuditAction,
  routes: readonly Route[],
  detailsOf: (route: Route) => AuditDetails = () => ({}),
  changesOf: (route: Route) => readonly NewAuditChange[] = () => [],
): Promise<void> =>
  insertAudits(
    executor,
    routes.map((route) => {
      const details = { domain_name: route.domain_name, ...detailsOf(route) };
      return auditedBy(actor, { action, subject: `route ${route.id}`, details, changes: changesOf(route) });
    }),
  );

/** The state of the domain forbids what was asked. */
export const stateForbids = (status: string, message?: string): AppError =>
  new AppError('DOMAIN_STATE_FORBIDS', {
    ...(message === undefined ? {} : { message }),
    params: { DOMAIN_STATE_FORBIDS: { status } },
  });

/** Throws DOMAIN_STATE_FORBIDS for a domain that is being deleted or is suspended. */
export function requireChangeable(route: RouteRow): void {
  if (route.status === 'deleting') throw stateForbids(route.status);
  if (route.suspended_at !== null) throw stateForbids('suspended', 'The domain is suspended.');
}
