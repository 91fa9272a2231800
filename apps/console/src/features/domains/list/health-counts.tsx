import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { accountHealthOptions } from '../../../domain/data/queries';
import { useFormat } from '../../../ui/format';
import { Link } from '../../../ui/text-link';

/** How many domains there are, and of how many visitors are not or not well served; these lead to them. */
export function HealthCounts() {
  const t = useTranslations('domain.list.counts');
  const format = useFormat();
  const counts = useQuery(accountHealthOptions).data?.counts;
  if (!counts) return null;
  const all = counts.error + counts.warning + counts.off + counts.ok;
  const line = (message: 'error' | 'warning', className: string) =>
    counts[message] > 0 && (
      <>
        <span aria-hidden>·</span>
        <Link to="/domain/list" search={{ health: 'attention' }} className="font-medium whitespace-nowrap">
          <span className={className}>{t(message, { count: counts[message] })}</span>
        </Link>
      </>
    );
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-muted tabular">
      <span aria-hidden>{format.number(all)}</span>
      <span className="sr-only">{t('all', { count: all })}</span>
      {line('error', 'text-danger')}
      {line('warning', 'text-warning')}
    </p>
  );
}
