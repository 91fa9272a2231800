import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Activity, History, ListTodo } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { trafficOptions, versionsOptions } from '../../../domain/data/queries';
import { isOperationRunning, isServed, nextSteps } from '../../../domain/model/domain-state';
import { useOperationError } from '../../../domain/words/operation-error';
import { useFormat } from '../../../ui/format';
import { Skeleton } from '../../../ui/states';
import { SuspensionReason } from './suspension';

function SummaryItem({
  icon,
  title,
  answer,
  tone,
  children,
}: {
  icon: ReactNode;
  title: string;
  answer: ReactNode;
  tone?: 'success' | 'warning' | 'danger';
  children?: ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col rounded-card border border-line bg-card p-4 sm:p-5">
      <h2 className="flex items-center gap-2 text-sm font-medium text-muted">
        {icon}
        {title}
      </h2>
      <p
        className={clsx(
          'mt-2 text-lg font-semibold text-balance wrap-anywhere',
          tone === 'success' && 'text-success',
          tone === 'warning' && 'text-warning',
          tone === 'danger' && 'text-danger',
        )}
      >
        {answer}
      </p>
      <div className="mt-1 text-muted">{children}</div>
    </section>
  );
}

/** Share of server errors from which "working" is doubtful. */
const ERRORS_SHARE_BAD = 0.05;

/** On its way to the nodes for the first time, or back to them. */
const isComing = (route: Route) =>
  isOperationRunning(route) &&
  (route.operation?.action === 'resume' || (route.operation?.action === 'deploy' && (route.version_live ?? 0) <= 1));

const DAY_MS = 86_400_000;
/** Too new for "no requests in 24 hours" to mean anything. */
const isYoung = (route: Route) => Date.now() - Date.parse(route.created_at) < DAY_MS;

function Working({ route }: { route: Route }) {
  const t = useTranslations('domain.overview.working');
  const format = useFormat();
  const traffic = useQuery({ ...trafficOptions(route.id), enabled: route.last_deployed !== null });
  const totals = traffic.data?.totals;
  const hasErrors =
    totals !== undefined && totals.requests > 0 && totals.status_5xx / totals.requests >= ERRORS_SHARE_BAD;
  const { suspension } = route;
  const state =
    route.status === 'deleting'
      ? 'deleting'
      : suspension
        ? 'suspended'
        : isComing(route)
          ? 'starting'
          : route.last_deployed === null
            ? 'new'
            : route.status === 'deactivated'
              ? 'deactivated'
              : route.ownership.state === 'pending'
                ? 'pending'
                : hasErrors
                  ? 'errors'
                  : totals && totals.requests === 0
                    ? isYoung(route)
                      ? 'ready'
                      : 'quiet'
                    : 'yes';
  const tone =
    state === 'yes' || state === 'quiet' || state === 'ready'
      ? 'success'
      : state === 'errors' || state === 'suspended'
        ? 'danger'
        : state === 'pending'
          ? 'warning'
          : undefined;
  return (
    <SummaryItem icon={<Activity size={16} aria-hidden />} title={t('title')} answer={t(`answer.${state}`)} tone={tone}>
      {suspension && <p>{t(`hint.suspended.${suspension.scope}`, { time: format.dateTime(suspension.since) })}</p>}
      {route.last_deployed === null ? (
        <p>{t('hint.new')}</p>
      ) : traffic.isPending ? (
        <Skeleton className="mt-1 h-5 w-40" />
      ) : totals ? (
        <p className={clsx('tabular', suspension && 'mt-1')}>
          {t.rich('numbers', {
            requests: format.compact(totals.requests),
            count: totals.requests,
            blocked: format.compact(totals.blocked),
            strong: (chunks) => <strong className="font-semibold whitespace-nowrap text-ink">{chunks}</strong>,
          })}
          {isServed(route) && hasErrors && (
            <> {t('errors', { share: format.percent(totals.status_5xx / totals.requests) })}</>
          )}
        </p>
      ) : (
        <p>{t('unknown')}</p>
      )}
    </SummaryItem>
  );
}

function Changed({ route }: { route: Route }) {
  const t = useTranslations('domain.overview.changed');
  const format = useFormat();
  const who = useWho();
  const versions = useQuery({ ...versionsOptions(route.id, 1, 1), enabled: route.version_live !== null });
  const latest = versions.data?.results[0];
  if (route.suspension)
    return (
      <SummaryItem
        icon={<History size={16} aria-hidden />}
        title={t('title')}
        answer={t(`answer.suspended.${route.suspension.scope}`, { time: format.relative(route.suspension.since) })}
      >
        {route.last_deployed !== null && (
          <p>
            {t('answer.deployed', { version: route.version_live ?? 0, time: format.relative(route.last_deployed) })}
          </p>
        )}
      </SummaryItem>
    );
  const isPending = route.last_deployed !== null && route.pending_changes > 0;
  return (
    <SummaryItem
      icon={<History size={16} aria-hidden />}
      title={t('title')}
      answer={
        isOperationRunning(route) && route.operation?.action === 'deploy'
          ? t('answer.deploying', { version: route.version_live ?? 1 })
          : route.last_deployed === null
            ? t('answer.new')
            : isPending
              ? t('answer.pending', { count: route.pending_changes })
              : t('answer.deployed', { version: route.version_live ?? 0, time: format.relative(route.last_deployed) })
      }
    >
      {isPending || route.last_deployed === null ? (
        <p className="wrap-anywhere">
          {route.draft_updated_by === null
            ? t('draftAt', { time: format.relative(route.draft_updated_at) })
            : t('draftBy', { who: who(route.draft_updated_by), time: format.relative(route.draft_updated_at) })}
        </p>
      ) : latest && latest.version === route.version_live ? (
        <p className="wrap-anywhere">
          {latest.created_by === null ? t('byCordon') : t('by', { who: who(latest.created_by) })}
          {latest.note !== '' && <span className="block text-ink">{t('note', { note: latest.note })}</span>}
        </p>
      ) : (
        <p>{format.dateTime(route.last_deployed)}</p>
      )}
    </SummaryItem>
  );
}

/** What to do, most urgent first; the first is the answer, the others follow. */
function ToDo({ route }: { route: Route }) {
  const t = useTranslations('domain.overview.todo');
  const reason = useOperationError();
  const [first = 'nothing', ...later] = nextSteps(route);
  const words = (step: typeof first) => t(`step.${step}`, { count: route.pending_changes });
  return (
    <SummaryItem icon={<ListTodo size={16} aria-hidden />} title={t('title')} answer={words(first)}>
      {first === 'contact_support' ? (
        route.suspension && <SuspensionReason suspension={route.suspension} />
      ) : (
        <p>{first === 'retry' ? reason(route.operation?.error ?? null) : t(`hint.${first}`)}</p>
      )}
      {later.length > 0 && <p className="mt-1">{t('then', { steps: later.map(words).join(t('separator')) })}</p>}
    </SummaryItem>
  );
}

/** Is it working, what changed, what should I do. */
export function StatusSummary({ route }: { route: Route }) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Working route={route} />
      <Changed route={route} />
      <ToDo route={route} />
    </div>
  );
}
