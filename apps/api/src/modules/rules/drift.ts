import { isDeepStrictEqual } from 'node:util';
import {
  onlySwitchesOff,
  type PluginEntry,
  type Rule,
  type RuleDomain,
  type RuleDomainState,
  type RuleLists,
} from '@cordon/contract';
import { PluginFault } from '@cordon/plugin-kit';
import { bringEntry, materialiseBrought } from '../routes/service.ts';
import type { ApplicationRow } from './repository.ts';

/**
 * An entry as today's schema of its plugin reads it, so that two that were kept before and after a field existed are
 * equal. A plugin that was never set up is off.
 */
const read = (plugins: readonly PluginEntry[], name: string): PluginEntry | undefined =>
  materialiseBrought(plugins.filter((plugin) => plugin.name === name))[0];

/** Whether bringing it would change nothing; what cannot be merged would. */
function has(own: PluginEntry | undefined, brought: PluginEntry, lists: RuleLists): boolean {
  try {
    return isDeepStrictEqual(bringEntry(own, brought, lists), own);
  } catch (error) {
    if (error instanceof PluginFault) return false;
    throw error;
  }
}

/** Plugins of `wanted` that `actual` has otherwise or not at all: bringing them would change it. */
export function differingPlugins(
  wanted: readonly PluginEntry[],
  actual: readonly PluginEntry[],
  lists: RuleLists,
): string[] {
  return wanted
    .map(({ name }) => name)
    .filter((name) => {
      const [brought, own] = [read(wanted, name), read(actual, name)];
      return brought === undefined ? own !== undefined : !has(own, brought, lists);
    });
}

function stateOf(differing: readonly string[], drifted: readonly string[]): RuleDomainState {
  if (differing.length === 0) return 'same';
  return drifted.length > 0 ? 'drifted' : 'rule_changed';
}

const isIn = (plugins: readonly PluginEntry[], wanted: string) => plugins.some(({ name }) => name === wanted);

/** How a domain stands to the rule that it got. */
export function toRuleDomain({ plugins, lists }: Pick<Rule, 'plugins' | 'lists'>, row: ApplicationRow): RuleDomain {
  const differing = differingPlugins(plugins, row.draft_plugins, lists);
  const drifted = differingPlugins(row.applied_plugins, row.draft_plugins, row.applied_lists);
  const names = new Set(plugins.map(({ name }) => name));
  const ofRule = row.draft_plugins.filter(({ name }) => names.has(name));
  // What is only to be off may be missing in the draft and still be live.
  const wanted = [...plugins.filter((entry) => onlySwitchesOff(entry) && !isIn(ofRule, entry.name)), ...ofRule];
  return {
    route_id: row.route_id,
    domain_name: row.domain_name,
    domain_name_unicode: row.domain_name_unicode,
    status: row.status,
    applied_revision: row.revision,
    applied_at: row.applied_at,
    applied_by: row.applied_by,
    state: stateOf(differing, drifted),
    drifted,
    differing,
    is_live:
      row.status === 'running' &&
      row.live_plugins !== null &&
      differingPlugins(wanted, row.live_plugins, 'replace').length === 0,
  };
}
