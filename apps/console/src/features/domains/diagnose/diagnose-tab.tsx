import type { Route } from '@cordon/contract';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { SegmentedControl } from '../../../ui/choice';
import { Skeleton } from '../../../ui/states';
import type { DomainPageSearch } from '../page/page-search';
import { Checks } from './checks';

const TracePanel = lazy(() => import('./trace/trace-panel'));
const VIEWS = ['checks', 'trace'] as const;

/** What is wrong and what to do about it; and what would happen to a request. */
export default function DiagnoseTab({
  route,
  search,
  onSearchChange,
}: {
  route: Route;
  search: DomainPageSearch;
  onSearchChange: (search: DomainPageSearch) => void;
}) {
  const t = useTranslations('diagnose.view');
  const view = search.view ?? 'checks';
  return (
    <>
      <SegmentedControl
        label={t('label')}
        options={VIEWS.map((value) => ({ value, label: t(value) }))}
        value={view}
        onValueChange={(value) => onSearchChange({ tab: 'diagnose', view: value === 'checks' ? undefined : value })}
        className="mb-4"
      />
      {view === 'checks' ? (
        <Checks route={route} />
      ) : (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <TracePanel key={search.request} route={route} requestId={search.request} />
        </Suspense>
      )}
    </>
  );
}
