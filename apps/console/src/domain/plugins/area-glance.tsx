import type { Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { pluginEffectsOptions } from '../data/queries';
import { entryOf } from '../model/plugin-state';

/** An area in two numbers: how many of its plugins are on, and how many requests they decided in the last 24 hours. */
export function AreaGlance({ route, definitions }: { route: Route; definitions: readonly PluginDefinition[] }) {
  const t = useTranslations('domain.area');
  const effects = useQuery(pluginEffectsOptions(route.id));
  // Plugins that decide nothing have nothing to be counted.
  if (definitions.every(({ reasons }) => reasons.length === 0)) return null;
  const on = definitions.filter((definition) => entryOf(route.draft, definition).enabled).length;
  const decided = effects.data
    ?.filter(({ plugin }) => definitions.some(({ name }) => name === plugin))
    .reduce((sum, { requests }) => sum + requests, 0);
  return (
    <span className="tabular ml-auto text-ink phone:order-first phone:w-full">
      {t('on', { on, all: definitions.length })}
      {decided !== undefined && ` · ${t('decided', { count: decided })}`}
    </span>
  );
}
