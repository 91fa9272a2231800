import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PlanLimitLine } from '../../../domain/form/upgrade-prompt';
import { Card } from '../../../ui/card';
import { developmentModeOptions } from '../development-mode/queries';
import { isCached } from '../is-cached';
import { useIsFree } from '../use-is-free';
import { PrefetchForm } from './prefetch-form';
import { PrefetchListForm } from './prefetch-list-form';
import { PrefetchRuns } from './prefetch-runs';

/** Why nothing can be fetched now; undefined: it can. */
function useHindrance(
  route: Route,
): 'plan' | 'suspended' | 'never' | 'deactivated' | 'uncached' | 'development' | undefined {
  const isPassedBy = typeof useQuery(developmentModeOptions(route)).data?.ends_at === 'string';
  const isFree = useIsFree(route);
  if (isFree) return 'plan';
  if (route.suspension !== null) return 'suspended';
  if (route.version_live === null) return 'never';
  if (route.status === 'deactivated') return 'deactivated';
  if (!isCached(route)) return 'uncached';
  return isPassedBy ? 'development' : undefined;
}

/** Has nodes fetch URLs before visitors ask, now or after each deploy, and shows how far each is. */
export function PrefetchPanel({ route }: { route: Route }) {
  const t = useTranslations('caching.prefetch');
  const hindrance = useHindrance(route);
  const [opened, setOpened] = useState<string>();
  return (
    <Card title={t('title')} description={t('description')} aria-label={t('title')}>
      {hindrance === 'plan' ? (
        <PlanLimitLine reason="PREFETCH_NEEDS_PLAN" />
      ) : (
        <div className="flex flex-col gap-4">
          {hindrance === undefined ? (
            <PrefetchForm route={route} onStarted={setOpened} />
          ) : (
            <p className="text-sm text-muted">{t(`not.${hindrance}`)}</p>
          )}
          {hindrance !== 'never' && (
            <section aria-label={t('runs')}>
              <h3 className="mb-2 font-medium">{t('runs')}</h3>
              <PrefetchRuns route={route} opened={opened} />
            </section>
          )}
          {hindrance !== 'suspended' && (
            <section aria-label={t('list.title')}>
              <h3 className="mb-2 font-medium">{t('list.title')}</h3>
              <PrefetchListForm route={route} />
            </section>
          )}
        </div>
      )}
    </Card>
  );
}
