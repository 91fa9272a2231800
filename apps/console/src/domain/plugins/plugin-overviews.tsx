import type { PluginEntry, Route } from '@cordon/contract';
import type { PluginDefinition, PluginSetting } from '@cordon/plugin-kit';
import type { AnyPluginOverview } from '@cordon/plugin-kit/overview';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { overviews } from '@cordon/plugins/overviews';
import type { ComponentType } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';
import type { PluginWords } from '../words/plugin-words';
import type { OverviewSource } from './area-overview';
import type { PluginConfig } from './plugin-fields';

interface PluginOverviewsProps {
  route: Route;
  definitions: readonly PluginDefinition[];
  words: (plugin: string) => PluginWords;
  isLocked: (definition: PluginDefinition) => boolean;
  onPropose: (plugin: string, config: PluginConfig) => void;
}

function settingOf(definition: PluginDefinition, { enabled, config }: PluginEntry): PluginSetting<PluginConfig> {
  const parsed = parseConfig(definition, config);
  return { enabled, config: parsed.success ? (parsed.data as PluginConfig) : defaultEntry(definition).config };
}

/** What the plugins' overviews are made from. */
function sourcesOf(
  { route, definitions, words, isLocked, onPropose }: PluginOverviewsProps,
  loaded: ReadonlyMap<string, AnyPluginOverview>,
): OverviewSource[] {
  return definitions.flatMap((definition) => {
    const { name } = definition;
    // The registry's overviews take the configuration of their own plugin; the console gives it exactly that one.
    const overview = loaded.get(name) as OverviewSource['overview'] | undefined;
    if (!overview) return [];
    const facts = {
      draft: settingOf(definition, entryOf(route.draft, definition)),
      live: route.live === null ? undefined : settingOf(definition, entryOf(route.live, definition)),
      t: words(name),
      onPropose: (config: PluginConfig) => onPropose(name, config),
    };
    return [{ plugin: name, overview, facts, isLocked: isLocked(definition) }];
  });
}

async function loadOverviews(names: readonly string[]) {
  const loaded = new Map<string, AnyPluginOverview>();
  const [{ AreaOverview }] = await Promise.all([
    import('./area-overview'),
    ...names.map(async (name) => {
      const module = await overviews[name]?.();
      if (module) loaded.set(name, module.overview);
    }),
  ]);
  return { default: (props: PluginOverviewsProps) => <AreaOverview sources={sourcesOf(props, loaded)} /> };
}

const parts = new Map<string, ComponentType<PluginOverviewsProps>>();

/** The part that shows what these plugins have to show, made lazy once; undefined where they have nothing. */
function partOf(definitions: readonly PluginDefinition[]): ComponentType<PluginOverviewsProps> | undefined {
  const names = definitions.map(({ name }) => name).filter((name) => overviews[name]);
  if (names.length === 0) return undefined;
  const key = names.join(' ');
  if (!parts.has(key))
    parts.set(
      key,
      lazyPart(() => loadOverviews(names)),
    );
  return parts.get(key);
}

/** What the plugins of an area show below their cards, if anything. */
export function PluginOverviews(props: PluginOverviewsProps) {
  const Part = partOf(props.definitions);
  return Part ? <Part {...props} /> : null;
}
