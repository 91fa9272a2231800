import { useTranslations } from 'use-intl';
import type { useCodeWords } from '../words/error-words';
import type { LineFault } from './clear-lines';

const FAULTS_SHOWN = 5;

/** What is wrong, line by line; the rest is counted. */
export function LineFaults({
  faults,
  words,
}: {
  faults: readonly LineFault[];
  words: ReturnType<typeof useCodeWords>;
}) {
  const t = useTranslations('domain.clears');
  const rest = faults.length - FAULTS_SHOWN;
  return (
    <span className="block">
      {faults.slice(0, FAULTS_SHOWN).map(({ line, code, params }) => (
        <span key={`${line} ${code}`} className="block">
          {t('line', { line, reason: words(code, params) })}
        </span>
      ))}
      {rest > 0 && <span className="block">{t('moreFaults', { count: rest })}</span>}
    </span>
  );
}
