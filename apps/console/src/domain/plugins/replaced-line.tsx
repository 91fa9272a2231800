import type { PluginEntry } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Callout } from '../form/callout';
import { pluginName, usePluginWords } from '../words/plugin-words';

/** That saving turns another plugin off, where the two cannot both be on. */
export function ReplacedLine({ replaced }: { replaced: readonly PluginEntry[] }) {
  const t = useTranslations('domain.plugin');
  const words = usePluginWords();
  const [other] = replaced;
  if (!other || !words) return null;
  return (
    <Callout tone="info" className="w-full text-sm phone:flex-none!">
      {t('replaces', { other: pluginName(words(other.name), other.name) })}
    </Callout>
  );
}
