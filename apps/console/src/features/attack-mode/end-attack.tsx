import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { useEndAttackMode } from './queries';

interface EndAttackProps {
  routeId: string | null;
  /** One word on a phone. */
  isShort?: boolean;
}

/** Ends the mode of a domain, or (null) that of the account. */
export default function EndAttack({ routeId, isShort }: EndAttackProps) {
  const t = useTranslations('attackMode');
  const end = useEndAttackMode(routeId);
  const label = t(routeId === null ? 'endAll' : 'end');
  return (
    <Button size="sm" aria-label={label} loading={end.isPending} onClick={() => end.mutate()}>
      <span className={isShort ? 'phone:hidden' : undefined}>{label}</span>
      {isShort && <span className="sm:hidden">{t('banner.end')}</span>}
    </Button>
  );
}
