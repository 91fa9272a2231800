import type { RouteConfig } from '@cordon/contract';
import { AppError } from '../../platform/errors.ts';
import type { AccountService } from '../accounts/service.ts';
import * as routes from '../routes/service.ts';

/** The live version of a domain that nodes serve. Throws DOMAIN_NOT_DEPLOYED, and DOMAIN_STATE_FORBIDS for one that is off. */
export async function requireServed(
  route: routes.RouteRow,
  accounts: Pick<AccountService, 'findSuspension'>,
): Promise<{ live: RouteConfig; version: number }> {
  const forbid = (status: string) =>
    new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status } } });
  const suspension = routes.suspensionOf(route, await accounts.findSuspension(route.account_id));
  if (suspension) throw forbid('suspended');
  if (route.status !== 'running' && route.status !== 'deactivated') throw forbid(route.status);
  const { live, version_live: version } = route;
  if (live === null || version === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
  if (route.status === 'deactivated') throw forbid('deactivated');
  return { live, version };
}
