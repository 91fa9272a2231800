import type { RouteSummary } from '@cordon/contract';
import { useSyncExternalStore } from 'react';
import type { useShortFinding } from '../../../domain/health/health-words';
import { isPhone } from '../../../ui/is-phone';
import { CHOOSABLE_COLUMNS, type ChoosableColumn, isUsual } from './column-choice';
import { healthPx, namePx, originPx } from './column-widths';

export type FittingColumn = ChoosableColumn | 'chart';

/** The narrowest that each may be. */
export const LEAST_PX: Readonly<Record<Exclude<FittingColumn, 'origin'>, number>> = {
  requests: 96,
  chart: 46,
  blocked: 88,
  hit_ratio: 88,
  tls: 68,
  dns: 44,
  group: 128,
  remarks: 120,
  cname: 180,
  last_deployed: 136,
  version: 84,
  created_at: 136,
};
/** Check box and menu of a row. */
const ENDS_PX = 88;
/** What is beside the table in the main part. */
const AROUND_PX = 50;

/**
 * Which columns have room beside the names and the health: the menu of each row stays in sight. What the list is sorted by comes first.
 * What was asked for on this device comes before what is usual but the figures; hit ratios are the first to go, and then charts.
 */
export function fittingColumns(
  chosen: readonly ChoosableColumn[],
  isOwn: boolean,
  rows: readonly RouteSummary[],
  short: ReturnType<typeof useShortFinding>,
  room: number,
  sortedBy?: string,
): readonly FittingColumn[] {
  const more = CHOOSABLE_COLUMNS.filter((one) => !isUsual(one));
  const figures = ['requests', 'blocked'] as const;
  const order: FittingColumn[] = isOwn
    ? [...figures, ...more, 'tls', 'dns', 'origin', 'chart', 'hit_ratio']
    : [...figures, 'origin', 'tls', 'dns', 'chart', 'hit_ratio', ...more];
  order.sort((a, b) => Number(b === sortedBy) - Number(a === sortedBy));
  let left = room - ENDS_PX - namePx(rows, room) - healthPx(rows, short, room);
  return order.filter((one) => {
    const width = one === 'origin' ? originPx(rows).least : LEAST_PX[one];
    if (!chosen.includes(one === 'chart' ? 'requests' : one)) return false;
    const fits = width <= left;
    // Of what was asked for, a wider window must not take one away for another.
    left = fits || !isOwn ? left - (fits ? width : 0) : 0;
    return fits;
  });
}

function subscribe(onChange: () => void) {
  const main = document.getElementById('main');
  if (!main) return () => {};
  const observer = new ResizeObserver(onChange);
  observer.observe(main);
  return () => observer.disconnect();
}

/** The width that a table has; on a phone, which has no columns, without end. */
export const useRoom = (): number =>
  useSyncExternalStore(subscribe, () => {
    const width = document.getElementById('main')?.clientWidth;
    return isPhone() || !width ? Number.POSITIVE_INFINITY : width - AROUND_PX;
  });
