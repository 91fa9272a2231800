import type { PluginEntry, Route } from '@cordon/contract';
import type { PluginDefinition, PluginSetting } from '@cordon/plugin-kit';
import type { AnyPluginOverview, PluginOverviewProps } from '@cordon/plugin-kit/overview';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { overviews } from '@cordon/plugins/overviews';
import type { ComponentType } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';
import type { PluginWords } from '../words/plugin-words';
import type { PluginConfig } from './plugin-fields';

type Overview = ComponentType<Omit<PluginOverviewProps<PluginConfig>, 'ui'>>;

const parts = new Map<string, Overview>();
/** A plugin's overview, made lazy once; it is asked for together with what it is drawn with. */
function overviewOf(name: string): Overview | undefined {
  const load = overviews[name];
  if (load && !parts.has(name))
    parts.set(
      name,
      lazyPart(async () => {
        const [{ default: loaded }, { pluginOverviewUi }] = await Promise.all([load(), import('./plugin-overview-ui')]);
        // The registry's overviews take the configuration of their own plugin; the console gives it exactly that one.
        const Own = loaded as AnyPluginOverview as unknown as ComponentType<PluginOverviewProps<PluginConfig>>;
        return { default: (props) => <Own {...props} ui={pluginOverviewUi} /> };
      }),
    );
  return parts.get(name);
}

function settingOf(definition: PluginDefinition, { enabled, config }: PluginEntry): PluginSetting<PluginConfig> {
  const parsed = parseConfig(definition, config);
  return { enabled, config: parsed.success ? (parsed.data as PluginConfig) : defaultEntry(definition).config };
}

interface PluginOverviewPartProps {
  route: Route;
  definition: PluginDefinition;
  words: PluginWords;
  disabled: boolean;
  onPropose: (config: PluginConfig) => void;
}

/** What a plugin shows below its card, if anything. */
export function PluginOverview({ route, definition, words, disabled, onPropose }: PluginOverviewPartProps) {
  const Part = overviewOf(definition.name);
  if (!Part) return null;
  return (
    <div className="flex flex-col gap-5 pt-2 pb-3">
      <Part
        draft={settingOf(definition, entryOf(route.draft, definition))}
        live={route.live === null ? undefined : settingOf(definition, entryOf(route.live, definition))}
        t={words}
        disabled={disabled}
        onPropose={onPropose}
      />
    </div>
  );
}
