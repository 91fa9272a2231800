import {
  type Actor,
  type Page,
  type PluginEntry,
  type PluginPart,
  type PluginPreview,
  parseDomainName,
  type RouteConfig,
  type RouteFilter,
  type RuleLists,
} from '@cordon/contract';
import type pg from 'pg';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Db, Executor } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import { type ConfigCheck, findMatching, type PlanLimits, readSearch } from '../domains/service.ts';
import type { HealthService } from '../health/service.ts';
import { type DraftParts, type Restorable, saveDraft } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { findByNames, type SelectedDomain } from './selection-repository.ts';
import { cutLists } from './shown-lists.ts';

/** Domains of one subscription: by their names, or all that match a filter. */
export interface DomainSelection {
  readonly names?: readonly string[] | undefined;
  /** Counts where no names are given. */
  readonly filter?: RouteFilter | undefined;
}

/** Plugins from elsewhere, and what they do to the lists that a domain has. */
export interface BroughtPlugins {
  readonly plugins: readonly PluginEntry[];
  readonly lists: RuleLists;
}

/** A checked draft with the revision it was made from. */
export interface PreparedChange {
  readonly revision: number;
  readonly draft: RouteConfig;
}

export interface PluginChangeResult {
  /** Whether the draft is another than before. */
  readonly changed: boolean;
  readonly deployed: boolean;
  /** Of the deploy. */
  readonly operationId: string | undefined;
  readonly undo: Restorable;
}

/** Brings plugins from elsewhere, a rule or another domain, to many domains; each keeps its other plugins. */
export interface PluginChanges {
  /** Throws DOMAIN_UNKNOWN at each name that is no domain of the subscription. Without a page: all of them. */
  select(
    accountId: string,
    subscriptionId: string,
    selection: DomainSelection,
    how?: { readonly page?: Page /** A domain that is left out. */; readonly without?: string },
  ): Promise<{ domains: readonly SelectedDomain[]; count: number }>;
  /**
   * What `prepare` and `applyIn` would do to each, as drafts: nothing is fetched. Refusals are given per domain. Ids of
   * other accounts are left out.
   */
  preview(accountId: string, routeIds: readonly string[], brought: BroughtPlugins): Promise<PluginPreview[]>;
  /** Checks as an edit would. Asks DNS: not for use inside a transaction. */
  prepare(
    accountId: string,
    routeId: string,
    brought: BroughtPlugins,
    how: { readonly deploy: boolean },
  ): Promise<PreparedChange>;
  /**
   * Saves what was prepared, and deploys it where the domain is running and there is something to deploy: bringing a
   * setting to many must not deploy what was deactivated. Throws STALE_REVISION when the draft has changed since.
   */
  applyIn(
    executor: Executor,
    actor: Actor,
    routeId: string,
    prepared: PreparedChange,
    how: { readonly deploy: boolean; readonly note: string },
  ): Promise<PluginChangeResult>;
  /** Plugins alone, with every default written out; throws what is wrong with them. */
  checkPlugins(plugins: readonly PluginEntry[], limits: PlanLimits): Promise<PluginEntry[]>;
  /** Stored plugins of a rule with every default of today's schemas written out. */
  materialise(plugins: readonly PluginEntry[]): PluginEntry[];
  /** Plugins of a draft; throws NOT_FOUND for another account's. */
  pluginsOf(
    accountId: string,
    routeId: string,
  ): Promise<{ subscriptionId: string; revision: number; plugins: PluginEntry[] }>;
}

export interface PluginChangeParts extends DraftParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly subscriptions: SubscriptionService;
  readonly configCheck: ConfigCheck;
  readonly health: Pick<HealthService, 'select'>;
  readonly edgeDomain: string;
}

/** Domains whose configurations are in memory at a time; of an account in one call. */
const PREVIEWS_AT_ONCE = 8;
const PREVIEW_CALLS_PER_ACCOUNT = 2;

const isDeployable = (route: routes.RouteRow) => route.status === 'running' && route.suspended_at === null;

function pluginPart(config: RouteConfig, names: ReadonlySet<string>): PluginPart {
  return { traffic_action: config.traffic_action, plugins: config.plugins.filter(({ name }) => names.has(name)) };
}

