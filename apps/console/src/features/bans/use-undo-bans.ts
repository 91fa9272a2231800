import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts } from '../../app/failure';
import { notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { useLiftBans } from './queries';

/** Bans that were just made. */
interface Made {
  readonly ids: readonly string[];
  readonly replaced_ids: readonly string[];
}

/**
 * Takes back bans that were just made, and brings back those that they replaced; its notices say how that went. `network` names
 * the one, where there is one only.
 */
export function useUndoBans(): (made: Made, network: string) => Promise<void> {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  const lift = useLiftBans();
  return async function undo(made, network) {
    const count = made.ids.length;
    try {
      const { restored } = await lift.mutateAsync({ bans: made.ids.map((id) => ({ id })), restore: made.replaced_ids });
      notify(
        restored === count
          ? { tone: 'success', title: t('restored', { count }) }
          : {
              tone: 'success',
              title: count === 1 ? t('lifted', { network }) : t('liftedMany', { count }),
              description: restored > 0 ? t('restored', { count: restored }) : undefined,
            },
      );
    } catch (error) {
      notify({
        tone: 'error',
        title: count === 1 ? t('stillBanned', { network }) : t('stillBannedMany', { count }),
        description: joinSentences(failureTexts(error)),
        durationMs: failureNoticeMs(error),
        action: { label: tUi('retry'), onPress: () => void undo(made, network) },
      });
    }
  };
}
