import {
  type Actor,
  type GonePart,
  type Page,
  type RouteConfig,
  routeConfig,
  type Version,
  type VersionSummary,
} from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrorsFrom, notFound } from '../../platform/errors.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { CheckConfig, DeployService } from './deploy-service.ts';
import { saveDraft } from './draft.ts';
import { requireRevision } from './draft-revision.ts';
import type { Publication } from './publication.ts';
import * as versions from './version-repository.ts';

/** What brings a version back: into the draft, and to the nodes if asked. */
export interface Rollback {
  readonly deploy: boolean;
  readonly note: string;
  /** The caller knows what of the version no longer exists. */
  readonly accept_gone: boolean;
}

export interface RollbackCheck {
  readonly gone: GonePart[];
  readonly problems: {
    path: string;
    code: AppError['fields'][string];
    params: Record<string, string | number>;
  }[];
}

/** Versions of a domain. Another account's are NOT_FOUND. */
export interface VersionService {
  list(accountId: string, routeId: string, page: Page): Promise<{ results: VersionSummary[]; count: number }>;
  get(accountId: string, routeId: string, version: number): Promise<Version>;
  /** Whether a version could be brought back today: plan, names, origins. Asks DNS. */
  checkRollback(accountId: string, routeId: string, version: number): Promise<RollbackCheck>;
  /** A version as it can go live today. Asks DNS. Throws what `rollBack` does of it. */
  readForToday(accountId: string, routeId: string, version: number): Promise<RouteConfig>;
  /**
   * Makes the draft exactly what the version was, after the checks of today. Throws VERSION_PARTS_GONE where a shadow
   * domain or the certificate is gone and the caller did not say that it knows, STALE_REVISION like every change of the draft.
   */
  rollBack(actor: Actor, routeId: string, version: number, revision: number, rollback: Rollback): Promise<void>;
}

export interface VersionParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  readonly checkConfig: CheckConfig;
  readonly deploys: DeployService;
  readonly publication: Publication;
}

type VersionRow = NonNullable<Awaited<ReturnType<typeof versions.findVersion>>>;

/** A version with what has become of it, and of the names that it was made for. */
export function toVersionSummary(
  row: versions.VersionSummaryRow,
  route: { readonly version_live: number | null },
  namesNow: ReadonlySet<string>,
): VersionSummary {
  const { version, created_at, created_by, created_by_kind, note, rolled_back_to, changes, changed } = row;
  return {
    version,
    created_at,
    created_by,
    created_by_kind,
    note,
    rolled_back_to,
    changes,
    changed,
    live: version === route.version_live,
    gone_names: row.names.filter((name) => !namesNow.has(name)),
  };
}

/** Defaults of settings that came after the version was made are filled in. Throws what no longer fits their shape. */
function readConfig(config: RouteConfig): RouteConfig {
  const parsed = routeConfig.safeParse(config);
  if (!parsed.success) throw fieldErrorsFrom(parsed.error);
  return parsed.data;
}

function requireNoneGone(gone: readonly GonePart[]): void {
  if (gone.length === 0) return;
  const parts = gone
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 2_000);
  throw new AppError('VERSION_PARTS_GONE', { params: { VERSION_PARTS_GONE: { parts } } });
}

export function createVersionService(parts: VersionParts): VersionService {
  const { db, subscriptions } = parts;

  async function find(accountId: string, routeId: string, version: number) {
    const route = await routes.findRoute(db, accountId, routeId);
    const found = route && (await versions.findVersion(db, accountId, routeId, version));
    if (!route || !found) throw notFound();
    return { route, found };
  }

  const namesNow = async (routeId: string) => new Set((await routes.namesOfRoute(db, routeId)).map(({ name }) => name));

  async function goneParts(route: routes.RouteRow, version: VersionRow): Promise<GonePart[]> {
    const names = await namesNow(route.id);
    const shadowDomains = version.names.filter((name) => !names.has(name));
    const hasCertificate = version.certificate_id === null || version.certificate_id === route.certificate_id;
    return [
      ...shadowDomains.map((name) => ({ kind: 'shadow_domain' as const, name })),
      ...(hasCertificate ? [] : [{ kind: 'certificate' as const, name: version.certificate_id ?? '' }]),
    ];
  }

  /** What the version would be as the draft of today. */
  async function checkConfig(route: routes.RouteRow, version: VersionRow, isDraft: boolean): Promise<RouteConfig> {
    const subscription = await subscriptions.get(route.account_id, { id: route.subscription_id });
    const domain = { accountId: route.account_id, name: route.domain_name, routeId: route.id };
    return parts.checkConfig(readConfig(version.config), subscription, domain, { isDraft });
  }

  return {
    async list(accountId, routeId, page) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const [rows, count, names] = await Promise.all([
        versions.listVersions(db, accountId, routeId, page),
        versions.countVersions(db, accountId, routeId),
        namesNow(routeId),
      ]);
      return { results: rows.map((row) => toVersionSummary(row, route, names)), count };
    },
    async get(accountId, routeId, version) {
      const { route, found } = await find(accountId, routeId, version);
      const { config, certificate_id } = found;
      return { ...toVersionSummary(found, route, await namesNow(routeId)), config, certificate_id };
    },
    async checkRollback(accountId, routeId, version) {
      const { route, found } = await find(accountId, routeId, version);
      const gone = await goneParts(route, found);
      try {
        await checkConfig(route, found, false);
        return { gone, problems: [] };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
        const problems = Object.entries(error.fields).map(([path, code]) => ({
          path,
          code,
          params: { ...error.params[path] },
        }));
        return { gone, problems };
      }
    },
    async readForToday(accountId, routeId, version) {
      const { route, found } = await find(accountId, routeId, version);
      requireNoneGone(await goneParts(route, found));
      return checkConfig(route, found, false);
    },
    async rollBack(actor, routeId, version, revision, rollback) {
      const { route, found } = await find(actor.accountId, routeId, version);
      if (route.status === 'deleting')
        throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
      await requireRevision(db, route, revision);
      if (!rollback.accept_gone) requireNoneGone(await goneParts(route, found));
      // DNS is asked here, before the transaction.
      const draft = await checkConfig(route, found, !rollback.deploy);
      await runInTransaction(db, async (trx) => {
        const locked = await routes.findRouteAgain(trx, actor.accountId, routeId, route, { isLocked: true });
        if (!locked) throw notFound();
        await requireRevision(trx, locked, revision);
        const { deploy, note } = rollback;
        await saveDraft(parts, trx, actor, locked, draft, { deploy, note, rolledBackTo: version });
      });
    },
  };
}
