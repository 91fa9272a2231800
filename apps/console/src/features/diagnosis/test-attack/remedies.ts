import type { CommonAttack, PluginEntry, RouteConfig } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { remedies, remedying } from '@cordon/plugins/remedies';
import { parseConfig } from '../../../domain/model/parse-config';
import { entryOf, withEntry } from '../../../domain/model/plugin-state';

export interface NamedAttack {
  readonly attack: CommonAttack;
  /** In the reader's words. */
  readonly name: string;
}

/** What the draft can do, or does already, about attacks. */
export interface Remedies {
  /** Plugins of the draft as they have to be to stop `open`. */
  readonly plugins: PluginEntry[];
  /** Attacks that the draft does not stop and could. */
  readonly open: NamedAttack[];
  /** Attacks that the draft stops already. */
  readonly drafted: NamedAttack[];
  /** Plugins that could, but whose settings are switched off: switched on, they would do more than what is asked for. */
  readonly switchedOff: string[];
  /** Plugins that could, but whose settings have no room for more. */
  readonly full: string[];
  /** Attacks that these could stop. */
  readonly left: CommonAttack[];
}

type Remedied =
  | { readonly entry: PluginEntry }
  | 'drafted'
  | { readonly switchedOff: string }
  | { readonly full: string };

/** Undefined where no plugin knows anything. */
function remedied(draft: RouteConfig, { attack, name }: NamedAttack): Remedied | undefined {
  let found: Remedied | undefined;
  for (const definition of remedying) {
    const { name: plugin } = definition;
    const remedy = remedies[plugin];
    if (!remedy) continue;
    const entry = entryOf(draft, definition);
    const parsed = parseConfig(definition, entry.config);
    const config = parsed.success ? remedy(parsed.data as never, attack, name) : undefined;
    if (!parsed.success) continue;
    if (config === undefined) {
      const isKnown = remedy(defaultEntry(definition).config as never, attack, name) !== undefined;
      if (isKnown) found = { full: plugin };
      continue;
    }
    if (!entry.enabled && !isSame(entry.config, defaultEntry(definition).config)) found = { switchedOff: plugin };
    else if (config === parsed.data) return 'drafted';
    else if (definition.schema.safeParse(config).success)
      return { entry: { ...entry, enabled: true, config: config as PluginEntry['config'] } };
    else found = { full: plugin };
  }
  return found;
}

export function remediesOf(draft: RouteConfig, attacks: readonly NamedAttack[]): Remedies {
  const changed = new Map<string, PluginEntry>();
  const open: NamedAttack[] = [];
  const drafted: NamedAttack[] = [];
  const switchedOff = new Set<string>();
  const full = new Set<string>();
  const left: CommonAttack[] = [];
  let config = draft;
  for (const one of attacks) {
    const found = remedied(config, one);
    if (found === undefined) continue;
    if (found === 'drafted') drafted.push(one);
    else if ('switchedOff' in found) switchedOff.add(found.switchedOff);
    else if ('full' in found) {
      full.add(found.full);
      left.push(one.attack);
    } else {
      config = withEntry(config, found.entry);
      changed.set(found.entry.name, found.entry);
      open.push(one);
    }
  }
  return { plugins: [...changed.values()], open, drafted, switchedOff: [...switchedOff], full: [...full], left };
}
