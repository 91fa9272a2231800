import type { Route, TestAttackResult } from '@cordon/contract';
import { RefreshCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ErrorState, Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';
import { AttackLine, isStopped } from './attack-line';
import { useTestAttack } from './queries';

/** Rows that stand in for the attacks while they run: as many as there are at least. */
const WAITING_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

interface ResultsProps {
  results: readonly TestAttackResult[];
  route: Route;
  group: 'own' | 'common';
}

function Results({ results, route, group }: ResultsProps) {
  const t = useTranslations('diagnosis.testAttack');
  if (results.length === 0) return null;
  const isAllStopped = results.every(isStopped);
  return (
    <section className="mt-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-sm font-semibold text-muted">{t(`group.${group}`)}</h3>
        {group === 'common' && !isAllStopped && (
          <Link
            to="/domain/list/$id"
            params={{ id: route.id }}
            search={{ tab: 'protection' }}
            className="reach text-sm font-medium"
          >
            {t('rules')}
          </Link>
        )}
      </div>
      <ul className="divide-y divide-line">
        {results.map((result) => (
          <AttackLine
            key={`${result.shown_by} ${result.attack} ${result.request.target} ${result.request.address}`}
            result={result}
            route={route}
          />
        ))}
      </ul>
    </section>
  );
}

interface TestAttackDialogProps {
  route: Route;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Sends the attacks as it opens, and shows what became of each. */
export default function TestAttackDialog({ route, open, onOpenChange }: TestAttackDialogProps) {
  const t = useTranslations('diagnosis.testAttack');
  const tUi = useTranslations('ui');
  const { mutate, data: run, error, isPending } = useTestAttack(route.id);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (open && !wasOpen.current) mutate();
    wasOpen.current = open;
  }, [open, mutate]);
  const summary = run && {
    stopped: run.results.filter(isStopped).length,
    count: run.results.length,
    node: run.node,
    version: run.version,
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title')}
      description={t('body')}
      tall
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>
          <Button
            variant="primary"
            icon={<RefreshCw size={16} aria-hidden />}
            loading={isPending}
            onClick={() => mutate()}
          >
            {t('again')}
          </Button>
        </>
      }
    >
      <p role="status" aria-busy={isPending} className="flex flex-wrap items-baseline gap-x-3">
        {isPending && <span className="text-muted">{t('running', { name: route.domain_name })}</span>}
        {!isPending && summary && (
          <>
            <span className="text-lg font-semibold">{t('summary', summary)}</span>
            <span className="text-sm text-muted">{t('where', summary)}</span>
          </>
        )}
      </p>
      {isPending ? (
        <div className="mt-3 flex flex-col gap-3">
          {WAITING_ROWS.map((row) => (
            <Skeleton key={row} className="h-10 w-full" />
          ))}
        </div>
      ) : error ? (
        <ErrorState {...describeFailure(error)} onRetry={() => mutate()} />
      ) : (
        run && (
          <>
            {run.is_paused && <Callout tone="warning">{t('paused')}</Callout>}
            <Results group="own" results={run.results.filter(({ shown_by }) => shown_by !== null)} route={route} />
            <Results group="common" results={run.results.filter(({ shown_by }) => shown_by === null)} route={route} />
          </>
        )
      )}
    </Dialog>
  );
}
