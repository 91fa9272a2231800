import type { CacheClear, RouteSummary } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PlanLimitLine } from '../../../domain/form/upgrade-prompt';
import { Checkbox } from '../../../ui/checkbox';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { notify } from '../../../ui/notices';
import { Link } from '../../../ui/text-link';
import { useClearSummary } from '../clear-nodes';
import { useClearCache } from '../queries';
import { useClearHindrance } from '../use-clear-hindrance';

interface ClearCacheDialogProps {
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks before everything that is cached of a domain is cleared, and says how fast it was; leads to where a part of it is. */
export default function ClearCacheDialog({ route, open, onOpenChange }: ClearCacheDialogProps) {
  const t = useTranslations('caching');
  const tDomain = useTranslations('domain');
  const clear = useClearCache(route.id);
  const hindrance = useClearHindrance(route);
  const summaryOf = useClearSummary();
  const [soft, setSoft] = useState(false);
  const name = route.domain_name_unicode;
  const say = (cleared: CacheClear) => {
    const isOver = cleared.nodes.every(({ state }) => state !== 'waiting');
    notify({
      tone: isOver ? 'success' : 'info',
      title: tDomain(isOver ? 'operation.done.clear_cache' : 'operation.running.clear_cache', { name }),
      description: summaryOf(cleared),
    });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('ask.title', { name })}
      confirmLabel={hindrance === undefined ? t('clear') : undefined}
      tone={soft ? 'primary' : 'danger'}
      onConfirm={async () => say(await clear.mutateAsync({ kind: 'all', ...(soft ? { soft } : {}) }))}
    >
      {hindrance === 'plan' ? (
        <PlanLimitLine reason="CACHE_CLEAR_NEEDS_PLAN" />
      ) : hindrance !== undefined ? (
        <p>{t(`not.${hindrance}`)}</p>
      ) : (
        <>
          <p>{t(soft ? 'ask.soft' : 'ask.hard')}</p>
          <Checkbox
            className="mt-4 text-ink"
            label={tDomain('clears.soft')}
            hint={tDomain('clears.softHint')}
            checked={soft}
            onChange={(event) => setSoft(event.target.checked)}
          />
          <p className="mt-4 text-sm">
            <Link
              to="/domain/list/$id"
              params={{ id: route.id }}
              search={{ tab: 'caching', panel: 'clear' }}
              className="reach font-medium"
              onClick={() => onOpenChange(false)}
            >
              {tDomain('confirm.clearPart')}
            </Link>
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}
