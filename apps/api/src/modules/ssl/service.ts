import { type Actor, HSTS_PRELOAD_SECONDS_MIN, type Hsts, hstsValue, type SslConfig } from '@cordon/contract';
import { changesOf } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { fieldErrors, notFound } from '../../platform/errors.ts';
import { unicodeName } from '../../platform/unicode-name.ts';
import type { HealthService } from '../health/service.ts';
import { isApex, registrableName } from '../names/service.ts';
import type { Publication, ReceiptService } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';

/** What is changed of how visitors are led to HTTPS; what is left out stays. */
export interface SslChange {
  readonly force_https?: boolean | undefined;
  readonly hsts?: Hsts | null | undefined;
}

/** How visitors of a domain are led to HTTPS: at once and without a version. Another account's domain is NOT_FOUND. */
export interface SslService {
  get(accountId: string, routeId: string): Promise<SslConfig>;
  /**
   * Throws errors of the fields: CERTIFICATE_REQUIRED, FORCE_HTTPS_REQUIRED, HSTS_IS_ON, HSTS_PRELOAD_BOUNDS, NOT_ALLOWED at `hsts.preload`; and
   * DOMAIN_STATE_FORBIDS for a domain that is suspended or being deleted.
   */
  update(actor: Actor, routeId: string, change: SslChange): Promise<SslConfig>;
}

type Settings = Pick<routes.RouteRow, 'force_https' | 'hsts'>;

const ACTIONS = ['enable_force_https', 'disable_force_https', 'change_hsts'] as const;

/** Whether browsers are told to come by HTTPS only: with 0 seconds they are told to forget it. */
const isHstsOn = ({ hsts }: Settings): boolean => (hsts?.max_age_seconds ?? 0) > 0;

/**
 * Browsers that were told to come by HTTPS only go on to do so when it is no longer forced, for as long as they were told. So HTTPS is
 * not given up under them: it has to be seen, and taken back first, by 0 seconds that each is told at its next visit, or knowingly by no
 * word about it.
 */
function requireCoherent(
  before: Settings,
  after: Settings,
  change: SslChange,
  { hasCertificate, canBePreloaded }: { readonly hasCertificate: boolean; readonly canBePreloaded: boolean },
): void {
  const { hsts } = after;
  if (hsts?.preload && !(hsts.include_subdomains && hsts.max_age_seconds >= HSTS_PRELOAD_SECONDS_MIN))
    throw fieldErrors({ 'hsts.preload': 'HSTS_PRELOAD_BOUNDS' });
  if (hsts?.preload && !before.hsts?.preload && !canBePreloaded) throw fieldErrors({ 'hsts.preload': 'NOT_ALLOWED' });
  if (isHstsOn(after) && !after.force_https)
    throw fieldErrors(change.hsts ? { hsts: 'FORCE_HTTPS_REQUIRED' } : { force_https: 'HSTS_IS_ON' });
  if (hasCertificate) return;
  if (after.force_https && !before.force_https) throw fieldErrors({ force_https: 'CERTIFICATE_REQUIRED' });
  if (isHstsOn(after) && !isHstsOn(before)) throw fieldErrors({ hsts: 'CERTIFICATE_REQUIRED' });
}

/**
 * Of the names of a domain, the main one first, what preload lists take: a registrable one, whose subdomains come with it. A wildcard
 * does not answer for it.
 */
function preloadOf(names: readonly string[]): SslConfig['preload_of'] {
  const served = names.find(isApex);
  return { name: unicodeName(served ?? registrableName(names[0] ?? '')), is_served: served !== undefined };
}

const auditedOf = ({ force_https, hsts }: Settings) => ({ force_https, hsts: hsts && hstsValue(hsts) });

export interface SslParts {
  readonly db: Db;
  readonly health: Pick<HealthService, 'judgeRoutes'>;
  readonly publication: Publication;
  readonly receipts: Pick<ReceiptService, 'getImmediateReceipt'>;
}

export function createSslService({ db, health, publication, receipts }: SslParts): SslService {
  const hasCertificate = async (accountId: string, routeId: string): Promise<boolean> =>
    (await health.judgeRoutes(accountId, [routeId])).get(routeId)?.hasCertificate === true;

  const readPreloadOf = async (executor: Executor, routeId: string) =>
    preloadOf((await routes.namesOfRoute(executor, routeId)).map(({ name }) => name));

  async function get(accountId: string, routeId: string): Promise<SslConfig> {
    const route = await routes.findRoute(db, accountId, routeId);
    if (!route) throw notFound();
    const [has_certificate, change, preload_of] = await Promise.all([
      hasCertificate(accountId, routeId),
      receipts.getImmediateReceipt(route, ACTIONS),
      readPreloadOf(db, routeId),
    ]);
    const { certificate_id, force_https, hsts } = route;
    return { certificate_id, has_certificate, force_https, hsts, preload_of, change };
  }

  return {
    get,
    async update(actor, routeId, change) {
      // Asked before the row is locked: it is read by a connection of its own.
      const isCertified = await hasCertificate(actor.accountId, routeId);
      await runInTransaction(db, async (trx) => {
        const route = await routes.lockRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        routes.requireChangeable(route);
        const after: Settings = {
          force_https: change.force_https ?? route.force_https,
          hsts: change.hsts === undefined ? route.hsts : change.hsts,
        };
        const { is_served: canBePreloaded } = await readPreloadOf(trx, routeId);
        requireCoherent(route, after, change, { hasCertificate: isCertified, canBePreloaded });
        const changes = changesOf(auditedOf(route), auditedOf(after));
        if (changes.length === 0) return;
        await routes.updateRoute(trx, route.id, after);
        await routes.auditRoute(trx, actor, 'route.ssl_update', route, {}, changes);
        const forcing = after.force_https ? 'enable_force_https' : 'disable_force_https';
        await publication.changeAtOnce(trx, route, after.force_https === route.force_https ? 'change_hsts' : forcing);
      });
      return get(actor.accountId, routeId);
    },
  };
}
