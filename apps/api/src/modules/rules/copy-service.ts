import type { Actor, Batch, Page, PluginPreview } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import type { BatchService } from '../batches/service.ts';
import { COPY_PLUGINS, type CopyParams } from './copy-plugins-kind.ts';
import type { BroughtPlugins, DomainSelection, PluginChanges } from './plugin-changes.ts';

export interface PluginCopy {
  /** Names of plugins of the source's draft. */
  readonly plugins: readonly string[];
  readonly selection: DomainSelection;
}

/** Copies plugins from one domain to others of its subscription. Another account's domains are NOT_FOUND. */
export interface CopyService {
  preview(
    accountId: string,
    routeId: string,
    copy: PluginCopy,
    page: Page,
  ): Promise<{ results: PluginPreview[]; count: number }>;
  /** Plugins of the domain's draft as they are copied; throws NOT_FOUND for another account's. */
  brought(accountId: string, routeId: string, plugins: readonly string[]): Promise<BroughtPlugins>;
  /** Copies from the draft that has this revision; throws STALE_REVISION otherwise, SELECTION_REQUIRED for no domain. */
  start(
    actor: Actor,
    routeId: string,
    revision: number,
    copy: PluginCopy & { deploy: boolean; note: string },
  ): Promise<Batch>;
}

export function createCopyService(parts: { db: Db; changes: PluginChanges; batches: BatchService }): CopyService {
  const { db, changes, batches } = parts;

  async function readSource(accountId: string, routeId: string, names: readonly string[]) {
    const source = await changes.pluginsOf(accountId, routeId);
    const plugins = source.plugins.filter(({ name }) => names.includes(name));
    const missing = names.flatMap((name, index) =>
      plugins.some((plugin) => plugin.name === name) ? [] : [`plugins.${index}`],
    );
    if (missing.length > 0) throw fieldErrors(Object.fromEntries(missing.map((path) => [path, 'RULE_SOURCE_EMPTY'])));
    return { ...source, plugins };
  }

  return {
    async brought(accountId, routeId, names) {
      const { plugins } = await readSource(accountId, routeId, names);
      return { plugins, lists: 'replace' };
    },
    async preview(accountId, routeId, { plugins: names, selection }, page) {
      const { subscriptionId, plugins } = await readSource(accountId, routeId, names);
      const { domains, count } = await changes.select(accountId, subscriptionId, selection, { page, without: routeId });
      const ids = domains.map(({ id }) => id);
      return { results: await changes.preview(accountId, ids, { plugins, lists: 'replace' }), count };
    },
    async start(actor, routeId, revision, { plugins: names, selection, deploy, note }) {
      const source = await readSource(actor.accountId, routeId, names);
      if (source.revision !== revision)
        throw new AppError('STALE_REVISION', { params: { STALE_REVISION: { revision: source.revision } } });
      const { domains } = await changes.select(actor.accountId, source.subscriptionId, selection, { without: routeId });
      if (domains.length === 0) throw fieldErrors({ selection: 'SELECTION_REQUIRED' });
      const params: CopyParams = { route_id: routeId, plugins: source.plugins, deploy, note };
      const items = domains.map(({ id, domain_name }) => ({ routeId: id, name: domain_name }));
      return runInTransaction(db, (trx) =>
        batches.start(trx, actor, { kind: COPY_PLUGINS, params: { ...params }, items }),
      );
    },
  };
}
