import { useTranslations } from 'use-intl';
import { notify } from '../../ui/notices';
import { notifyUndo } from '../../ui/undo-notice';
import { type AttackEnd, useRestoreAttackMode } from './queries';

/** One stands at a time: what the mode is now. */
export const ATTACK_NOTICE = 'attack-mode';

/** Longer than other notices: it may have been a slip, and all visitors are let through. */
const UNDO_MS = 10_000;

/**
 * Says that the mode of a domain, or (null) of the account, is off, and what is on still; if it was ended by this press, with
 * the way back. `name` is the domain's.
 */
export function useNotifyEnded(routeId: string | null, name: string) {
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
  return ({ ended, rests, holding }: AttackEnd) => {
    const [still] = holding;
    const title =
      still === undefined
        ? t('ended')
        : still.route_id === null
          ? t('endedOne', { name })
          : t('endedAll', { count: holding.length, name: still.domain_name ?? '' });
    const notice = { id: ATTACK_NOTICE, tone: still ? 'warning' : 'success', title } as const;
    if (!ended) return void notify(notice);
    // Where that of the account is on, nothing starts by itself anyway.
    const description = rests && still?.route_id !== null ? t('rests') : undefined;
    const action = { label: t('undo'), onPress: () => void undo() };
    notifyUndo({ ...notice, description, durationMs: UNDO_MS, action }, [`attack-mode:${routeId ?? ''}`]);
  };
}
