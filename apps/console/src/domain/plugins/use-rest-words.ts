import type { PluginDefinition } from '@cordon/plugin-kit';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { RestContext } from '../model/started';

/** Of a plugin that starts by itself but not before a time, that time in words; else undefined. */
export function useRestWords({ isStandby }: PluginDefinition): string | undefined {
  const t = useTranslations('domain.plugin');
  const format = useFormat();
  const rest = useContext(RestContext);
  return isStandby && rest !== null ? t('rests', { time: momentText(format, rest) }) : undefined;
}
