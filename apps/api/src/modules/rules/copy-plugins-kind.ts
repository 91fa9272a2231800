import type { PluginEntry } from '@cordon/contract';
import type { BatchKind } from '../batches/service.ts';
import { undoByRestore } from '../publishing/service.ts';
import type { PluginChanges, PreparedChange } from './plugin-changes.ts';

export const COPY_PLUGINS = 'copy-plugins';

export interface CopyParams {
  readonly route_id: string;
  readonly plugins: readonly PluginEntry[];
  readonly deploy: boolean;
  readonly note: string;
}

const paramsOf = (params: Readonly<Record<string, unknown>>) => params as unknown as CopyParams;

export function createCopyPluginsKind(changes: PluginChanges): BatchKind<PreparedChange> {
  return {
    name: COPY_PLUGINS,
    undo: undoByRestore,
    prepare({ actor, params }, item) {
      const { plugins, deploy } = paramsOf(params);
      return changes.prepare(actor.accountId, item.routeId ?? '', { plugins, lists: 'replace' }, { deploy });
    },
    async run({ executor, actor, params }, item, prepared) {
      const { changed, deployed, operationId, undo } = await changes.applyIn(
        executor,
        actor,
        item.routeId ?? '',
        prepared,
        paramsOf(params),
      );
      return { ...(operationId === undefined ? {} : { operationId }), result: { changed, deployed }, undo };
    },
  };
}
