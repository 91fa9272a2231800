import type { RouteSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { notify } from '../../ui/notices';

/** Says whether HTTPS is forced from now on, with the way back where there is one. */
export function useForcedNotice({ id, domain_name_unicode: name }: RouteSummary) {
  const t = useTranslations('ssl.force');
  return (isForced: boolean, onUndo: (() => void) | undefined) =>
    notify({
      id: `force-https:${id}`,
      tone: 'success',
      title: t(isForced ? 'on' : 'off', { name }),
      isOf: 'tab',
      ...(onUndo ? { action: { label: t('undo'), onPress: onUndo } } : {}),
    });
}
