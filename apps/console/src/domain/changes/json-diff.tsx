import type { RouteConfig } from '@cordon/contract';
import clsx from 'clsx';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { diffLines, foldEqual, jsonLines, type ShownLine } from './line-diff';

const LINES_MAX = 2_000;
const signs = { same: ' ', added: '+', removed: '−' };
const looks = {
  same: 'text-muted',
  added: 'bg-success-soft text-success',
  removed: 'bg-danger-soft text-danger',
};

function Line({ line }: { line: ShownLine }) {
  const t = useTranslations('domain.changes');
  if (line.kind === 'folded') {
    return (
      <li className="border-y border-line bg-card px-3 py-0.5 font-sans text-muted">
        {t('folded', { count: line.count })}
      </li>
    );
  }
  return (
    <li className={clsx('flex px-3', looks[line.kind])}>
      <span aria-hidden className="w-4 shrink-0 font-semibold select-none">
        {signs[line.kind]}
      </span>
      {line.kind !== 'same' && <span className="sr-only">{t(line.kind)} </span>}
      <span className="whitespace-pre">{line.text}</span>
    </li>
  );
}

/** Two configurations as JSON, line by line: a sign, a word for screen readers and a colour say what came and went. */
export default function JsonDiff({ before, after }: { before: RouteConfig | null; after: RouteConfig }) {
  const t = useTranslations('domain.changes');
  const lines = useMemo(() => {
    const all = diffLines(jsonLines(before), jsonLines(after));
    return all.every(({ kind }) => kind === 'same') ? [] : foldEqual(all);
  }, [before, after]);
  if (lines.length === 0) return <p className="text-muted">{t('none')}</p>;
  const rest = lines.length - LINES_MAX;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be within the keyboard's reach
      tabIndex={0}
      aria-label={t('json')}
      className="max-h-[55dvh] overflow-auto rounded-control border border-line bg-sunken"
    >
      <ol className="w-max min-w-full py-1.5 font-mono text-sm leading-5">
        {lines.slice(0, LINES_MAX).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
          <Line key={index} line={line} />
        ))}
        {rest > 0 && <li className="px-3 font-sans text-muted">{t('moreLines', { count: rest })}</li>}
      </ol>
    </section>
  );
}
