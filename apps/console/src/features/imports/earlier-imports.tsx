import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { Link } from '../../ui/text-link';
import { earlierImportsOptions } from './queries';

/** Imports of the last days, also those of other people and devices; nothing while there are none. */
export function EarlierImports() {
  const t = useTranslations('imports.earlier');
  const format = useFormat();
  const who = useWho();
  const imports = useQuery(earlierImportsOptions);
  if (!imports.data || imports.data.length === 0) return null;
  return (
    <Card title={t('title')} flush>
      <ul className="divide-y divide-line border-t border-line">
        {imports.data.map((batch) => (
          <li key={batch.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
            <Link to="/domain/import" search={{ batch: batch.id }} className="font-medium">
              {t('import', { count: batch.total })}
            </Link>
            <StatusBadge
              tone={batch.state === 'running' ? 'primary' : batch.state === 'successful' ? 'success' : 'danger'}
              busy={batch.state === 'running'}
            >
              {t(`state.${batch.state}`, { count: batch.failed })}
            </StatusBadge>
            <span className="ml-auto text-sm text-muted wrap-anywhere phone:ml-0">
              {t('by', { who: who(batch.created_by), when: format.dateTime(batch.created_at) })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
