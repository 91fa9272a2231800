import type { HealthFinding } from '@cordon/contract';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';

type LooseTranslator = (key: string, params?: Readonly<Record<string, string | number>>) => string;

/** A finding in two or three words, for badges and lists; whole sentences are the diagnosis's. */
export function useShortFinding(): (finding: Pick<HealthFinding, 'check' | 'finding' | 'params' | 'advice'>) => string {
  const t = useTranslations('health.short') as unknown as LooseTranslator;
  return useCallback(
    ({ check, finding, params, advice }) => t(`${check}.${finding}`, { ...params, advice: advice ?? '' }),
    [t],
  );
}
