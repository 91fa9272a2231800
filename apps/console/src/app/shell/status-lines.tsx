import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useScreenMissing } from '../../ui/away';
import { useLong } from '../../ui/use-long';
import { deploymentConfigOptions } from '../deployment-config';
import { missingReason } from '../failure';
import { appKeys, subscriptionKeys } from '../keys';
import { useLiveStatus, useOnline } from '../live-events';
import { getSession } from '../session/session';
import { AwayLine } from './away-line';
import { isAwaited, SilentLine } from './silent-line';

/** What the shell itself shows is no data of a screen, unless the screen says so of what it reads: `meta: { isOfScreen: true }`. */
const OF_SHELL = new Set<unknown>([...appKeys.me(), ...appKeys.deploymentConfig(), ...subscriptionKeys.all]);

const isOnScreen = ({ queryKey, state, observers }: Query): boolean =>
  state.data !== undefined &&
  (!OF_SHELL.has(queryKey[0]) || observers.some(({ options }) => options.meta?.isOfScreen === true));

/** Calls back with what the screen's queries say, and again when that has changed. */
function useActiveQueries<Value extends number | boolean | undefined>(
  read: (active: readonly Query[]) => Value,
): Value {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => read(cache.findAll({ type: 'active' })),
  );
}

const isUnanswered = ({ state }: Query, since: number): boolean =>
  state.status === 'error' && state.errorUpdatedAt > since && missingReason(state.error) !== undefined;

/** When the network came back; 0 where it has always been there. What failed without it is being read again, not refused. */
function useBackSince(isOnline: boolean): number {
  const [since, setSince] = useState(0);
  const isBack = since < Number.POSITIVE_INFINITY;
  if (isOnline !== isBack) setSince(isOnline ? Date.now() : Number.POSITIVE_INFINITY);
  return since;
}

/** Something that the screen is to show could not be read at all. */
const isMissing = ({ state }: Query): boolean => state.status === 'error' && state.data === undefined;

/**
 * When the oldest of what the screen shows was read. What was watched when the network went was of that moment, also if
 * nothing had changed since it was read; what is opened after that is as old as it is.
 */
function useAsOf(isAway: boolean): number | undefined {
  const cache = useQueryClient().getQueryCache();
  const since = useMemo(
    () =>
      isAway
        ? {
            moment: Date.now(),
            watched: new Set(cache.findAll({ type: 'active', predicate: ({ state }) => state.status === 'success' })),
          }
        : undefined,
    [cache, isAway],
  );
  return useActiveQueries((active) => {
    const shown = since ? active.filter(isOnScreen) : [];
    if (!since || shown.length === 0) return undefined;
    return Math.min(
      since.moment,
      ...shown.map((query) => (since.watched.has(query) ? since.moment : query.state.dataUpdatedAt)),
    );
  });
}

/** What is not as usual but hinders nothing, the most pressing first: no live updates, or a part that is not installed. */
function useStatus(isLiveDown: boolean): { short: string; more: string } | undefined {
  const t = useTranslations('pages');
  const { data } = useQuery(deploymentConfigOptions);
  // Signed out in another tab: the screen says so itself.
  if (isLiveDown) return { short: t('live.down'), more: t('live.downMore') };
  if (!data?.absent_parts.length) return undefined;
  return { short: t('absentParts', { parts: data.absent_parts.join(', ') }), more: t('absentPartsMore') };
}

/**
 * What is not as usual, over every screen. That nothing answers is said aloud, and takes its height; all else has none, so
 * that nothing moves when it comes and goes: it lies in the room that `main` keeps above what it holds.
 */
export default function StatusLines() {
  const isOnline = useOnline();
  const isLiveDown = useLiveStatus() === 'down' && getSession().status !== 'ended';
  const backSince = useBackSince(isOnline);
  const isUnread = useActiveQueries((active) => active.some((one) => isUnanswered(one, backSince)));
  const isUnreachable = (useScreenMissing() || isUnread) && isLiveDown;
  const isAway = !isOnline || isUnreachable;
  const asOf = useAsOf(isAway);
  const isComplete = !useActiveQueries((active) => active.some(isMissing)) && asOf !== undefined;
  const isSilent = useLong(useActiveQueries((active) => active.some(isAwaited))) && !isAway;
  const status = useStatus(isLiveDown);
  return (
    <div
      role="status"
      // Below the bar.
      style={{ top: 56 }}
      className={isAway || isSilent ? 'sticky z-10' : 'pointer-events-none sticky z-10 h-0 text-xs text-warning'}
    >
      {isAway ? (
        <AwayLine isOffline={!isOnline} asOf={asOf} isComplete={isComplete} />
      ) : isSilent ? (
        <SilentLine />
      ) : (
        status && (
          <p className="h-4 overflow-hidden bg-warning-soft px-4 sm:px-6">
            <span className="inline-flex h-4 items-center">{status.short}</span>
            {!status.short.endsWith('。') && ' '}
            {/* Heard in any case; where there is no room for it, it goes to a line out of sight. */}
            <span className="inline-flex h-4 items-center">{status.more}</span>
          </p>
        )
      )}
    </div>
  );
}
