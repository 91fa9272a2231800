import type { CacheClear, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCleared } from '../../domain/clears/use-cleared';
import { PlanLimitLine } from '../../domain/form/upgrade-prompt';
import { DomainTasks } from '../../domain/tasks/scheduled-tasks';
import { Card } from '../../ui/card';
import { ClearForm } from './clear-form';
import { ClearList } from './clear-list';
import { ClearNodes, useClearSummary } from './clear-nodes';
import { isCached } from './is-cached';
import { clearOptions } from './queries';
import { useClearHindrance } from './use-clear-hindrance';

/** What came of the last clear, node by node as they report. */
function ClearResult({ routeId, answered }: { routeId: string; answered: CacheClear }) {
  const { data: clear } = useQuery(clearOptions(routeId, answered));
  const summaryOf = useClearSummary();
  const whatOf = useCleared();
  return (
    <div className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      <div role="status" className="wrap-anywhere">
        <p className="font-medium tabular">{summaryOf(clear)}</p>
        <p>{whatOf(clear)}</p>
      </div>
      <ClearNodes clear={clear} />
    </div>
  );
}

/** Clears what the edge has stored of a domain, shows how fast, and what was cleared before. */
export function ClearCachePanel({ route }: { route: Route }) {
  const t = useTranslations('caching');
  const hindrance = useClearHindrance(route);
  const [answered, setAnswered] = useState<CacheClear>();
  return (
    <Card title={t('title')} description={t('description')} aria-label={t('title')}>
      {hindrance === 'plan' ? (
        <PlanLimitLine reason="CACHE_CLEAR_NEEDS_PLAN" />
      ) : hindrance !== undefined ? (
        <p className="text-sm text-muted">{t(`not.${hindrance}`)}</p>
      ) : (
        <div className="flex flex-col gap-4">
          {!isCached(route) && <p className="text-sm text-muted">{t('not.cached')}</p>}
          <ClearForm route={route} onClear={() => setAnswered(undefined)} onCleared={setAnswered} />
          {answered && <ClearResult key={answered.id} routeId={route.id} answered={answered} />}
          <DomainTasks route={route} />
          <section aria-label={t('lastClears')}>
            <h3 className="mb-2 font-medium">{t('lastClears')}</h3>
            <ClearList route={route} />
          </section>
        </div>
      )}
    </Card>
  );
}
