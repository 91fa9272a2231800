import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { findFocusAfter } from '../../ui/lost-focus';
import { type AttackMode, useEndAttackMode } from './queries';
import { useNotifyEnded } from './use-notify-ended';

interface EndAttackProps {
  mode: AttackMode;
  /** One word on a phone. */
  isShort?: boolean;
  /** It is one of several: the button names its domain. */
  isNamed?: boolean;
}

/** Ends the mode of a domain, or of the account, with the way back. */
export default function EndAttack({
  mode: { route_id: routeId, domain_name: domainName },
  isShort,
  isNamed,
}: EndAttackProps) {
  const t = useTranslations('attackMode');
  const end = useEndAttackMode(routeId);
  const name = domainName ?? '';
  const notifyEnded = useNotifyEnded(routeId, name);
  const label = t(routeId === null ? 'endAll' : 'end');
  async function submit() {
    // A failure is said by its notice.
    const answer = await end.mutateAsync().catch(() => undefined);
    if (!answer) return;
    notifyEnded(answer);
    // The button goes with the mode.
    findFocusAfter(false);
  }
  return (
    <Button
      size="sm"
      aria-label={isNamed ? t('endOf', { name }) : label}
      loading={end.isPending}
      onClick={() => void submit()}
    >
      <span className={isShort ? 'phone:hidden' : undefined}>{label}</span>
      {isShort && <span className="sm:hidden">{t('banner.end')}</span>}
    </Button>
  );
}
