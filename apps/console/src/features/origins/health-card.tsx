import {
  type DiagnosisItem,
  type Health,
  type OriginHealth,
  type Route,
  type TargetHealth,
  targetAddress,
} from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Callout } from '../../domain/form/callout';
import { useDiagnosisWords } from '../../domain/health/diagnosis-words';
import { Badge, type Tone } from '../../ui/badge';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { ErrorState, Skeleton } from '../../ui/states';
import { originHealthOptions } from './queries';

type Target = OriginHealth['targets'][number];
type State = TargetHealth['state'] | 'errors';

const looks: Readonly<Record<State, { tone: Tone; icon: typeof CircleX }>> = {
  up: { tone: 'success', icon: CircleCheck },
  partly: { tone: 'warning', icon: CircleX },
  errors: { tone: 'warning', icon: CircleX },
  // A fact, no judgement.
  failing: { tone: 'neutral', icon: CircleX },
  down: { tone: 'danger', icon: CircleX },
  unknown: { tone: 'neutral', icon: CircleDashed },
};

/** What all nodes together say about a target. */
function stateOf(nodes: readonly TargetHealth[]): State {
  const is = (...states: TargetHealth['state'][]) => nodes.some(({ state }) => states.includes(state));
  if (is('down', 'partly')) return is('up', 'failing', 'partly') ? 'partly' : 'down';
  return is('failing') ? 'failing' : is('up') ? 'up' : 'unknown';
}

/**
 * The same, judged as the health of the domain is: by what the nodes leave out, by what the last check found, and of
 * requests that fail by what that says of them.
 */
export function stateOfTarget({ nodes, checks }: Target, health: Pick<Health, 'findings'>): State {
  const met = stateOf(nodes);
  const refused = checks.filter(({ state }) => state === 'error').length;
  if (met === 'down') return 'down';
  if (refused > 0) return refused === checks.length && met !== 'up' ? 'down' : 'partly';
  if (met === 'partly') return met;
  const failed = health.findings.find(({ finding }) => finding === 'server_errors');
  if (met === 'failing' && failed) return failed.state === 'error' ? 'down' : 'errors';
  if (checks.some(({ state }) => state === 'warning')) return 'errors';
  return met === 'unknown' && checks.length > 0 ? 'up' : met;
}

function StateBadge({ state }: { state: State }) {
  const t = useTranslations('origins.health.state');
  const { tone, icon: Icon } = looks[state];
  return (
    <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {t(state)}
    </Badge>
  );
}

const loud = (text: ReactNode) => <strong className="font-semibold text-ink">{text}</strong>;

/** One node's view in one line. */
function NodeText({ node }: { node: TargetHealth }) {
  const t = useTranslations('origins.health');
  const format = useFormat();
  const parts: ReactNode[] = [
    node.since && t('since', { time: momentText(format, node.since) }),
    node.state === 'unknown' && node.requests === 0
      ? t('quiet')
      : t.rich('requests', { count: node.requests, b: loud }),
    node.response_ms !== null &&
      t.rich('response', {
        duration: node.response_ms < 1 ? `<${format.duration(1)}` : format.duration(node.response_ms),
        b: loud,
      }),
    node.last_error &&
      node.last_error_at &&
      t('lastError', { time: momentText(format, node.last_error_at), error: t(`error.${node.last_error}`) }),
  ];
  return parts.filter(Boolean).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line have no other identity than their place
    <Fragment key={index}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ));
}

/** What the last check found, in place of requests that were not sent, and wherever something is wrong. */
function Checks({ checks, at }: { checks: readonly DiagnosisItem[]; at: string }) {
  const t = useTranslations('origins.health');
  const format = useFormat();
  const words = useDiagnosisWords();
  return (
    <ul className="mt-1 text-sm wrap-anywhere">
      {checks.map((item) => (
        <li key={item.kind} className={item.state === 'error' ? 'text-danger' : 'text-muted'}>
          {checks.length > 1 && `${item.kind} `}
          {t('checked', { time: momentText(format, at), found: words.itemFinding(item) })}
        </li>
      ))}
    </ul>
  );
}

interface TargetItemProps {
  target: Target;
  health: Health;
  checkedAt: string | null;
}

function TargetItem({ target, health, checkedAt }: TargetItemProps) {
  const t = useTranslations('origins.health');
  const state = stateOfTarget(target, health);
  const isTold = target.checks.some((check) => check.state !== 'ok') || stateOf(target.nodes) === 'unknown';
  const up = target.nodes.filter(({ state }) => state === 'up').length;
  const [only] = target.nodes.length === 1 ? target.nodes : [];
  return (
    <li className="flex min-h-14 flex-col justify-center border-line px-4 py-2 not-last:border-b">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={state} />
        <span className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{targetAddress(target)}</span>
        {target.backup && <Badge>{t('backup')}</Badge>}
        <span className="tabular ml-auto min-w-0 text-sm text-muted phone:ml-0">
          {only ? <NodeText node={only} /> : target.nodes.length > 1 && t('nodes', { up, all: target.nodes.length })}
        </span>
      </div>
      {isTold && checkedAt !== null && <Checks checks={target.checks} at={checkedAt} />}
      {target.nodes.length > 1 && (
        <details className="mt-1" open={target.nodes.some(({ state }) => state !== 'up' && state !== 'unknown')}>
          <summary className="reach text-sm text-primary-ink">{t('perNode')}</summary>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {target.nodes.map((node) => (
              <li key={node.node} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm">
                <span className="font-medium">{node.node}</span>
                <StateBadge state={node.state} />
                <span className="min-w-0 text-muted">
                  <NodeText node={node} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {target.nodes.length === 0 && <p className="mt-1 text-sm text-muted">{t('noNodes')}</p>}
    </li>
  );
}

/** The live targets as the nodes see them, now. */
export function HealthCard({ route }: { route: Route }) {
  const t = useTranslations('origins.health');
  const query = useQuery(originHealthOptions(route.id));
  const health = query.data;
  return (
    <Card
      title={t('title')}
      actions={<span className="text-sm text-muted">{t('body', { minutes: health?.minutes ?? 15 })}</span>}
      flush
    >
      {!health && query.isError && (
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {!health && !query.isError && (
        <div className="flex min-h-14 flex-col justify-center border-t border-line px-4">
          <Skeleton className="h-6" />
        </div>
      )}
      {health && !health.is_measured && (
        <Callout tone="warning" className="mx-4 mb-3 sm:mx-5">
          {t('unmeasured')}
        </Callout>
      )}
      {health?.targets.length === 0 && <p className="px-4 pb-4 text-muted">{t('notLive')}</p>}
      {health && health.targets.length > 0 && (
        <ul className="border-t border-line">
          {health.targets.map((target) => (
            <TargetItem
              key={`${target.host} ${target.port}`}
              target={target}
              health={route.health}
              checkedAt={health.checked_at}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
