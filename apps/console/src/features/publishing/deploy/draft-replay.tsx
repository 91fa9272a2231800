import type { DraftReplay as Replayed, Route } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import { queryOptions, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure } from '../../../app/failure';
import { domainKeys } from '../../../domain/data/keys';
import { stopKindOf, useDraftReplayWords } from '../../../domain/plugins/draft-replay-words';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { labelled } from '../../../ui/labelled';
import { ErrorState, Skeleton } from '../../../ui/states';

const CHANGES_SHOWN = 5;
/** On a phone the fifth begins a new row. */
const COUNTS = { gridTemplateColumns: 'repeat(auto-fit, minmax(4rem, 1fr))' };
const NUMBER = { minWidth: '3rem' };

const draftReplayOptions = (id: string, revision: number) =>
  queryOptions({
    queryKey: [...domainKeys.traffic(id), 'replay-draft', revision] as const,
    queryFn: async ({ signal }) => (await api.replayDraft({ params: { id }, body: {}, signal })).result,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    meta: { isSilent: true },
  });

type Change = Replayed['changes'][number];

function ChangeLine({ change }: { change: Change }) {
  const t = useTranslations('domain.deploy.replay');
  const format = useFormat();
  const wordsOf = usePluginWords();
  const nameOf = (plugin: string) => {
    const words = wordsOf?.(plugin);
    return words ? pluginName(words, plugin) : plugin;
  };
  const words = wordsOf?.(change.plugin);
  const reason = words?.has(`reasons.${change.reason}`) ? words(`reasons.${change.reason}`) : change.reason;
  const sample = change.samples[0];
  const outcomeOf = (outcome: Change['before'], plugin: string) =>
    t(`outcome.${outcome === 'challenge' ? challengeKind(plugin) : outcome}`);
  const { before_plugin: beforePlugin } = change;
  const outcome = outcomeOf(change.before, beforePlugin);
  const isOfAnother = beforePlugin !== '' && beforePlugin !== change.plugin && nameOf(beforePlugin) !== outcome;
  const before = isOfAnother ? t('outcomeBy', { outcome, plugin: nameOf(beforePlugin) }) : outcome;
  return (
    <li className="flex items-baseline gap-3">
      <span className="tabular flex-none text-right font-semibold" style={NUMBER}>
        {format.number(change.requests)}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {t('change', { before, after: outcomeOf(change.after, change.plugin) })}
        {' · '}
        {labelled(nameOf(change.plugin), change.rule === '' ? reason : ruleName(words, change.rule))}
        {sample && (
          <span className="block text-xs text-muted">{`${sample.method} ${sample.path} · ${sample.client_address}`}</span>
        )}
      </span>
    </li>
  );
}

type CountId = 'requests' | 'blocked' | 'challenged' | 'passed' | 'unknown';

/** Each count in its place from the start: only its number comes. Where nothing could be checked there is none. */
function Counts({ replayed }: { replayed: Replayed | undefined }) {
  const t = useTranslations('domain.deploy.replay.count');
  const format = useFormat();
  const kind = stopKindOf(replayed?.changes);
  const { requests, unknown = 0 } = replayed ?? {};
  const checked = unknown === requests && unknown > 0 ? undefined : replayed;
  const counts: { id: CountId; number: number | undefined; tone?: string }[] = [
    { id: 'requests', number: requests },
    { id: 'blocked', number: checked?.newly_blocked, tone: 'text-danger' },
    { id: 'challenged', number: checked?.newly_challenged, tone: 'text-danger' },
    { id: 'passed', number: checked?.newly_passed },
    ...(unknown > 0 ? [{ id: 'unknown' as const, number: unknown, tone: 'text-warning' }] : []),
  ];
  return (
    <ul aria-hidden className="grid gap-3" style={COUNTS}>
      {counts.map(({ id, number, tone }) => (
        <li key={id} className="min-w-0">
          {replayed === undefined ? (
            <Skeleton className="h-8 w-12" />
          ) : (
            <span
              className={clsx('tabular block h-8 text-2xl font-semibold phone:text-xl', number && tone)}
              title={number === undefined ? undefined : format.number(number)}
            >
              {number === undefined ? '—' : format.compact(number)}
            </span>
          )}
          <span className="block text-xs text-muted">{t(id, { kind })}</span>
        </li>
      ))}
    </ul>
  );
}

