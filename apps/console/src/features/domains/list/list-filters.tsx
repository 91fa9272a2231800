import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { Button } from '../../../ui/button';
import { lazyPart } from '../../../ui/lazy-part';
import { Skeleton } from '../../../ui/states';
import type { FilterProps } from './status-filter';

export interface ListFilterParts {
  GroupFilter: ComponentType<{ value: string | undefined; onValueChange: (id: string | undefined) => void }>;
}

const BUTTON = <Skeleton className="h-8 w-24 touch:h-10" />;
const ColumnsMenu = lazyPart(() => import('./columns-menu'));
const StatusFilter = lazyPart(() => import('./status-filter'));
const SubscriptionFilter = lazyPart(() => import('./subscription-filter'));

/**
 * What narrows the list down: what needs fixing, exactly one name, status, group and subscription, the last two only where there
 * is a choice. One line whose height never changes; what comes late stands at its end.
 */
export function ListFilters({
  search,
  onFilter,
  parts,
  sortAgain,
}: FilterProps & {
  parts: ListFilterParts;
  /** Has the place of the time that the numbers are of. */
  sortAgain: ReactNode;
}) {
  const t = useTranslations('domain.list');
  const { subscriptions } = useSubscriptions();
  const hasChoice = (subscriptions?.length ?? 0) > 1 || search.cname !== undefined;
  const exact = (label: string, onClick: () => void, className?: string) => (
    <Button
      size="sm"
      className={className}
      icon={<X size={14} aria-hidden />}
      onClick={onClick}
      title={t('removeExact')}
    >
      {label}
    </Button>
  );
  return (
    <div
      className={clsx(
        'flex min-w-0 flex-1 items-center gap-2',
        search.domain_name === undefined && search.health !== 'off' && 'phone:hidden',
      )}
    >
      <div className="-m-1 flex min-w-0 flex-1 items-center gap-2 overflow-x-auto p-1 [scrollbar-width:none]">
        {search.domain_name &&
          exact(t('exactly', { name: search.domain_name }), () => onFilter({ domain_name: undefined }))}
        {search.health === 'off' &&
          exact(t('filter.off'), () => onFilter({ health: undefined }), 'bg-soft! text-primary-ink!')}
        {/* A phone has these behind one button. */}
        <span className="flex min-w-0 flex-1 items-center gap-2 phone:hidden">
          <Suspense
            fallback={
              <>
                {BUTTON}
                {BUTTON}
              </>
            }
          >
            <StatusFilter search={search} onFilter={onFilter} />
          </Suspense>
          <Suspense fallback={null}>
            <parts.GroupFilter value={search.group} onValueChange={(group) => onFilter({ group })} />
          </Suspense>
          {hasChoice && (
            <Suspense fallback={null}>
              <SubscriptionFilter
                subscriptions={subscriptions ?? []}
                value={search.cname}
                onValueChange={(cname) => onFilter({ cname })}
              />
            </Suspense>
          )}
        </span>
      </div>
      {/* Beside what scrolls: it is always within reach. */}
      <span className="flex items-center gap-2 phone:hidden">
        {/* Where there is less room, a line above the rows says it. */}
        {sortAgain || <span className="text-sm whitespace-nowrap text-muted max-lg:hidden">{t('lastDay')}</span>}
        <Suspense fallback={BUTTON}>
          <ColumnsMenu />
        </Suspense>
      </span>
    </div>
  );
}
