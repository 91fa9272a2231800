import clsx from 'clsx';
import { CircleCheck, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { BrandLogo } from '../../app/brand-logo';
import { useIntlState } from '../../app/intl-store';
import { StatusBadge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { useDocumentTitle } from '../../ui/document-title';
import { type Format, useFormat } from '../../ui/format';
import { textLinkClass } from '../../ui/text-link-class';
import {
  type CheckId,
  type CheckResult,
  type CheckState,
  checkApi,
  checkBrowser,
  checkStorage,
  checkWebsocket,
} from './checks';

declare const __BUILD_TIME__: string;

const ORDER: readonly CheckId[] = ['build', 'browser', 'storage', 'api', 'websocket', 'clock', 'language'];
const tones: Record<CheckState, Tone> = { running: 'primary', good: 'success', warning: 'warning', bad: 'danger' };
const inks: Record<CheckState, string> = {
  running: 'text-muted',
  good: 'text-success',
  warning: 'text-warning',
  bad: 'text-danger',
};
type Results = Partial<Record<CheckId, CheckResult>>;

function useChecks(attempt: number): Results {
  const { locale, timeZone } = useIntlState();
  const [results, setResults] = useState<Results>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt runs them again
  useEffect(() => {
    let isCurrent = true;
    const add = (more: Results) => isCurrent && setResults((before) => ({ ...before, ...more }));
    setResults({ browser: checkBrowser(), storage: checkStorage() });
    void checkApi().then(add);
    void checkWebsocket().then((websocket) => add({ websocket }));
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  return {
    ...results,
    build: { state: 'good', message: { key: 'built', values: {} } },
    language: { state: 'good', raw: `${locale} (${navigator.languages.join(', ')}), ${timeZone}` },
  };
}

function useDetail(format: Format) {
  const t = useTranslations('selfTest.detail');
  return ({ message, milliseconds, raw }: CheckResult): string => {
    const words =
      message &&
      t(message.key as 'built', {
        ...message.values,
        duration: format.duration(milliseconds ?? 0),
        time: format.dateTime(__BUILD_TIME__),
      });
    return [words, raw].filter(Boolean).join(' · ');
  };
}

function StateSign({ state, label }: { state: CheckState; label: string }) {
  if (state === 'good')
    return <CircleCheck size={16} className="shrink-0 text-success" role="img" aria-label={label} />;
  return (
    <StatusBadge tone={tones[state]} busy={state === 'running'}>
      {label}
    </StatusBadge>
  );
}

/** All of it in one sentence. */
function Verdict({ states }: { states: readonly CheckState[] }) {
  const t = useTranslations('selfTest.verdict');
  const count = (of: CheckState) => states.filter((state) => state === of).length;
  const [bad, warnings] = [count('bad'), count('warning')];
  const tone: CheckState = bad > 0 ? 'bad' : warnings > 0 ? 'warning' : count('running') > 0 ? 'running' : 'good';
  const problems = t('problems', { count: bad });
  const found = t('warnings', { count: warnings });
  const faults = bad > 0 && warnings > 0 ? t('both', { problems, warnings: found }) : bad > 0 ? problems : found;
  return (
    <p
      role="status"
      className={clsx('mb-4 rounded-card border border-line bg-card px-4 py-3 text-lg font-semibold', inks[tone])}
    >
      {tone === 'good' || tone === 'running' ? t(tone, { count: states.length }) : faults}
    </p>
  );
}

/** What a customer sends to support. */
export function SelfTestPage() {
  const t = useTranslations('selfTest');
  const format = useFormat();
  const brand = useBrand();
  const [attempt, setAttempt] = useState(0);
  const results = useChecks(attempt);
  const detailOf = useDetail(format);
  const lines = ORDER.map((id) => {
    const result: CheckResult = results[id] ?? { state: 'running' };
    return { id, name: t(`checks.${id}`), state: result.state, detail: detailOf(result) };
  });
  const report = [
    `${window.location.host} · ${new Date().toISOString()}`,
    ...lines.map((line) => `[${t(`state.${line.state}`)}] ${line.name}: ${line.detail}`),
  ].join('\n');
  useDocumentTitle(t('title'));
  return (
    <div className="min-h-dvh bg-page">
      <header className="flex h-14 items-center border-b border-line bg-card px-5">
        <a href="#/" className="reach text-ink no-underline" aria-label={brand.name}>
          <BrandLogo />
        </a>
      </header>
      <main className="mx-auto max-w-2xl px-4 pt-6 pb-16">
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
          {t('title')}
        </h1>
        <p className="mt-1 mb-4 text-muted text-pretty">{t('intro')}</p>
        <Verdict states={lines.map(({ state }) => state)} />
        <Card flush>
          <ul>
            {lines.map((line) => (
              <li
                key={line.id}
                className="flex min-h-11 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 last:border-b-0"
              >
                <StateSign state={line.state} label={t(`state.${line.state}`)} />
                <h2 className="w-48 font-medium phone:min-w-0 phone:flex-1">{line.name}</h2>
                <p
                  className="min-w-0 flex-1 text-sm text-muted wrap-anywhere phone:basis-full"
                  // What the browser calls itself is in the report whole.
                  title={line.detail}
                >
                  <span className={clsx(line.state === 'good' && 'line-clamp-1')}>{line.detail || t('running')}</span>
                </p>
              </li>
            ))}
          </ul>
        </Card>
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <CopyButton
            value={report}
            label={t('copy')}
            copiedLabel={t('copied')}
            className="h-9! touch:min-h-10 border border-line-strong bg-card px-2! font-medium text-ink!"
          >
            {t('copy')}
          </CopyButton>
          <Button icon={<RefreshCw size={16} aria-hidden />} onClick={() => setAttempt(attempt + 1)}>
            {t('again')}
          </Button>
          <a href="#/" className={`reach ${textLinkClass} ml-auto`}>
            {t('back')}
          </a>
        </div>
      </main>
    </div>
  );
}
