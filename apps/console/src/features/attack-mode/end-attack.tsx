import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { findFocusAfter } from '../../ui/lost-focus';
import { notify } from '../../ui/notices';
import { type AttackMode, useEndAttackMode, useStartAttackMode } from './queries';

interface EndAttackProps {
  mode: AttackMode;
  /** One word on a phone. */
  isShort?: boolean;
  /** Of the domain, where several may be ended. */
  name?: string;
}

/** No shorter can it be turned on. */
const SECONDS_MIN = 60;

/** Ends the mode of a domain, or of the account; with the way back for as long as it would have held. */
export default function EndAttack({ mode: { route_id: routeId, ends_at }, isShort, name }: EndAttackProps) {
  const t = useTranslations('attackMode');
  const end = useEndAttackMode(routeId);
  const start = useStartAttackMode(routeId);
  const label = t(routeId === null ? 'endAll' : 'end');
  const leftSeconds = () => Math.round((Date.parse(ends_at) - Date.now()) / 1000);
  async function undo() {
    // Said by its notice.
    const isOn = await start.mutateAsync(Math.max(SECONDS_MIN, leftSeconds())).catch(() => undefined);
    if (isOn) notify({ tone: 'success', title: t('started') });
  }
  async function submit() {
    try {
      await end.mutateAsync();
    } catch {
      // Said by its notice.
      return;
    }
    notify({
      tone: 'success',
      title: t('ended'),
      ...(leftSeconds() > 0 && { action: { label: t('undo'), onPress: () => void undo() } }),
    });
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
