import type { HealthFinding } from '@cordon/contract';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';

export type LooseTranslator = (key: string, params?: Readonly<Record<string, string | number>>) => string;

type ShortFinding = Pick<HealthFinding, 'check' | 'finding' | 'params' | 'advice'>;

/** A finding in two or three words, by a translator of `health.short`. */
export const sayShort = (t: LooseTranslator, { check, finding, params, advice }: ShortFinding): string =>
  t(`${check}.${finding}`, { ...params, advice: advice ?? '' });

/** The same, for badges and lists; whole sentences are the diagnosis's. */
export function useShortFinding(): (finding: ShortFinding) => string {
  const t = useTranslations('health.short') as unknown as LooseTranslator;
  return useCallback((finding) => sayShort(t, finding), [t]);
}

/** Never narrower than a text of a badge is: Chinese letters are twice as wide as small ones, and 6 px are for those that differ. */
export const badgeTextPx = (text: string): number =>
  [...text].reduce((width, letter) => width + (letter > '\u2e80' ? 11.5 : /[A-Z%]/.test(letter) ? 9 : 6.2), 6);
