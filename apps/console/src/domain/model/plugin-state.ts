import { diffConfigs, type PluginEntry, type Route, type RouteConfig, type Subscription } from '@cordon/contract';
import { exclude, type PluginDefinition } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';

/** A plugin's entry in a configuration; one that was never set has its defaults, and is off unless it is always on. */
export function entryOf(config: RouteConfig | null, definition: PluginDefinition): PluginEntry {
  return config?.plugins.find((entry) => entry.name === definition.name) ?? defaultEntry(definition);
}

/** A configuration with this entry in place of the plugin's own. */
export const withEntry = (config: RouteConfig, entry: PluginEntry): RouteConfig => ({
  ...config,
  plugins: [...config.plugins.filter((one) => one.name !== entry.name), entry],
});

/** Whether the plugin was ever set up in the draft. */
export const isConfigured = (route: Route, definition: PluginDefinition): boolean =>
  route.draft.plugins.some((entry) => entry.name === definition.name);

/** Entries that are on in a configuration and cannot be so together with the plugin, turned off. `definitions`: where they are looked for. */
export const excludedEntries = (
  config: RouteConfig,
  definition: PluginDefinition,
  definitions: readonly PluginDefinition[],
): PluginEntry[] => {
  const excluded = definitions.filter((other) => exclude(definition, other)).map(({ name }) => name);
  return config.plugins.flatMap((entry) =>
    entry.enabled && excluded.includes(entry.name) ? [{ ...entry, enabled: false }] : [],
  );
};

/** Whether the plan does not include it. */
export const isLocked = ({ tier }: PluginDefinition, subscription: Subscription | undefined): boolean =>
  tier === 'vip' && subscription?.tier === 'free';

/** Whether the draft's plugin differs from what visitors get. */
export function isPending(route: Route, definition: PluginDefinition): boolean {
  if (route.live === null) return false;
  // Of the others, which may have thousands of entries, nothing is asked.
  const alone = (config: RouteConfig): RouteConfig => ({
    ...config,
    plugins: config.plugins.filter(({ name }) => name === definition.name),
  });
  return diffConfigs(alone(route.live), alone(route.draft), () => defaultEntry(definition)).some(
    (change) => change.plugin === definition.name,
  );
}

/** The part of an API path that lies inside a plugin's configuration: `plugins.0.config.allow.3` is `allow.3`. */
export const configPath = (path: string): string | undefined => /^plugins\.\d+\.config(?:\.(.+))?$/.exec(path)?.[1];
