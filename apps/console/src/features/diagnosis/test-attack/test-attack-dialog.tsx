import type { CommonAttack, Route, TestAttackResult } from '@cordon/contract';
import { Check, RefreshCw, ShieldPlus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ErrorState, Skeleton } from '../../../ui/states';
import { AttackLine, isStopped } from './attack-line';
import { useTestAttack } from './queries';
import { RunStatus } from './run-status';
import { useDraftRemedies } from './use-draft-remedies';

/** Rows that stand in for the attacks while they run: as many as there are at least. */
const WAITING_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

interface ResultsProps {
  results: readonly TestAttackResult[];
  route: Route;
  group: 'own' | 'common';
  actionOf?: (result: TestAttackResult) => ReactNode;
}

const stoppedBy = ({ plugin, rule }: TestAttackResult) => `${plugin} ${rule}`;

/** The common attacks, and what plugins show themselves with, less the rules that have stopped one of the former. */
function resultsOf(results: readonly TestAttackResult[]) {
  const common = results.filter(({ shown_by }) => shown_by === null);
  const shown = new Set(common.filter((one) => isStopped(one) && one.rule !== null).map(stoppedBy));
  const own = results.filter((one) => one.shown_by !== null && !(one.rule !== null && shown.has(stoppedBy(one))));
  return { common, own };
}

/** What would have reached the origin first. */
function Results({ results, route, group, actionOf }: ResultsProps) {
  const t = useTranslations('diagnosis.testAttack');
  if (results.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="text-sm font-semibold text-muted">{t(`group.${group}`)}</h3>
      <ul className="divide-y divide-line">
        {results
          .toSorted((a, b) => Number(isStopped(a)) - Number(isStopped(b)))
          .map((result) => (
            <AttackLine
              key={`${result.shown_by} ${result.attack} ${result.request.target} ${result.request.address}`}
              result={result}
              route={route}
              action={actionOf?.(result)}
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
  onDeploy: () => void;
}

/** Sends the attacks as it opens, shows what became of each, and puts into the draft what stops them. */
export default function TestAttackDialog({ route, open, onOpenChange, onDeploy }: TestAttackDialogProps) {
  const t = useTranslations('diagnosis.testAttack');
  const tUi = useTranslations('ui');
  const { mutate, data: run, error, isPending } = useTestAttack(route.id);
  const { drafted, open: openOf, save, reset, isBusy } = useDraftRemedies(route);
  const wasOpen = useRef(false);
  const deployButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (drafted.length > 0) deployButton.current?.focus();
  }, [drafted]);
  const attack = () => {
    reset();
    mutate();
  };
  useEffect(() => {
    if (open && !wasOpen.current) attack();
    wasOpen.current = open;
  });
  const named = ({ attack: of }: TestAttackResult) => ({
    attack: of as CommonAttack,
    name: t(`attack.${of}` as never),
  });
  const { common, own } = resultsOf(run?.results ?? []);
  const openNow = openOf(common.filter(({ verdict }) => verdict === 'reached_origin').map(named));

  const actionOf = (result: TestAttackResult) => {
    if (drafted.includes(result.attack))
      return (
        <Badge tone="primary" icon={<Check size={14} aria-hidden />}>
          {t('remedy.drafted')}
        </Badge>
      );
    const remedy = openNow.filter(({ attack: of }) => of === result.attack);
    if (remedy.length === 0) return null;
    return (
      <Button
        size="sm"
        disabled={isBusy}
        aria-label={t('remedy.blockOne', { attack: remedy[0]?.name ?? '' })}
        onClick={() => void save(remedy)}
      >
        {t('remedy.block')}
      </Button>
    );
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
            variant={openNow.length + drafted.length > 0 ? 'secondary' : 'primary'}
            icon={<RefreshCw size={16} aria-hidden />}
            loading={isPending}
            onClick={attack}
          >
            {t('again')}
          </Button>
        </>
      }
    >
      {isPending ? (
        <>
          <p role="status" aria-busy className="text-muted">
            {t('running', { name: route.domain_name })}
          </p>
          <div className="mt-3 flex flex-col gap-3">
            {WAITING_ROWS.map((row) => (
              <Skeleton key={row} className="h-10 w-full" />
            ))}
          </div>
        </>
      ) : error ? (
        <ErrorState {...describeFailure(error)} onRetry={attack} />
      ) : (
        run && (
          <>
            <RunStatus run={run} results={[...common, ...own]} drafted={drafted.length}>
              {openNow.length > 0 && (
                <Button
                  size="sm"
                  variant={drafted.length > 0 ? 'secondary' : 'primary'}
                  icon={<ShieldPlus size={16} aria-hidden />}
                  disabled={isBusy}
                  onClick={() => void save(openNow)}
                >
                  {t('remedy.blockAll', { count: openNow.length })}
                </Button>
              )}
              {drafted.length > 0 && (
                // The button that was pressed may be gone.
                <Button size="sm" variant="primary" ref={deployButton} onClick={onDeploy}>
                  {t('remedy.deploy')}
                </Button>
              )}
            </RunStatus>
            <Results group="common" results={common} route={route} actionOf={actionOf} />
            <Results group="own" results={own} route={route} />
          </>
        )
      )}
    </Dialog>
  );
}
