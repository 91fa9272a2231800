import type { PluginEntry, RouteConfig, Rule, RuleLists } from '@cordon/contract';
import { materialise } from '@cordon/plugin-kit/schema';
import { findDefinition } from '@cordon/plugins/definitions';

/** What is edited of a rule. */
export interface RuleValues {
  name: string;
  description: string;
  lists: RuleLists;
  plugins: readonly PluginEntry[];
}

export const NAME_MAX = 100;
export const DESCRIPTION_MAX = 1000;

export const emptyRule: RuleValues = { name: '', description: '', lists: 'replace', plugins: [] };

export const valuesOf = ({ name, description, lists, plugins }: Rule): RuleValues => ({
  name,
  description,
  lists,
  plugins,
});

/** Entries with today's defaults written out, so that two kept at different times compare as equal. */
export const materialisePlugins = (plugins: readonly PluginEntry[]): PluginEntry[] =>
  plugins.map((entry) => {
    const definition = findDefinition(entry.name);
    return definition ? { ...entry, config: materialise(definition.schema, entry.config) } : entry;
  });

export const materialiseConfig = (config: RouteConfig): RouteConfig => ({
  ...config,
  plugins: materialisePlugins(config.plugins),
});

/** The entries with one of them set: in its place, or as the last. */
export function withPlugin(plugins: readonly PluginEntry[], entry: PluginEntry): PluginEntry[] {
  return plugins.some(({ name }) => name === entry.name)
    ? plugins.map((one) => (one.name === entry.name ? entry : one))
    : [...plugins, entry];
}

const PLUGIN = 'plugin ';

/** The values field by field, each plugin a field of its own, so that two people's changes can be joined. */
export const fieldsOf = ({ name, description, lists, plugins }: RuleValues): Record<string, unknown> => ({
  name,
  description,
  lists,
  ...Object.fromEntries(plugins.map((entry) => [PLUGIN + entry.name, entry])),
});

/** The plugin that a field of `fieldsOf` is; undefined for the template's own. */
export const pluginOfField = (field: string): string | undefined =>
  field.startsWith(PLUGIN) ? field.slice(PLUGIN.length) : undefined;

export const valuesFrom = ({
  name,
  description,
  lists,
  ...plugins
}: Readonly<Record<string, unknown>>): RuleValues => ({
  name: String(name),
  description: String(description),
  lists: lists === 'merge' ? 'merge' : 'replace',
  plugins: Object.values(plugins).filter((entry) => entry !== undefined) as PluginEntry[],
});
