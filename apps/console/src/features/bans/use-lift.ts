import { useCallback, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts, supportIdOf } from '../../app/failure';
import { dismissNotice, notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { notifyUndo } from '../../ui/undo-notice';
import { type Ban, IDS_MAX, type RestoredBans, useLiftBans, useRestoreBans } from './queries';
import { liftCause } from './undo/causes';

/** Longer than other notices: it may have been the wrong row. */
const UNDO_MS = 10_000;
/** The second press of two was meant for the row that is gone, not for the one that has moved there. */
const PRESS_PAUSE_MS = 500;

let screens = 0;

/**
 * Lifts bans at once, and its Undo brings back the very bans: all that were lifted while the notice stands. Answers whether it took the press. Stable.
 */
export function useLift(onLifted: () => void): (bans: readonly Ban[]) => boolean {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  const lift = useLiftBans();
  const restore = useRestoreBans();
  // Another visit of the screen leaves the Undo of this one alone.
  const [notice] = useState(() => `bans-lifted-${++screens}`);
  const failedNotice = `${notice}-failed`;
  const restoredNotice = `${notice}-restored`;
  const undoable = useRef<readonly Ban[]>([]);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);

  function notifyFailed(title: string, error: unknown, retry: () => void) {
    notify({
      id: failedNotice,
      tone: 'error',
      title,
      description: joinSentences(failureTexts(error)),
      requestId: supportIdOf(error),
      durationMs: Math.max(UNDO_MS, failureNoticeMs(error)),
      action: { label: tUi('retry'), onPress: retry },
    });
  }
  function notifyRestored(asked: number, { restored, ended, replaced }: RestoredBans) {
    const late = asked - restored - ended - replaced;
    const left = [
      ended > 0 && t('restoredEnded', { count: ended }),
      replaced > 0 && t('restoredReplaced', { count: replaced }),
      late > 0 && t('restoredLate', { count: late }),
    ].filter((text) => text !== false);
    notify({
      id: restoredNotice,
      tone: restored > 0 ? 'success' : 'warning',
      title: t('restored', { count: restored }),
      description: left.length > 0 ? joinSentences(left) : undefined,
      durationMs: left.length > 0 ? UNDO_MS : undefined,
    });
  }
  async function undo(bans: readonly Ban[]) {
    undoable.current = [];
    pressedAt.current = Number.NEGATIVE_INFINITY;
    dismissNotice(failedNotice);
    try {
      notifyRestored(bans.length, await restore.mutateAsync(bans));
    } catch (error) {
      notifyFailed(t('notRestored', { count: bans.length }), error, () => void undo(bans));
    }
  }
  function notifyLifted() {
    const bans = undoable.current;
    notifyUndo(
      {
        id: notice,
        tone: 'success',
        title:
          bans.length === 1
            ? t('lifted', { network: bans[0]?.network ?? '' })
            : t('liftedMany', { count: bans.length }),
        durationMs: UNDO_MS,
        action: { label: t('undo'), onPress: () => void undo(bans) },
        isOf: 'screen',
        onClose: () => {
          undoable.current = [];
        },
      },
      bans.map(liftCause),
    );
  }
  async function run(bans: readonly Ban[]) {
    dismissNotice(failedNotice);
    dismissNotice(restoredNotice);
    for (let at = 0; at < bans.length; at += IDS_MAX) {
      const part = bans.slice(at, at + IDS_MAX);
      try {
        await lift.mutateAsync({ bans: part });
      } catch (error) {
        const rest = bans.slice(at);
        const title =
          rest.length === 1
            ? t('stillBanned', { network: rest[0]?.network ?? '' })
            : t('stillBannedMany', { count: rest.length });
        return notifyFailed(title, error, () => void run(rest));
      }
      undoable.current = [...undoable.current, ...part];
      notifyLifted();
    }
  }
  const latest = useRef((_: readonly Ban[]): boolean => false);
  latest.current = (bans) => {
    const now = performance.now();
    if (now - pressedAt.current < PRESS_PAUSE_MS) return false;
    pressedAt.current = now;
    onLifted();
    void run(bans);
    return true;
  };
  return useCallback((bans: readonly Ban[]) => latest.current(bans), []);
}
