import type { RouteSummary } from '@cordon/contract';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { StatGrid } from '../../../ui/card';
import { DottedText } from '../../../ui/dotted-text';
import { isPhone } from '../../../ui/is-phone';
import { PageHeader } from '../../../ui/page-header';
import { Skeleton } from '../../../ui/states';
import { TabPanel } from '../../../ui/tabs';
import { HeaderStatus } from './domain-header';
import type { DomainTab } from './domain-tabs';
import { HeaderFactsSkeleton } from './header-facts';

interface PageSkeletonProps {
  /** The domain as a list has shown it. */
  listed: RouteSummary | undefined;
  breadcrumb: ReactNode;
  tabs: ReactNode;
  tab: DomainTab;
}

/** The numbers of a day and their chart before they are loaded, as high as they will be. */
export function DaySkeleton({ hasHits = false }: { hasHits?: boolean }) {
  const isOdd = hasHits && isPhone();
  return (
    <>
      <StatGrid columns={hasHits && !isOdd ? 5 : undefined}>
        {[0, 1, 2, 3, ...(hasHits ? [4] : [])].map((index) => (
          <span
            key={index}
            aria-hidden
            className={clsx('skeleton block w-full', isOdd && index === 4 && 'col-span-full')}
          >
            <span className="block" style={{ height: 90 }} />
            <span className="block h-8 phone:hidden" />
          </span>
        ))}
      </StatGrid>
      <span aria-hidden className="skeleton block w-full" style={{ height: 320 }} />
    </>
  );
}

/** The page before its domain is read: the same lines in the same places, so that nothing moves when it is, with what is known of it. */
export function PageSkeleton({ listed, breadcrumb, tabs, tab }: PageSkeletonProps) {
  const t = useTranslations('domain.page');
  return (
    <div aria-busy>
      <PageHeader
        breadcrumb={[breadcrumb]}
        title={
          listed ? (
            <DottedText text={listed.domain_name_unicode} />
          ) : (
            <>
              <span className="sr-only">{t('one')}</span>
              <Skeleton className="h-8 w-56 max-w-full" />
            </>
          )
        }
        documentTitle={[listed?.domain_name_unicode ?? t('one')]}
        status={listed ? <HeaderStatus route={listed} /> : <Skeleton className="h-6 w-24" />}
        below={<HeaderFactsSkeleton cname={listed?.cname} />}
        actions={<Skeleton className="h-9 w-36 touch:h-10" />}
      />
      {tabs}
      <TabPanel idPrefix="domain" value={tab} className="flex flex-col gap-4 pt-4">
        {tab === 'overview' ? (
          <>
            <Skeleton className="h-14 w-full" />
            <DaySkeleton />
          </>
        ) : (
          // Other tabs have shapes of their own, which come with them.
          <Skeleton className="h-64 w-full" />
        )}
      </TabPanel>
    </div>
  );
}
