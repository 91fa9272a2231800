import { useTranslations } from 'use-intl';
import { notify } from '../../ui/notices';
import { notifyUndo } from '../../ui/undo-notice';
import { useRestoreAttackMode } from './queries';

/** One stands at a time: what the mode is now. */
export const ATTACK_NOTICE = 'attack-mode';

/** Longer than other notices: it may have been a slip, and all visitors are let through. */
const UNDO_MS = 10_000;

/** Says that the mode of a domain, or (null) of the account, is off; if it was `ended` by this press, with the way back. */
export function useNotifyEnded(routeId: string | null) {
  const t = useTranslations('attackMode');
  const { mutateAsync: restore } = useRestoreAttackMode(routeId);
  async function undo() {
    // A failure is said by its notice.
    const answer = await restore().catch(() => undefined);
    if (!answer) return;
    notify({
      id: ATTACK_NOTICE,
      tone: answer.restored ? 'success' : 'warning',
      title: t(answer.restored ? 'started' : 'notRestored'),
    });
  }
  return (ended: boolean) => {
    const title = t('ended');
    if (!ended) return void notify({ id: ATTACK_NOTICE, tone: 'success', title });
    const action = { label: t('undo'), onPress: () => void undo() };
    notifyUndo({ id: ATTACK_NOTICE, tone: 'success', title, description: t('rests'), durationMs: UNDO_MS, action }, [
      `attack-mode:${routeId ?? ''}`,
    ]);
  };
}
