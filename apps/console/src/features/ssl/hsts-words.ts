import type { SslConfig } from '@cordon/contract';
import { useFormat } from '../../ui/format';

/** Whether browsers are told to come by HTTPS only; with 0 seconds they are told to forget it. */
export const isHstsOn = ({ hsts }: Pick<SslConfig, 'hsts'>): boolean => (hsts?.max_age_seconds ?? 0) > 0;

const UNITS = [
  ['year', 31_536_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A span of time in the largest unit that fits whole. */
export function useSpan() {
  const format = useFormat();
  return (seconds: number): string => {
    const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? ['second', 1];
    // Between a number and Chinese stands a space (docs/glossary.md); Intl writes none.
    return format
      .number(seconds / size, { style: 'unit', unit, unitDisplay: 'long' })
      .replace(/(?<=\d)(?=\p{sc=Han})/u, '\u00a0');
  };
}
