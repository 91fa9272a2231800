import { CircleCheck, Globe } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { EmptyState } from '../../../ui/states';
import { FirstSteps } from '../overview/first-steps';

interface EmptyListProps {
  /** The filter under which nothing left means that all is well. */
  well: 'pending' | 'attention' | false;
  onShowAll: () => void;
}

/** In place of the rows: that nothing is left to do, with the way back to all domains; in an account without a domain what is first. */
export default function EmptyList({ well, onShowAll }: EmptyListProps) {
  const t = useTranslations('domain.list.empty');
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
