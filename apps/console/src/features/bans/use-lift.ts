import { useCallback, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { notify } from '../../ui/notices';
import { type Ban, useLiftBans, useRestoreBans } from './ban-queries';
import { useBanWords } from './ban-words';
import { restoreCalls } from './restore';

/** Longer than other notices: it may have been the wrong row. */
const UNDO_MS = 10_000;

/** Lifts bans at once; undo bans again for the time that was left. Stable. */
export function useLift(onLifted: () => void): (bans: readonly Ban[]) => void {
  const t = useTranslations('bans');
  const words = useBanWords();
  const lift = useLiftBans();
  const restore = useRestoreBans();

  function undo(bans: readonly Ban[]) {
    const noteOf = (ban: Ban) => {
      if (ban.plugin === null) return ban.note;
      const { why, who } = words(ban);
      return t('restoredNote', { plugin: who, reason: why });
    };
    const calls = restoreCalls(bans, noteOf);
    if (!calls) return undefined;
    return {
      label: t('undo'),
      onPress: () =>
        restore.mutate(restoreCalls(bans, noteOf) ?? [], {
          onSuccess: () => notify({ id: 'bans-lifted', tone: 'success', title: t('restored', { count: bans.length }) }),
        }),
    };
  }
  const latest = useRef((_: readonly Ban[]) => {});
  latest.current = (bans) => {
    onLifted();
    lift.mutate(bans, {
      onSuccess: () =>
        notify({
          id: 'bans-lifted',
          tone: 'success',
          title:
            bans.length === 1
              ? t('lifted', { network: bans[0]?.network ?? '' })
              : t('liftedMany', { count: bans.length }),
          durationMs: UNDO_MS,
          action: undo(bans),
        }),
    });
  };
  return useCallback((bans: readonly Ban[]) => latest.current(bans), []);
}
