import { zonedMoment } from '../../ui/zoned-time';
import { type AuditSearch, PERIODS } from './audit-search';

/** When a day begins in a time zone. `later`: the day so many days after it. */
function startOfDay(day: string, timeZone: string, later = 0): string {
  const begun = new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10);
  return new Date(zonedMoment(begun, '00:00', timeZone)).toISOString();
}

export type AuditPeriod = Pick<AuditSearch, 'period' | 'from' | 'to'>;

/** What the API is asked for: `to` is the last day, and the whole of it. */
export function boundsOf({ period, from, to }: AuditPeriod, timeZone: string): { from?: string; to?: string } {
  if (period === undefined) return {};
  if (period !== 'custom') return { from: new Date(Date.now() - PERIODS[period] * 3_600_000).toISOString() };
  return {
    ...(from === undefined ? {} : { from: startOfDay(from, timeZone) }),
    ...(to === undefined ? {} : { to: startOfDay(to, timeZone, 1) }),
  };
}
