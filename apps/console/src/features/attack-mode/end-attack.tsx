import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { findFocusAfter } from '../../ui/lost-focus';
import { type AttackMode, useEndAttackMode } from './queries';
import { useNotifyEnded } from './use-notify-ended';

interface EndAttackProps {
  mode: AttackMode;
  /** One word on a phone. */
  isShort?: boolean;
  /** Of the domain, where several may be ended. */
  name?: string;
}

/** Ends the mode of a domain, or of the account, with the way back. */
export default function EndAttack({ mode: { route_id: routeId }, isShort, name }: EndAttackProps) {
  const t = useTranslations('attackMode');
  const end = useEndAttackMode(routeId);
  const notifyEnded = useNotifyEnded(routeId);
  const label = t(routeId === null ? 'endAll' : 'end');
  async function submit() {
    // A failure is said by its notice.
    const answer = await end.mutateAsync().catch(() => undefined);
    if (!answer) return;
    notifyEnded(answer.ended);
    // The button goes with the mode.
    findFocusAfter(false);
  }
  return (
    <Button
      size="sm"
      aria-label={name === undefined ? label : t('endOf', { name })}
      loading={end.isPending}
      onClick={() => void submit()}
    >
      <span className={isShort ? 'phone:hidden' : undefined}>{label}</span>
      {isShort && <span className="sm:hidden">{t('banner.end')}</span>}
    </Button>
  );
}
