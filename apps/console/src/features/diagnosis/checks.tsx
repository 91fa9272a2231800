import type { Diagnosis, DiagnosisLine, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { HealthSummary } from '../../domain/health/health-summary';
import type { DialogAction } from '../../domain/model/dialog-action';
import { isServed } from '../../domain/model/domain-state';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { joinSentences } from '../../ui/sentences';
import { ErrorState, Skeleton } from '../../ui/states';
import { CheckLine } from './check-line';
import { diagnosisOptions, RECHECK_SECONDS } from './queries';

/** The same judgement as on the overview, with the word that not everything could be checked. */
function Summary({ diagnosis: { health, checks } }: { diagnosis: Diagnosis }) {
  const t = useTranslations('diagnosis.checks');
  const isPart = health.state === 'ok' && checks.some(({ state }) => state === 'unknown');
  return (
    <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 gap-y-1" data-diagnosis={health.state}>
      <HealthSummary health={health}>{isPart ? t('partly') : undefined}</HealthSummary>
    </div>
  );
}

const isUnwell = ({ state }: DiagnosisLine) => state === 'error' || state === 'warning';

interface LinesProps {
  diagnosis: Diagnosis;
  route: Route;
  onAsk: (action: DialogAction) => void;
}

/** What the judgement counts stands first and in its order, then what is not well either; what is fine is one line then. */
function Lines({ diagnosis: { health, checks }, route, onAsk }: LinesProps) {
  const t = useTranslations('diagnosis.checks');
  const found = health.findings.map(({ check }) => check);
  const rankOf = ({ check }: DiagnosisLine) => (found.includes(check) ? found.indexOf(check) : found.length);
  const sorted = checks.toSorted((a, b) => rankOf(a) - rankOf(b));
  const isFolded = ({ check, state }: DiagnosisLine) => found.length > 0 && state === 'ok' && !found.includes(check);
  const fine = sorted.filter(isFolded);
  const lineOf = (line: DiagnosisLine) => (
    <CheckLine
      key={line.check}
      line={line}
      route={route}
      onAsk={onAsk}
      isCounted={!isUnwell(line) || found.includes(line.check)}
    />
  );
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {sorted.filter((line) => !isFolded(line)).map(lineOf)}
      </ul>
      {fine.length > 0 && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-2.5 text-sm text-primary-ink touch:min-h-10">
            {t('fine', { count: fine.length })}
          </summary>
          <ul className="divide-y divide-line border-t border-line">{fine.map(lineOf)}</ul>
        </details>
      )}
    </>
  );
}

interface ChecksProps {
  route: Route;
  preview: ReactNode;
  /** Opens the question before an action. */
  onAsk: (action: DialogAction) => void;
}

/** Everything that decides whether visitors are served, looked at now; each with what to do about it. */
export function Checks({ route, preview, onAsk }: ChecksProps) {
  const t = useTranslations('diagnosis.checks');
  const format = useFormat();
  const query = useQuery(diagnosisOptions(route));
  const { data } = query;
  const isPending = route.ownership.state === 'pending';
  const again = (
    <Button
      size="sm"
      icon={<RefreshCw size={16} aria-hidden />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      {t('again')}
    </Button>
  );
  if (query.isError && !data)
    return (
      <Card>
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      <Card flush aria-label={t('title')}>
        <h2 className="sr-only">{t('title')}</h2>
        <div className="px-4 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {data ? (
              <>
                <Summary diagnosis={data} />
                <p className="text-sm text-muted">
                  {t('at', { time: momentText(format, data.checked_at), duration: format.duration(data.took_ms) })}
                  {isPending && <> {t('watching', { seconds: RECHECK_SECONDS })}</>}
                </p>
              </>
            ) : (
              <p className="min-w-0 flex-1 basis-64 text-muted" role="status">
                {t('running')}
              </p>
            )}
            {again}
          </div>
          {query.isError && data && (
            <p role="alert" className="mt-1 text-sm text-danger">
              {joinSentences(describeFailure(query.error).reasons)}
            </p>
          )}
        </div>
        {data ? (
          <Lines diagnosis={data} route={route} onAsk={onAsk} />
        ) : (
          <div className="flex flex-col gap-4 border-t border-line px-4 py-4" aria-busy>
            {[0, 1, 2, 3, 4].map((index) => (
              <Skeleton key={index} className="h-6 w-full" />
            ))}
          </div>
        )}
      </Card>
      {isPending && route.last_deployed !== null && isServed(route) && preview}
    </div>
  );
}