/** What the counts are made of, and what they leave out. */
function Details({ replayed, id }: { replayed: Replayed; id: string }) {
  const t = useTranslations('domain.deploy.replay');
  const tReplay = useTranslations('domain.plugin.replay');
  const format = useFormat();
  const { is_complete, changes, unseen } = replayed;
  return (
    <div id={id} className="mt-3 border-t border-line pt-3">
      {changes.length > 0 && (
        <ul className="mb-2 flex flex-col gap-2">
          {changes.slice(0, CHANGES_SHOWN).map((change) => (
            <ChangeLine key={JSON.stringify({ ...change, samples: [] })} change={change} />
          ))}
        </ul>
      )}
      {changes.length > CHANGES_SHOWN && (
        <p className="mb-2 text-muted">{t('more', { count: changes.length - CHANGES_SHOWN })}</p>
      )}
      <p className="text-xs text-muted">
        {!is_complete && `${t('newestLeftOut')} `}
        {t('unseen', { parts: format.list(unseen.map((part) => tReplay(`parts.${part}`))) })}
      </p>
    </div>
  );
}

/** The counts, and behind a press what they are made of: as high before they come as after, whatever they say. */
function Result({ title, replayed }: { title: string; replayed: Replayed | undefined }) {
  const t = useTranslations('domain.deploy.replay');
  const tReplay = useTranslations('domain.plugin.replay');
  const detailsId = useId();
  const [isOpen, setOpen] = useState(false);
  const wordsOf = useDraftReplayWords();
  const isEmpty = replayed?.requests === 0;
  const words = replayed && !isEmpty ? wordsOf(replayed) : undefined;
  return (
    <>
      <div className="flex min-h-8 items-center justify-between gap-3 touch:min-h-10">
        {/* In the title's place: nothing moves. */}
        <h3 className={clsx('min-w-0', words?.large ? 'font-semibold text-warning' : 'text-muted')}>
          {words?.large ?? title}
        </h3>
        {replayed && !isEmpty && (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-2"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {replayed.changes.length > 0 ? t('details') : tReplay('about')}
            <ChevronDown
              size={16}
              aria-hidden
              className={clsx('text-muted transition-transform', isOpen && 'rotate-180')}
            />
          </Button>
        )}
      </div>
      {replayed && (
        <p role="status" className="sr-only">
          {words ? [words.counts, words.large].filter(Boolean).join(' ') : tReplay('none')}
        </p>
      )}
      <Counts replayed={replayed} />
      {words?.unchecked && (
        <p role="status" className="mt-2 font-semibold text-warning">
          {words.unchecked}
        </p>
      )}
      {isOpen && replayed && <Details replayed={replayed} id={detailsId} />}
    </>
  );
}

/** Whether there is anything to tell: plugins are changed, and something is live that got requests. */
const isReplayTold = ({ live, draft }: Route): boolean => live !== null && !isSame(live.plugins, draft.plugins);

/**
 * What a draft that changes plugins would do otherwise to the requests that the domain really had. Nothing where no plugin is
 * changed, or nothing is live.
 */
export function DraftReplay({ route }: { route: Route }) {
  const t = useTranslations('domain.deploy.replay');
  const tReplay = useTranslations('domain.plugin.replay');
  const isTold = isReplayTold(route);
  const query = useQuery({ ...draftReplayOptions(route.id, route.draft_revision), enabled: isTold });
  if (!isTold) return null;
  return (
    <section aria-label={t('title')} className="rounded-control border border-line px-4 py-2 text-sm">
      {query.isLoadingError ? (
        <>
          <h3 className="mb-1 text-muted">{t('title')}</h3>
          <ErrorState
            isLine
            {...describeFailure(query.error)}
            title={tReplay('failed')}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        </>
      ) : (
        <Result title={t('title')} replayed={query.data} />
      )}
    </section>
  );
}
