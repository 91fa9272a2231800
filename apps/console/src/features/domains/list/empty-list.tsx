import { CircleCheck, Globe, Waypoints } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../../ui/button';
import { EmptyState } from '../../../ui/states';
import { FirstSteps } from '../overview/first-steps';

interface EmptyListProps {
  /** The filter under which nothing left means that all is well. */
  well: 'pending' | 'attention' | false;
  /** What was searched for is the ID of a request. */
  requestId: string | undefined;
  onShowAll: () => void;
}

/** In place of the rows: that nothing is left to do, with the way back to all domains; in an account without a domain what is first. */
export default function EmptyList({ well, requestId, onShowAll }: EmptyListProps) {
  const t = useTranslations('domain.list.empty');
  if (requestId !== undefined)
    return (
      <EmptyState
        icon={<Waypoints size={22} aria-hidden />}
        title={t('request.title')}
        description={t('request.body')}
        action={
          <span className="flex flex-wrap gap-2">
            <a href={`#/domain/list?request=${requestId.toLowerCase()}`} className={buttonClass('primary')}>
              {t('request.find')}
            </a>
            <Button onClick={onShowAll}>{t('showAll')}</Button>
          </span>
        }
      />
    );
  if (well)
    return (
      <EmptyState
        icon={<CircleCheck size={22} aria-hidden />}
        title={t(`${well}.title`)}
        description={t(`${well}.body`)}
        action={<Button onClick={onShowAll}>{t('showAll')}</Button>}
      />
    );
  return (
    <>
      <EmptyState icon={<Globe size={22} aria-hidden />} title={t('title')} description={t('body')} className="py-8!" />
      <div className="mx-auto max-w-xl px-4 pb-12">
        <FirstSteps isNarrow />
      </div>
    </>
  );
}
