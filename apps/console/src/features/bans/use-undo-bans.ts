import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts, supportIdOf } from '../../app/failure';
import { notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { settleUndo } from '../../ui/undo-notice';
import { type NewBans, useLiftBans } from './queries';
import { liftCauses } from './undo/lift-causes';

/** Bans that were just made. */
interface Made {
  readonly ids: readonly string[];
  readonly replaced_ids: readonly string[];
}

/**
 * Takes back bans that were just made, and brings back those that they replaced; its notices say how that went. `asked`
 * is what they were made of.
 */
export function useUndoBans(): (made: Made, asked: NewBans) => Promise<void> {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  const lift = useLiftBans();
  return async function undo(made, asked) {
    const count = made.ids.length;
    const network = asked.networks[0] ?? '';
    try {
      // Some may have been lifted one by one, or have ended.
      const { lifted, restored } = await lift.mutateAsync({
        bans: made.ids.map((id) => ({ id })),
        restore: made.replaced_ids,
      });
      // What was lifted of them before is not to come back by its own Undo either.
      settleUndo(() => liftCauses(asked));
      notify(
        restored > 0 && restored === lifted
          ? { tone: 'success', title: t('restored', { count: restored }) }
          : {
              tone: 'success',
              title: count === 1 && lifted === 1 ? t('lifted', { network }) : t('liftedMany', { count: lifted }),
              description: restored > 0 ? t('restored', { count: restored }) : undefined,
            },
      );
    } catch (error) {
      notify({
        tone: 'error',
        title: count === 1 ? t('stillBanned', { network }) : t('stillBannedMany', { count }),
        description: joinSentences(failureTexts(error)),
        requestId: supportIdOf(error),
        durationMs: failureNoticeMs(error),
        action: { label: tUi('retry'), onPress: () => void undo(made, asked) },
      });
    }
  };
}
