import { isSame, type PluginEntry, type Route, type RouteConfig, type SavedRoute } from '@cordon/contract';

/**
 * What a save answers who knows what was `sent` and the draft `before` it: without the settings of plugins that are so, of
 * which there may be 200 kB, and without what is live.
 */
export function withoutKnown(
  { live: _, draft, ...saved }: Route,
  sent: readonly PluginEntry[],
  before: RouteConfig,
): SavedRoute {
  const known = new Map([...before.plugins, ...sent].map(({ name, config }) => [name, config]));
  return {
    ...saved,
    draft: {
      ...draft,
      plugins: draft.plugins.map(({ config, ...entry }) =>
        isSame(config, known.get(entry.name)) ? entry : { ...entry, config },
      ),
    },
  };
}
