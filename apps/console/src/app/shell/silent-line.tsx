import { type Query, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';

/** The screen has nothing to show of it, and is still asking. */
export const isAwaited = ({ state, observers }: Query): boolean =>
  state.fetchStatus === 'fetching' && observers.some((one) => one.getCurrentResult().data === undefined);

/** Nothing has answered for long what the screen is to show. */
export function SilentLine() {
  const t = useTranslations();
  const client = useQueryClient();
  async function retry() {
    const awaited = client.getQueryCache().findAll({ type: 'active', predicate: isAwaited });
    for (const { queryKey } of awaited) {
      // One that never answered would only be waited for again.
      await client.cancelQueries({ queryKey, exact: true });
      void client.refetchQueries({ queryKey, exact: true });
    }
  }
  return (
    <div
      // 8 px of it lie in the room that `main` keeps above what it holds.
      style={{ marginBottom: -8 }}
      className="flex min-h-10 items-center gap-3 bg-warning-soft px-4 py-1 text-sm text-warning sm:px-6"
    >
      <p className="min-w-0 flex-1">{t('pages.live.silent')}</p>
      <Button size="sm" icon={<RefreshCw size={16} aria-hidden />} onClick={() => void retry()}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}
