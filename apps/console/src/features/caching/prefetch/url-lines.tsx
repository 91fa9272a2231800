import type { Route } from '@cordon/contract';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { findFaults, readLines } from '../../../domain/clears/clear-lines';
import { judgeLines } from '../../../domain/clears/judge-lines';
import { LinesTextarea } from '../../../domain/clears/lines-textarea';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { Field } from '../../../ui/field';
import { usePrefetchWords } from './prefetch-words';

interface UrlLinesOptions {
  readonly route: Route;
  readonly maximum: number;
  /** An empty text is none. */
  readonly isNeeded: boolean;
  /** Why the call was refused that was made with `asked`. */
  readonly error: unknown;
  readonly asked: readonly string[] | undefined;
  /** What is in force: what is wrong with that is said from the beginning. */
  readonly stored?: string;
}

/** What is written in a list of URLs, and what is wrong with it once it was tried. */
export function useUrlLines(options: UrlLinesOptions, text: string) {
  const { route, maximum, isNeeded, asked, stored = '' } = options;
  const t = useTranslations('caching.prefetch');
  const words = usePrefetchWords();
  const [isTried, setTried] = useState(false);
  const error = useStandingError(options.error, text);
  const own = { names: [route.domain_name, ...route.shadow_domains], levels: route.live?.wildcard_levels };
  const lines = judgeLines({ kind: 'urls', list: 'urls', text, own, maximum, isNeeded, error, asked, words });
  const { values: urls, isRight, failed } = lines;
  const isStoredRight = findFaults('urls', readLines('urls', stored), own).length === 0;
  const said = (
    <>
      {text === stored && <span className="block">{t('list.leftOut')}</span>}
      {lines.said}
    </>
  );
  return {
    urls,
    error: isTried || !isStoredRight ? (lines.isByLine ? said : lines.said) : undefined,
    /** Of a failure that no line has. */
    failed,
    isRight,
    setTried,
  };
}

interface UrlLinesProps {
  label: string;
  route: Route;
  maximum: number;
  text: string;
  error: ReactNode;
  rows: number;
  onChange: (text: string) => void;
}

/** URLs, one per line. */
export function UrlLines({ label, route, maximum, text, error, rows, onChange }: UrlLinesProps) {
  const t = useTranslations('caching.prefetch');
  return (
    <Field label={label} hint={t('urlsHint', { maximum })} error={error}>
      <LinesTextarea
        rows={rows}
        value={text}
        placeholder={t('example', { name: route.domain_name_unicode.replace('*', 'www') })}
        onTextChange={onChange}
      />
    </Field>
  );
}
