import type { CommonAttack, PluginEntry, RouteConfig } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { findDefinition } from '@cordon/plugins/definitions';
import { remedies } from '@cordon/plugins/remedies';
import { parseConfig } from '../../../domain/model/parse-config';
import { entryOf, withEntry } from '../../../domain/model/plugin-state';

export interface NamedAttack {
  readonly attack: CommonAttack;
  /** In the reader's words. */
  readonly name: string;
}

/** The plugin's settings with something against the attack; undefined where it knows nothing, or they have no room. */
function remedied(draft: RouteConfig, { attack, name }: NamedAttack): PluginEntry | undefined {
  for (const [plugin, remedy] of Object.entries(remedies)) {
    const definition = findDefinition(plugin);
    if (!definition) continue;
    const entry = entryOf(draft, definition);
    // Switched on, settings that were switched off would do more than what is asked for.
    if (!entry.enabled && !isSame(entry.config, defaultEntry(definition).config)) continue;
    const parsed = parseConfig(definition, entry.config);
    const config = parsed.success ? remedy(parsed.data as never, attack, name) : undefined;
    if (config !== undefined && definition.schema.safeParse(config).success)
      return { ...entry, enabled: true, config: config as PluginEntry['config'] };
  }
  return undefined;
}

/** The plugins of the draft that change so that they stop these attacks, and which of them they stop then. */
export function remediesOf(draft: RouteConfig, attacks: readonly NamedAttack[]) {
  const changed = new Map<string, PluginEntry>();
  const stopped: CommonAttack[] = [];
  let config = draft;
  for (const one of attacks) {
    const entry = remedied(config, one);
    if (!entry) continue;
    config = withEntry(config, entry);
    changed.set(entry.name, entry);
    stopped.push(one.attack);
  }
  return { plugins: [...changed.values()], stopped };
}
