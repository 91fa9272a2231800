import { useTranslations } from 'use-intl';
import { failureNoticeMs, failureTexts } from '../../app/failure';
import { notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { useLiftBans } from './queries';

/** Takes back bans that were just made; its notices say how that went. `network` names the one, where there is one only. */
export function useUndoBans(): (ids: readonly string[], network: string) => Promise<void> {
  const t = useTranslations('bans');
  const tUi = useTranslations('ui');
  const lift = useLiftBans();
  return async function undo(ids, network) {
    const count = ids.length;
    try {
      await lift.mutateAsync(ids.map((id) => ({ id })));
      notify({ tone: 'success', title: count === 1 ? t('lifted', { network }) : t('liftedMany', { count }) });
    } catch (error) {
      notify({
        tone: 'error',
        title: count === 1 ? t('stillBanned', { network }) : t('stillBannedMany', { count }),
        description: joinSentences(failureTexts(error)),
        durationMs: failureNoticeMs(error),
        action: { label: tUi('retry'), onPress: () => void undo(ids, network) },
      });
    }
  };
}
