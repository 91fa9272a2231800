import { ArrowUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { findLostFocus } from '../../../ui/lost-focus';

/** Beside the columns, where the tools say of which time the numbers are: no row moves. */
const OVER_TOOLS = { top: -45, right: 121 } as const;

/** That the rows would stand in another order by now: over the tools of the list, and at the lower edge of a phone. */
export default function OrderChanged({ isOnPhone, onSortAgain }: { isOnPhone: boolean; onSortAgain: () => void }) {
  const t = useTranslations('domain.list.order');
  const button = (
    <Button
      size="sm"
      title={t('changed')}
      className={isOnPhone ? undefined : 'bg-soft! text-primary-ink! shadow-float'}
      icon={<ArrowUpDown size={14} aria-hidden />}
      onClick={() => {
        onSortAgain();
        requestAnimationFrame(findLostFocus);
      }}
    >
      {t('sortAgain')}
    </Button>
  );
  if (!isOnPhone)
    return (
      <div role="status" className="absolute z-10 phone:hidden" style={OVER_TOOLS}>
        <span className="sr-only">{t('changed')}</span>
        {button}
      </div>
    );
  return (
    <div
      role="status"
      className="flex min-h-14 items-center gap-2 rounded-b-card border-t border-line bg-card px-4 py-2 text-sm text-muted sm:hidden"
    >
      <span className="min-w-0 flex-1">{t('changed')}</span>
      {button}
    </div>
  );
}
