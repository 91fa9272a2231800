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

/** About as wide as a text of a badge is: Chinese letters are twice as wide as others. */
export const badgeTextPx = (text: string): number =>
  [...text].reduce((width, letter) => width + (letter > '\u2e80' ? 12 : 6.6), 0);
