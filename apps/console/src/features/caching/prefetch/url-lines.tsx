import { ApiError, type FieldErrorCode, type Route } from '@cordon/contract';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { faultsOfAnswer, findFaults, readLines } from '../../../domain/clears/clear-lines';
import { LineFaults } from '../../../domain/clears/line-faults';
import { LinesTextarea } from '../../../domain/clears/lines-textarea';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
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

/** What is written in a list of URLs, and what is wrong with it: found here, or by the API. */
export function useUrlLines({ route, maximum, isNeeded, error, asked, stored = '' }: UrlLinesOptions, text: string) {
  const t = useTranslations('caching.prefetch');
  const format = useFormat();
  const words = usePrefetchWords();
  /** What is wrong is said once it was tried. */
  const [isTried, setTried] = useState(false);
  const lines = readLines('urls', text);
  const urls = lines.map(({ value }) => value);
  const names = { names: [route.domain_name, ...route.shadow_domains], levels: route.live?.wildcard_levels };
  const found = findFaults('urls', lines, names);
  const isStoredRight = findFaults('urls', readLines('urls', stored), names).length === 0;
  const isSame = asked !== undefined && asked.join('\n') === urls.join('\n');
  const refusal = isSame && error instanceof ApiError ? error : undefined;
  const params = refusal?.body?.params ?? {};
  const answered = refusal ? faultsOfAnswer(refusal.fields, lines, 'urls', params) : [];
  const ofAll = refusal?.fields.urls;
  const whole: { code: FieldErrorCode; maximum: string } | undefined =
    isNeeded && lines.length === 0
      ? { code: 'REQUIRED', maximum: '' }
      : lines.length > maximum
        ? { code: 'TOO_MANY', maximum: format.number(maximum) }
        : undefined;
  const faults = [...found, ...answered];
  const said: ReactNode = whole ? (
    words(whole.code, { maximum: whole.maximum })
  ) : faults.length > 0 ? (
    <>
      {text === stored && <span className="block">{t('list.leftOut')}</span>}
      <LineFaults faults={faults} words={words} />
    </>
  ) : ofAll ? (
    words(ofAll, params.urls)
  ) : undefined;
  const isPlaced = answered.length > 0 || ofAll !== undefined;
  return {
    urls,
    error: isTried || !isStoredRight ? said : undefined,
    /** Of a failure that no line has. */
    failed: isSame && error && !isPlaced ? failureTexts(error) : [],
    isRight: whole === undefined && found.length === 0,
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
