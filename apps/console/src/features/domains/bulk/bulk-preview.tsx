import type { BulkAction, BulkEffect, BulkPreview, BulkPreviewItem, ClearKind, RouteSelection } from '@cordon/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';
import { trafficOfRowsOptions } from '../../../domain/data/queries';
import { DottedText } from '../../../ui/dotted-text';
import { useFormat } from '../../../ui/format';

/** What the action would do to each domain, read anew each time that it is asked. */
export const bulkPreviewOptions = (action: BulkAction, selection: RouteSelection, groupId: string | undefined) =>
  queryOptions({
    queryKey: [...domainKeys.all, 'bulk-preview', action, selection, groupId],
    queryFn: async ({ signal }) =>
      (await api.previewBulk({ body: { action, selection, group_id: groupId }, signal })).result,
    // The list stays in its place while another group is chosen.
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

const FAILING: ReadonlySet<BulkEffect> = new Set([
  'suspended',
  'deleting',
  'other_subscription',
  'not_found',
  'needs_plan',
]);

const countOf = ({ counts }: BulkPreview, isMeant: (effect: BulkEffect) => boolean) =>
  counts.reduce((sum, { effect, count }) => sum + (isMeant(effect) ? count : 0), 0);

/** Domains of the selection that the action would change: neither left out nor bound to fail. */
export const countChanged = (preview: BulkPreview): number =>
  countOf(preview, (effect) => effect !== 'nothing' && !FAILING.has(effect));

/** What happens to one domain, as in "2 pending changes → v13". */
function useEffectText(action: BulkAction, groupName: (id: string) => string, clearKind: ClearKind) {
  const t = useTranslations('bulk.effect');
  return ({ effect, status, pending_changes, version_live, group_id }: BulkPreviewItem): string => {
    if (effect === 'nothing' && action !== 'delete')
      return t(action === 'resume' && status === 'deactivated' ? 'nothing.never' : `nothing.${action}`);
    const version = version_live ?? 0;
    if (effect === 'deploy') {
      if (version === 0) return t('deploy.first');
      const how = pending_changes > 0 ? 'changes' : 'again';
      return t(status === 'deactivated' ? 'deploy.back' : `deploy.${how}`, {
        count: pending_changes,
        version: version + 1,
      });
    }
    if (effect === 'resume') return t('resume', { version });
    if (effect === 'move_group')
      return group_id === null ? t('move_group.none') : t('move_group.from', { group: groupName(group_id) });
    if (effect === 'clear_cache') return t(`clear_cache.${clearKind}`);
    if (effect === 'delete' || effect === 'deactivate') return t(status === 'running' ? 'delete.live' : 'delete.off');
    // What the head says of all of them.
    return effect === 'nothing' ? '' : t(effect);
  };
}

/** Requests of the last day that a domain will no longer answer. */
function useLostRequests(action: BulkAction, items: readonly BulkPreviewItem[]) {
  const ids =
    action === 'deactivate' || action === 'delete'
      ? items.flatMap(({ route_id, status }) => (route_id !== null && status === 'running' ? route_id : []))
      : [];
  const { data } = useQuery(trafficOfRowsOptions(ids));
  return ({ route_id, effect }: BulkPreviewItem): number | undefined =>
    effect !== 'nothing' && ids.includes(route_id ?? '') ? data?.get(route_id ?? '')?.requests : undefined;
}

const FRAME = 'mt-3 overflow-hidden rounded-control border border-line text-ink';
const HEAD = 'flex flex-wrap gap-x-4 border-b border-line bg-sunken/60 px-3 py-2 text-sm font-medium tabular';
const ROWS = 'max-h-72 overflow-y-auto text-sm';
/** On a phone each effect has a line of its own: a row is as high before its effect is known. */
const ROW = 'flex items-baseline gap-x-4 border-b border-line px-3 py-1.5 last:border-b-0 phone:flex-col';
/** What is said of a domain leaves its name the room. */
const NAME = 'min-w-0 flex-1 wrap-anywhere text-balance';
const EFFECT = 'tabular shrink-0';
/** More than are in sight. */
const ROWS_SHOWN_MAX = 10;

interface BulkPreviewSkeletonProps {
  names: readonly string[];
  count: number;
}

/** In place of a preview that is still asked for, as high as it will be. */
export function BulkPreviewSkeleton({ names, count }: BulkPreviewSkeletonProps) {
  return (
    <div aria-hidden className={FRAME}>
      <p className={HEAD}>&nbsp;</p>
      <ul className={ROWS}>
        {Array.from({ length: Math.min(count, ROWS_SHOWN_MAX) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places, which have no names where a filter stands for them
          <li key={index} className={ROW}>
            <span className={clsx(NAME, 'text-muted')}>{names[index] ?? '\u00a0'}</span>
            <span className={EFFECT}>&nbsp;</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface BulkPreviewListProps {
  action: BulkAction;
  preview: BulkPreview;
  groupName: (id: string) => string;
  /** Where they move is not chosen yet. */
  isUndecided: boolean;
  /** What is cleared of each. */
  clearKind: ClearKind;
}

/** How many are changed, fail and are left out; then each by name. */
export function BulkPreviewList({ action, preview, groupName, isUndecided, clearKind }: BulkPreviewListProps) {
  const t = useTranslations('bulk.preview');
  const format = useFormat();
  const textOf = useEffectText(action, groupName, clearKind);
  const failing = countOf(preview, (effect) => FAILING.has(effect));
  const leftOut = countOf(preview, (effect) => effect === 'nothing');
  const more = preview.total - preview.items.length;
  const lostOf = useLostRequests(action, preview.items);
  // A reason that is the same for all is told once.
  const reasons = new Set(leftOut === preview.total ? preview.items.map(textOf) : []);
  const [reason = ''] = reasons;
  const isOneReason = reasons.size === 1 && reason !== '' && preview.items.length > 1;
  const lineOf = (item: BulkPreviewItem) => {
    const lost = lostOf(item);
    const text = lost !== undefined ? t('requests', { count: lost, number: format.number(lost) }) : textOf(item);
    return item.changed_since ? t('withLater', { text }) : text;
  };
  return (
    <div className={FRAME}>
      <p role="status" className={HEAD}>
        <span>
          {isOneReason
            ? t('allSkipped', { count: leftOut, why: reason })
            : isUndecided
              ? t('picked', { count: preview.total })
              : t('changed', { count: countChanged(preview), action })}
        </span>
        {failing > 0 && <span className="text-danger">{t('failing', { count: failing })}</span>}
        {preview.changed_since > 0 && (
          <span className="text-warning">{t('changedSince', { count: preview.changed_since })}</span>
        )}
        {leftOut > 0 && !isOneReason && <span className="text-muted">{t('leftOut', { count: leftOut })}</span>}
      </p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within the keyboard's reach
        tabIndex={0}
        aria-label={t('label')}
        className={ROWS}
      >
        {preview.items.map((item) => (
          <li key={item.name} className={ROW}>
            <span className={clsx(NAME, item.effect === 'nothing' ? 'text-muted' : 'font-medium')}>
              <DottedText text={item.name} />
            </span>
            <span
              className={clsx(
                EFFECT,
                FAILING.has(item.effect) || (item.effect === 'delete' && item.status === 'running')
                  ? 'text-danger'
                  : item.changed_since
                    ? 'text-warning'
                    : 'text-muted',
              )}
            >
              {!isOneReason && (lineOf(item) || '\u00a0')}
            </span>
          </li>
        ))}
        {more > 0 && (
          <li className="px-3 py-1.5 text-muted">{t('more', { count: more, number: format.number(more) })}</li>
        )}
      </ul>
    </div>
  );
}
