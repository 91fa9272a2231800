import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { deploymentConfigOptions } from '../deployment-config';
import { useLiveStatus, useOnline } from '../live-events';
import { getSession } from '../session/session';

/** Whether something on the screen could not be read at all: then there is no data whose time could be told. */
function useIsDataMissing(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.findAll({ type: 'active' }).some(({ state }) => state.status === 'error' && state.data === undefined),
  );
}

/** What is not as usual, the most pressing first: no network, no live updates, or a part that is not installed. */
function useStatus(): { short: string; more: string } | undefined {
  const t = useTranslations('pages');
  const format = useFormat();
  const isOnline = useOnline();
  const isMissing = useIsDataMissing();
  const liveStatus = useLiveStatus();
  const { data } = useQuery(deploymentConfigOptions);
  // What is shown was read before: no later than the network went.
  const [since, setSince] = useState<number>();
  if (isOnline !== (since === undefined)) setSince(isOnline ? undefined : Date.now());
  if (!isOnline)
    return {
      short: t('live.offline', { time: isMissing ? 'none' : format.time(since ?? Date.now()) }),
      more: t('live.offlineMore'),
    };
  // Signed out in another tab: the screen says so itself.
  if (liveStatus === 'down' && getSession().status !== 'ended')
    return { short: t('live.down'), more: t('live.downMore') };
  if (!data?.absent_parts.length) return undefined;
  return { short: t('absentParts', { parts: data.absent_parts.join(', ') }), more: t('absentPartsMore') };
}

/**
 * What is not as usual, over every screen. It has no height of its own, so that nothing moves when it comes and goes: it
 * lies in the room that `main` keeps above what it holds.
 */
export default function StatusLines() {
  const status = useStatus();
  return (
    <div
      role="status"
      // Below the bar.
      style={{ top: 56 }}
      className="pointer-events-none sticky z-10 h-0 text-xs text-warning"
    >
      {status && (
        <p className="h-4 overflow-hidden bg-warning-soft px-4 sm:px-6">
          <span className="inline-flex h-4 items-center">{status.short}</span>
          {!status.short.endsWith('。') && ' '}
          {/* Heard in any case; where there is no room for it, it goes to a line out of sight. */}
          <span className="inline-flex h-4 items-center">{status.more}</span>
        </p>
      )}
    </div>
  );
}