/** The configuration with the plugins, for a count: lists that cannot be merged are replaced. */
function bring(config: RouteConfig, { plugins, lists }: BroughtPlugins): RouteConfig {
  try {
    return routes.bringPlugins(config, plugins, lists);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return routes.bringPlugins(config, plugins, 'replace');
  }
}

/** Settings that wait in the draft besides those that the plugins replace. */
async function waitingBesides({ live }: routes.RouteRow, draft: RouteConfig, brought: BroughtPlugins): Promise<number> {
  const before = live && (await inTurn(() => bring(live, brought)));
  const after = await inTurn(() => bring(draft, brought));
  return inTurn(() => routes.countChanges(before, after));
}

/** Whether a configuration, all defaults written out, sets anything else than another one. */
async function isNewTo(known: RouteConfig, config: RouteConfig): Promise<boolean> {
  const before = await inTurn(() => routes.materialiseConfig(known));
  return inTurn(() => routes.changedPaths(before, config).length > 0);
}

/** How many entries are at a path of a configuration. */
function entriesAt(config: unknown, path: readonly string[]): number {
  const found = path.reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], config);
  return Array.isArray(found) ? found.length : 0;
}

/** Lists that are too long only with what a domain has already: that is not a fault of what is brought. */
function tellFullLists(error: AppError, merged: RouteConfig, plugins: readonly PluginEntry[]): AppError {
  const fields = { ...error.fields };
  const params = { ...error.params };
  for (const [path, code] of Object.entries(fields)) {
    const [, index, list] = /^plugins\.(\d+)\.config\.(.+)$/.exec(path) ?? [];
    if (code !== 'TOO_MANY' || index === undefined || list === undefined) continue;
    const name = plugins[Number(index)]?.name;
    const entry = merged.plugins.find((plugin) => plugin.name === name);
    fields[path] = 'MERGED_LIST_FULL';
    params[path] = { ...params[path], count: entriesAt(entry?.config, list.split('.')) };
  }
  return fieldErrors(fields, params);
}

