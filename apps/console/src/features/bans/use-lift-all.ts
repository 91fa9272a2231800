import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts } from '../../app/failure';
import { notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { notifyUndo } from '../../ui/undo-notice';
import { type FoundBans, useLiftFound, useRestoreFound } from './queries';

const UNDO_MS = 10_000;

/** Lifts all bans that a search finds, and its Undo brings back those that this has lifted. */
export function useLiftAll(onLifted: () => void) {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  const { mutateAsync: lift, isPending } = useLiftFound();
  const { mutateAsync: restore } = useRestoreFound();

  function notifyFailed(title: string, error: unknown, retry: () => void) {
    notify({
      tone: 'error',
      title,
      description: joinSentences(failureTexts(error)),
      durationMs: Math.max(UNDO_MS, failureNoticeMs(error)),
      action: { label: tUi('retry'), onPress: retry },
    });
  }
  async function undo(liftId: string, count: number) {
    try {
      const { restored, ended, replaced } = await restore(liftId);
      const left = [
        ended > 0 && t('restoredEnded', { count: ended }),
        replaced > 0 && t('restoredReplaced', { count: replaced }),
      ].filter((text) => text !== false);
      notify({
        tone: restored > 0 ? 'success' : 'warning',
        title: t('restored', { count: restored }),
        ...(left.length > 0 && { description: joinSentences(left), durationMs: UNDO_MS }),
      });
    } catch (error) {
      notifyFailed(t('notRestored', { count }), error, () => void undo(liftId, count));
    }
  }
  async function liftAll(found: FoundBans, count: number) {
    try {
      const { lifted, lift_id: liftId } = await lift(found);
      onLifted();
      notifyUndo(
        {
          id: `lift:${liftId}`,
          tone: 'success',
          title: t('liftedMany', { count: lifted }),
          durationMs: UNDO_MS,
          ...(lifted > 0 && { action: { label: t('undo'), onPress: () => void undo(liftId, lifted) } }),
        },
        [],
      );
    } catch (error) {
      notifyFailed(t('stillBannedMany', { count }), error, () => void liftAll(found, count));
    }
  }
  return { liftAll, isPending };
}
