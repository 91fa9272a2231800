import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { findFocusAfter } from '../../ui/lost-focus';
import { notify } from '../../ui/notices';
import { useEndAttackMode } from './queries';

interface EndAttackProps {
  routeId: string | null;
  /** One word on a phone. */
  isShort?: boolean;
  /** Of the domain, where several may be ended. */
  name?: string;
}

/** Ends the mode of a domain, or (null) that of the account. */
export default function EndAttack({ routeId, isShort, name }: EndAttackProps) {
  const t = useTranslations('attackMode');
  const end = useEndAttackMode(routeId);
  const label = t(routeId === null ? 'endAll' : 'end');
  async function submit() {
    try {
      await end.mutateAsync();
    } catch {
      // Said by its notice.
      return;
    }
    notify({ tone: 'success', title: t('ended') });
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
