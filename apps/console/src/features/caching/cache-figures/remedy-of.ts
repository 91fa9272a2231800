import type { CostlyPath, Route, RouteConfig } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import type { CacheChange, OriginCost, PluginDefinition } from '@cordon/plugin-kit';
import { cacheRemedies } from '@cordon/plugins/cache-remedies';
import { parseConfig } from '../../../domain/model/parse-config';
import { entryOf } from '../../../domain/model/plugin-state';
import type { PluginConfig } from '../../../domain/plugins/plugin-fields';
import { cachingPlugins } from './caching-plugins';
import { isPersonalPath } from './personal-path';

/** What a plugin would do about a path that costs the origin. */
export interface KnownRemedy {
  readonly definition: PluginDefinition;
  readonly change: CacheChange<PluginConfig>;
  /** It is on, and nothing is to be changed. */
  readonly isDone: boolean;
  readonly isOn: boolean;
}

/** Whether the plugin that is on keeps answers without a lifetime by a list of their types. */
export const listsTypes = (config: RouteConfig): boolean =>
  cachingPlugins.some((definition) => {
    const entry = entryOf(config, definition);
    const parsed = parseConfig(definition, entry.config);
    const types = parsed.success ? (parsed.data as PluginConfig).content_type : undefined;
    return entry.enabled && Array.isArray(types) && types.length > 0;
  });

const isOn = (config: RouteConfig | null) => cachingPlugins.some((one) => entryOf(config, one).enabled);

/** Whether a cache is on as the domain is live, else in its draft. */
export const cachingIn = ({ draft, live }: Pick<Route, 'draft' | 'live'>): 'live' | 'draft' | undefined => {
  if (isOn(live)) return 'live';
  return isOn(draft) ? 'draft' : undefined;
};

/** By the plugin that is on; where none is, by the first that would do something. */
function remedyIn(config: RouteConfig | null, cost: OriginCost): KnownRemedy | undefined {
  const on = cachingPlugins.filter((definition) => entryOf(config, definition).enabled);
  for (const definition of on.length > 0 ? on : cachingPlugins) {
    const parsed = parseConfig(definition, entryOf(config, definition).config);
    if (!parsed.success) continue;
    const change = cacheRemedies[definition.name]?.(parsed.data as never, cost);
    const isOn = on.length > 0;
    const isDone = isOn && change?.field === undefined && change?.config === parsed.data;
    if (change) return { definition, change: change as CacheChange<PluginConfig>, isOn, isDone };
  }
  return undefined;
}

/** Whether the setting that its customer has to change is another in the draft than live. */
const isFieldChanged = ({ change: { field, config } }: KnownRemedy, before: KnownRemedy | undefined): boolean =>
  field !== undefined && before?.change.field === field && !isSame(config[field], before.change.config[field]);

/**
 * What can be done about a path: a change of the draft; what only a deploy shows, since its customer has changed what no log tells
 * (`changed`); nothing more, since the draft has it (`drafted`) or the live version has,
 * since when the path was counted (`covered`); what the log alone does not allow (`personal`); or only what its origin sends (`undefined`).
 */
export function remedyOf(
  { draft, live }: Pick<Route, 'draft' | 'live'>,
  { path, status, cache, cache_reason: reason }: CostlyPath,
): KnownRemedy | 'changed' | 'drafted' | 'covered' | 'personal' | undefined {
  const cost: OriginCost = { path, status, cache, reason };
  const known = remedyIn(draft, cost);
  const isOpen = known ? !known.isDone : (reason === 'path' || cache === '') && status < 400;
  if (isOpen && isPersonalPath(path)) return 'personal';
  const before = remedyIn(live, cost);
  if (known && !known.isDone) return isFieldChanged(known, before) ? 'changed' : known;
  if (known) return before?.isDone ? 'covered' : 'drafted';
  // What is kept by other settings than those of paths is not told from what cannot be kept: but its plugin had a change to make.
  const isOfPath = ['', 'off', 'path'].includes(reason);
  const isMade = before?.isOn && !isOfPath && entryOf(draft, before.definition).enabled;
  return isMade ? 'drafted' : undefined;
}
