import type { CacheClear, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../app/subscriptions';
import { PlanLimitLine } from '../../domain/form/upgrade-prompt';
import { DomainTasks } from '../../domain/tasks/scheduled-tasks';
import { Card } from '../../ui/card';
import { ClearForm } from './clear-form';
import { ClearList } from './clear-list';
import { ClearNodes, useClearSummary } from './clear-nodes';
import { clearOptions } from './queries';

/** What came of the last clear, node by node as they report. */
function ClearResult({ routeId, answered }: { routeId: string; answered: CacheClear }) {
  const { data: clear } = useQuery(clearOptions(routeId, answered));
  const summaryOf = useClearSummary();
  return (
    <div className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      <p role="status" className="font-medium tabular">
        {summaryOf(clear)}
      </p>
      <ClearNodes clear={clear} />
    </div>
  );
}

/** Why nothing can be cleared now; undefined: it can. */
function useHindrance(route: Route): 'plan' | 'never' | 'suspended' | undefined {
  const { subscriptions } = useSubscriptions();
  const isFree = subscriptions?.find(({ cname }) => cname === route.subscription_cname)?.tier === 'free';
  if (isFree) return 'plan';
  if (route.suspension !== null) return 'suspended';
  return route.version_live === null ? 'never' : undefined;
}

/** Clears what the edge has stored of a domain, shows how fast, and what was cleared before. */
export function ClearCachePanel({ route }: { route: Route }) {
  const t = useTranslations('caching');
  const hindrance = useHindrance(route);
  const [answered, setAnswered] = useState<CacheClear>();
  return (
    <Card title={t('title')} description={t('description')} aria-label={t('title')}>
      {hindrance === 'plan' ? (
        <PlanLimitLine reason="CACHE_CLEAR_NEEDS_PLAN" />
      ) : hindrance !== undefined ? (
        <p className="text-sm text-muted">{t(`not.${hindrance}`)}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <ClearForm route={route} onClear={() => setAnswered(undefined)} onCleared={setAnswered} />
          {answered && <ClearResult key={answered.id} routeId={route.id} answered={answered} />}
          <DomainTasks routeId={route.id} />
          <section aria-label={t('lastClears')}>
            <h3 className="mb-2 text-sm font-medium">{t('lastClears')}</h3>
            <ClearList route={route} />
          </section>
        </div>
      )}
    </Card>
  );
}