export function createPluginChanges(parts: PluginChangeParts): PluginChanges {
  const { db, pool, subscriptions, configCheck } = parts;
  const previewLimit = createConcurrencyLimit(PREVIEW_CALLS_PER_ACCOUNT);

  const nameOf = (text: string) => {
    const parsed = parseDomainName(text);
    return parsed.ok ? parsed.name : text;
  };

  /** Domains of the subscription that match, by name; those that the filter wants of another are none of them. */
  async function findByFilter(accountId: string, subscriptionId: string, filter: RouteFilter) {
    const { cname } = await subscriptions.get(accountId, { id: subscriptionId });
    if (filter.cname !== undefined && filter.cname !== cname) return [];
    const found = await findMatching(pool, {
      accountId,
      ...(await readSearch(pool, accountId, filter.q, parts.edgeDomain)),
      domainName: filter.domain_name === undefined ? undefined : nameOf(filter.domain_name),
      status: filter.status,
      subscriptionCname: cname,
      groupId: filter.group,
      isPending: filter.changes === 'pending',
      batchId: filter.batch,
      withoutId: filter.without,
      health: await parts.health.select(accountId, filter.health),
    });
    return found.map(({ id, name }) => ({ id, domain_name: name }));
  }

  async function draftWith(
    route: routes.RouteRow,
    { plugins, lists }: BroughtPlugins,
    isDraft: boolean,
  ): Promise<RouteConfig> {
    if (route.status === 'deleting')
      throw new AppError('DOMAIN_STATE_FORBIDS', { params: { DOMAIN_STATE_FORBIDS: { status: route.status } } });
    const subscription = await subscriptions.get(route.account_id, { id: route.subscription_id });
    const positions = new Map(plugins.map(({ name }, index) => [name, index]));
    const domain = { accountId: route.account_id, name: route.domain_name, routeId: route.id };
    if (lists === 'merge') await inTurn(() => routes.materialiseBrought(plugins));
    const draft = await inTurn(() => routes.bringPlugins(route.draft, plugins, lists));
    try {
      return await configCheck.check(draft, subscription, domain, { positions, isDraft });
    } catch (error) {
      if (lists === 'merge' && error instanceof AppError && Object.keys(error.fields).length > 0)
        throw tellFullLists(error, draft, plugins);
      throw error;
    }
  }

  async function previewOne(route: routes.RouteRow, brought: BroughtPlugins): Promise<PluginPreview> {
    const names = new Set(brought.plugins.map(({ name }) => name));
    const draft = await inTurn(() => routes.materialiseConfig(route.draft));
    const before = pluginPart(draft, names);
    const shown = {
      route_id: route.id,
      domain_name: route.domain_name,
      domain_name_unicode: route.domain_name_unicode,
      status: route.status,
      also_deploys: isDeployable(route) ? await waitingBesides(route, draft, brought) : 0,
    };
    try {
      const after = await draftWith(route, brought, true);
      const changed = await inTurn(() => routes.changedPaths(draft, after));
      return {
        ...shown,
        ...(await inTurn(() => cutLists(before, pluginPart(after, names)))),
        changed: changed.map((path) => path.replace(/^plugins\./, '')),
        error: null,
        deploys: isDeployable(route),
        is_live: isDeployable(route) && !(await isNewTo(route.live ?? routes.EMPTY_CONFIG, after)),
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { fields, params, message } = error;
      const code = Object.keys(fields).length > 0 ? null : error.code;
      const cut = await inTurn(() => cutLists(before, before));
      return {
        ...shown,
        ...cut,
        changed: [],
        error: { code, message, fields, params },
        deploys: false,
        is_live: false,
      };
    }
  }

  return {
    materialise: routes.materialiseBrought,
    checkPlugins: (plugins, limits) => configCheck.checkPlugins(plugins, limits),
    async select(accountId, subscriptionId, { names: given, filter = {} }, { page, without } = {}) {
      const names = given?.map(nameOf);
      const found = names
        ? await findByNames(db, accountId, subscriptionId, names)
        : await findByFilter(accountId, subscriptionId, filter);
      const known = new Set(found.map((domain) => domain.domain_name));
      const unknown = (names ?? []).flatMap((name, index) => (known.has(name) ? [] : [`selection.names.${index}`]));
      if (unknown.length > 0) throw fieldErrors(Object.fromEntries(unknown.map((path) => [path, 'DOMAIN_UNKNOWN'])));
      const domains = found.filter(({ id }) => id !== without);
      const shown = page ? domains.slice(page.offset, page.offset + page.limit) : domains;
      return { domains: shown, count: domains.length };
    },
    async preview(accountId, routeIds, brought) {
      return previewLimit.run(accountId, async () => {
        const previews: PluginPreview[] = [];
        for (let start = 0; start < routeIds.length; start += PREVIEWS_AT_ONCE) {
          const some = await routes.findRoutesByIds(db, accountId, routeIds.slice(start, start + PREVIEWS_AT_ONCE));
          previews.push(...(await Promise.all(some.map((route) => previewOne(route, brought)))));
        }
        return previews;
      });
    },
    async prepare(accountId, routeId, brought, { deploy }) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      return { revision: route.draft_revision, draft: await draftWith(route, brought, !deploy) };
    },
    async applyIn(executor, actor, routeId, prepared, how) {
      const route = await routes.lockRoute(executor, actor.accountId, routeId);
      if (!route) throw notFound();
      if (route.draft_revision !== prepared.revision)
        throw new AppError('STALE_REVISION', { params: { STALE_REVISION: { revision: route.draft_revision } } });
      const { draft } = prepared;
      const deploy = how.deploy && isDeployable(route) && (await isNewTo(route.live ?? routes.EMPTY_CONFIG, draft));
      const { operationId, revision } = await saveDraft(parts, executor, actor, route, draft, { ...how, deploy });
      const changed = await isNewTo(route.draft, draft);
      const undo = { revision, version_before: route.version_live, changed, was_served: true };
      return { changed, deployed: deploy, operationId, undo };
    },
    async pluginsOf(accountId, routeId) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      return {
        subscriptionId: route.subscription_id,
        revision: route.draft_revision,
        plugins: routes.materialiseConfig(route.draft).plugins,
      };
    },
  };
}
