import type { CommonAttack, Route, TestAttackResult } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { Check, RefreshCw, ShieldPlus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { gapAfter } from '../../../ui/sentences';
import { ErrorState, Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';
import { AttackLine, isStopped } from './attack-line';
import { useTestAttack } from './queries';
import type { NamedAttack } from './remedies';
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

interface CannotProps {
  plugin: string;
  why: 'switchedOff' | 'full';
  routeId: string;
  onLeave: () => void;
}

/** A plugin that could stop more, were its settings not switched off or full, with the way there. */
function Cannot({ plugin, why, routeId, onLeave }: CannotProps) {
  const t = useTranslations('diagnosis.testAttack.remedy');
  const words = usePluginWords()?.(plugin);
  const name = words ? pluginName(words, plugin) : plugin;
  const text = t(why, { plugin: name });
  return (
    <p className="text-sm text-ink">
      {text}
      {gapAfter(text)}
      <Link
        to="/domain/list/$id"
        params={{ id: routeId }}
        search={{ tab: areaOf[plugin], edit: plugin } as never}
        onClick={onLeave}
        className="reach font-medium"
      >
        {t('openPlugin', { plugin: name })}
      </Link>
    </p>
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
  const wasOpen = useRef(false);
  const deployButton = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    if (open && !wasOpen.current) mutate();
    wasOpen.current = open;
  }, [open, mutate]);
  const { common, own } = resultsOf(run?.results ?? []);
  const reached = common
    .filter(({ verdict }) => verdict === 'reached_origin')
    .map(({ attack: of }) => ({ attack: of as CommonAttack, name: t(`attack.${of}` as never) }));
  // While it is paused no setting stops anything.
  const remedies = useDraftRemedies(route, run?.is_paused ? [] : reached);
  const drafted = route.pending_changes > 0 ? remedies.drafted : [];
  const block = async (attacks: readonly NamedAttack[]) => {
    wasPressed.current = true;
    await remedies.save(attacks);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when there are more, which is when buttons go
  useEffect(() => {
    // The button that was pressed is gone.
    if (wasPressed.current) deployButton.current?.focus();
    wasPressed.current = false;
  }, [drafted.length]);

  const actionOf = ({ attack: of, shown_by }: TestAttackResult) => {
    if (shown_by !== null) return null;
    if (drafted.some(({ attack }) => attack === of))
      return (
        <Badge tone="primary" icon={<Check size={14} aria-hidden />}>
          {t('remedy.drafted')}
        </Badge>
      );
    // It is live, and what comes before it in its list has decided.
    if (remedies.drafted.some(({ attack }) => attack === of)) return <Badge>{t('remedy.overruled')}</Badge>;
    if (remedies.left.some((attack) => attack === of)) return <Badge tone="warning">{t('remedy.noRoom')}</Badge>;
    const remedy = remedies.open.filter(({ attack }) => attack === of);
    if (remedy.length === 0) return null;
    return (
      <Button
        size="sm"
        disabled={remedies.isBusy}
        aria-label={t('remedy.blockOne', { attack: remedy[0]?.name ?? '' })}
        aria-disabled={remedies.isSaving || undefined}
        onClick={() => remedies.isSaving || void block(remedy)}
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
      size="lg"
      tall
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>
          {/* What failed has its own Retry. */}
          {!error && (
            <Button
              variant={remedies.open.length + drafted.length > 0 ? 'secondary' : 'primary'}
              icon={<RefreshCw size={16} aria-hidden />}
              loading={isPending}
              onClick={() => mutate()}
            >
              {t('again')}
            </Button>
          )}
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
        <ErrorState {...describeFailure(error)} onRetry={() => mutate()} />
      ) : (
        run && (
          <>
            <RunStatus run={run} results={[...common, ...own]} drafted={drafted.length}>
              {remedies.open.length > 0 && (
                <Button
                  size="sm"
                  variant={drafted.length > 0 ? 'secondary' : 'primary'}
                  icon={<ShieldPlus size={16} aria-hidden />}
                  disabled={remedies.isBusy}
                  loading={remedies.isSaving}
                  onClick={() => void block(remedies.open)}
                >
                  {t('remedy.blockAll', { count: remedies.open.length })}
                </Button>
              )}
              {drafted.length > 0 && (
                <Button size="sm" variant="primary" ref={deployButton} onClick={onDeploy}>
                  {t('remedy.deploy')}
                </Button>
              )}
              {(['switchedOff', 'full'] as const).flatMap((why) =>
                remedies[why].map((plugin) => (
                  <Cannot
                    key={`${why} ${plugin}`}
                    plugin={plugin}
                    why={why}
                    routeId={route.id}
                    onLeave={() => onOpenChange(false)}
                  />
                )),
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
