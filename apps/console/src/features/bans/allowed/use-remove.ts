import { useCallback, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts, supportIdOf } from '../../../app/failure';
import { notify } from '../../../ui/notices';
import { joinSentences } from '../../../ui/sentences';
import { notifyUndo } from '../../../ui/undo-notice';
import { removalCause } from '../undo/causes';
import { type Removal, useRemoveNetworks, useRestoreNetworks } from './queries';

/** Longer than other notices: it may have been the wrong row. */
const UNDO_MS = 10_000;

/** Removes entries at once, and its Undo brings back the very entries. `network` names the one of one. Stable. */
export function useRemove(onRemoved: () => void) {
  const t = useTranslations('bans.allowList');
  const tUi = useTranslations('ui');
  const { mutateAsync: remove, isPending } = useRemoveNetworks();
  const { mutateAsync: restore } = useRestoreNetworks();

  function notifyFailed(title: string, error: unknown, retry: () => void) {
    notify({
      tone: 'error',
      title,
      description: joinSentences(failureTexts(error)),
      requestId: supportIdOf(error),
      durationMs: Math.max(UNDO_MS, failureNoticeMs(error)),
      action: { label: tUi('retry'), onPress: retry },
    });
  }
  async function undo(removalId: string) {
    try {
      const { restored } = await restore(removalId);
      notify({ tone: restored > 0 ? 'success' : 'warning', title: t('restored', { count: restored }) });
    } catch (error) {
      notifyFailed(t('notRestored'), error, () => void undo(removalId));
    }
  }
  async function run(removal: Removal, network?: string) {
    try {
      const { removed, removal_id: removalId } = await remove(removal);
      onRemoved();
      notifyUndo(
        {
          id: `removal:${removalId}`,
          tone: 'success',
          title: network === undefined ? t('removed', { count: removed }) : t('removedOne', { network }),
          durationMs: UNDO_MS,
          ...(removed > 0 && { action: { label: t('undo'), onPress: () => void undo(removalId) } }),
        },
        network === undefined ? [] : [removalCause(network)],
      );
    } catch (error) {
      notifyFailed(t('notRemoved'), error, () => void run(removal, network));
    }
  }
  const latest = useRef(run);
  latest.current = run;
  return {
    remove: useCallback((removal: Removal, network?: string) => latest.current(removal, network), []),
    isPending,
  };
}
