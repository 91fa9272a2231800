import { EDGE_REASONS } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { labelled } from '../../ui/labelled';
import { usePluginWords } from '../words/plugin-words';
import type { RequestMatch } from './request-match';

type EdgeReason = (typeof EDGE_REASONS)[number];
const isEdgeReason = (reason: string): reason is EdgeReason => (EDGE_REASONS as readonly string[]).includes(reason);

/** Words of a plugin and its reason, from the plugin's own catalog; no plugin when the edge itself refused. Needs the catalog `traffic`. */
export function useReasonText() {
  const t = useTranslations('traffic.reasons.edge');
  const words = usePluginWords();
  return (plugin: string, reason: string): { plugin?: string; reason: string } => {
    if (plugin === '') return { reason: isEdgeReason(reason) ? t(reason) : reason };
    const own = words?.(plugin);
    return own ? { plugin: own('name'), reason: own(`reasons.${reason}`) } : { plugin, reason };
  };
}

/** What requests have in common, in a few words. Needs the catalog `traffic`. */
export function useMatchText() {
  const t = useTranslations('traffic');
  const format = useFormat();
  const reasonText = useReasonText();
  return ({ by, status, country, plugin, reason, challenged }: RequestMatch): string => {
    if (by !== undefined) return t(`number.${by}`);
    if (status !== undefined) return t(`status.${status}`);
    if (country !== undefined) return country === '' ? t('countries.unknown') : format.country(country);
    if (plugin === undefined || reason === undefined) return t(challenged ? 'number.challenged' : 'number.blocked');
    const words = reasonText(plugin, reason);
    return words.plugin ? labelled(words.plugin, words.reason) : words.reason;
  };
}
