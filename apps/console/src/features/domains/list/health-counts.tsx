import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { accountHealthOptions } from '../../../domain/data/queries';
import { useFormat } from '../../../ui/format';
import { Link } from '../../../ui/text-link';

/** How many domains there are, and how many of them need fixing, as the filter counts them: a link to these. */
export function HealthCounts() {
  const t = useTranslations('domain.list.counts');
  const format = useFormat();
  const counts = useQuery(accountHealthOptions).data?.counts;
  if (!counts) return null;
  const unwell = counts.error + counts.warning;
  const all = unwell + counts.off + counts.ok;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-muted tabular">
      <span aria-hidden>{format.number(all)}</span>
      <span className="sr-only">{t('all', { count: all })}</span>
      {unwell > 0 && (
        <>
          <span aria-hidden>·</span>
          <Link to="/domain/list" search={{ health: 'attention' }} className="reach font-medium whitespace-nowrap">
            <span className={counts.error > 0 ? 'text-danger' : 'text-warning'}>
              {t('attention', { count: unwell })}
            </span>
          </Link>
        </>
      )}
    </p>
  );
}
