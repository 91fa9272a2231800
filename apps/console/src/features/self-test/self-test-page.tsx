import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
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

/** What a customer sends to support. */
export function SelfTestPage() {
  const t = useTranslations('selfTest');
  const format = useFormat();
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
      <header className="flex h-14 items-center px-5">
        <BrandLogo />
      </header>
      <main className="mx-auto max-w-2xl px-4 pt-6 pb-16">
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
          {t('title')}
        </h1>
        <p className="mt-1 mb-4 text-muted text-pretty">{t('intro')}</p>
        <Card flush>
          <ul>
            {lines.map((line) => (
              <li
                key={line.id}
                className="flex items-start gap-4 border-b border-line px-4 py-3 last:border-b-0 sm:px-5"
              >
                <div className="min-w-0 flex-1">
                  <h2 className="font-medium">{line.name}</h2>
                  <p className="text-sm text-muted wrap-anywhere">{line.detail || t('running')}</p>
                </div>
                <StatusBadge tone={tones[line.state]} busy={line.state === 'running'}>
                  {t(`state.${line.state}`)}
                </StatusBadge>
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
