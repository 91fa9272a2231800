import type { DraftReplay as Replayed, Route } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import { queryOptions, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure } from '../../../app/failure';
import { domainKeys } from '../../../domain/data/keys';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';

const CHANGES_SHOWN = 5;
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
  const words = usePluginWords()?.(change.plugin);
  const reason = words?.has(`reasons.${change.reason}`) ? words(`reasons.${change.reason}`) : change.reason;
  const sample = change.samples[0];
  return (
    <li className="flex items-baseline gap-3">
      <span className="tabular flex-none text-right font-semibold" style={NUMBER}>
        {format.number(change.requests)}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {t('change', { before: t(`outcome.${change.before}`), after: t(`outcome.${change.after}`) })}
        {' · '}
        {words ? pluginName(words, change.plugin) : change.plugin}
        {`: ${change.rule === '' ? reason : ruleName(words, change.rule)}`}
        {sample && (
          <span className="block text-xs text-muted">{`${sample.method} ${sample.path} · ${sample.client_address}`}</span>
        )}
      </span>
    </li>
  );
}

function Result({ replayed }: { replayed: Replayed }) {
  const t = useTranslations('domain.deploy.replay');
  const tReplay = useTranslations('domain.plugin.replay');
  const format = useFormat();
  const { requests, is_complete, changes, newly_blocked, newly_challenged, newly_passed, unseen } = replayed;
  const stopped = newly_blocked + newly_challenged;
  return (
    <>
      <p role="status" className={clsx('text-lg font-semibold', stopped > 0 && 'text-danger')}>
        {requests === 0
          ? tReplay('none')
          : t(is_complete ? 'counts' : 'countsOfSome', {
              requests,
              blocked: newly_blocked,
              challenged: newly_challenged,
              passed: newly_passed,
            })}
      </p>
      {changes.length > 0 && (
        <ul className="mt-2 flex flex-col gap-2">
          {changes.slice(0, CHANGES_SHOWN).map((change) => (
            <ChangeLine
              key={JSON.stringify([change.before, change.after, change.plugin, change.rule, change.reason])}
              change={change}
            />
          ))}
        </ul>
      )}
      {changes.length > CHANGES_SHOWN && (
        <p className="mt-2 text-muted">{t('more', { count: changes.length - CHANGES_SHOWN })}</p>
      )}
      {requests > 0 && (
        <p className="mt-2 text-xs text-muted">
          {t('unseen', { parts: format.list(unseen.map((part) => tReplay(`parts.${part}`))) })}
        </p>
      )}
    </>
  );
}

/** Whether there is anything to tell: plugins are changed, and something is live that got requests. */
export const isReplayTold = ({ live, draft }: Route): boolean => live !== null && !isSame(live.plugins, draft.plugins);

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
    <section aria-label={t('title')} className="rounded-control border border-line px-4 py-3 text-sm">
      <h3 className="mb-1 text-muted">{t('title')}</h3>
      {query.isLoadingError && (
        <ErrorState
          isLine
          {...describeFailure(query.error)}
          title={tReplay('failed')}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {query.data && <Result replayed={query.data} />}
      {query.isPending && <Skeleton className="h-24 w-full" />}
    </section>
  );
}
