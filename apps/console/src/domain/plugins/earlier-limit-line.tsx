import type { PluginEntry, Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { useTranslations } from 'use-intl';
import { Callout } from '../form/callout';
import { pluginName, usePluginWords } from '../words/plugin-words';
import { earlierLimit } from './earlier-limit';

/** That another plugin stops every client before this one could, where that is so. */
export function EarlierLimitLine({
  route,
  definition,
  definitions,
  entry,
}: {
  route: Route;
  definition: PluginDefinition;
  /** Of its area, itself too. */
  definitions: readonly PluginDefinition[];
  entry: PluginEntry;
}) {
  const t = useTranslations('domain.plugin');
  const words = usePluginWords();
  const earlier = earlierLimit(route.draft, definition, entry, definitions);
  if (!earlier || !words) return null;
  const { plugin, requests, seconds } = earlier;
  return (
    <Callout tone="warning" className="w-full text-sm phone:flex-none!">
      {t('earlierLimit', {
        name: pluginName(words(plugin), plugin),
        requests,
        span: t('number.length', durationParams(seconds)),
      })}
    </Callout>
  );
}
