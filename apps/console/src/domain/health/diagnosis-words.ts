import type { DiagnosisItem, HealthFinding } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { pluginName, usePluginWords } from '../words/plugin-words';

type Params = Readonly<Record<string, string | number>>;
type LooseTranslator = { (key: string, params?: Params): string; has(key: string): boolean };

/** Values as people read them: times, countries, names and reasons of plugins. */
function useShownParams(): (params: Params) => Params {
  const format = useFormat();
  const wordsOf = usePluginWords();
  return (params) => {
    const shown: Record<string, string | number> = { ...params };
    for (const [key, value] of Object.entries(params)) {
      if ((key === 'at' || key.endsWith('_at')) && typeof value === 'string') shown[key] = format.dateTime(value);
    }
    if (typeof params.country === 'string') shown.country = format.country(params.country);
    if (typeof params.plugin === 'string') {
      const words = wordsOf?.(params.plugin);
      shown.plugin = words ? pluginName(words, params.plugin) : params.plugin;
      const reason = `reasons.${params.reason}`;
      shown.reason = words?.has(reason) ? words(reason) : String(params.reason ?? '');
    }
    return shown;
  };
}

type Finding = Pick<HealthFinding, 'check' | 'finding' | 'params' | 'advice'>;

/** Whole sentences about findings, their cures and their parts. Needs the catalog `diagnosis`. */
export function useDiagnosisWords() {
  const t = useTranslations('diagnosis') as unknown as LooseTranslator;
  const show = useShownParams();
  return {
    finding(line: Finding): string {
      const key = `finding.${line.check}.${line.finding}`;
      // What was found before there was a parameter is told without it.
      const params = { problem: '', ...show(line.params), advice: line.advice ?? '' };
      return t(t.has(key) ? key : `finding.any.${line.finding}`, params);
    },
    advice: (line: Finding) => t(`advice.${line.advice}`, show(line.params)),
    itemLabel(item: DiagnosisItem): string {
      const key = `itemKind.${item.kind}`;
      return t.has(key) ? t(key, { ...show(item.params), label: item.label }) : item.label;
    },
    itemFinding(item: DiagnosisItem): string {
      const isVersioned = item.finding === 'live' && item.params.version !== undefined;
      return t(`item.${isVersioned ? 'live_version' : item.finding}`, { rule: '', ms: 0, ...show(item.params) });
    },
  };
}
