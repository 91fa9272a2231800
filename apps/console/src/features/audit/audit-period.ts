import { type AuditSearch, PERIODS } from './audit-search';

export type AuditPeriod = Pick<AuditSearch, 'period' | 'from' | 'to'>;

function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** When a day begins in a time zone. `later`: the day so many days after it. */
function startOfDay(day: string, timeZone: string, later = 0): string {
  const utc = Date.parse(`${day}T00:00:00Z`) + later * 86_400_000;
  // The clock may be changed between the two moments.
  const near = utc - offsetMs(utc, timeZone);
  return new Date(utc - offsetMs(near, timeZone)).toISOString();
}

/** What the API is asked for: `to` is the last day, and the whole of it. */
export function boundsOf({ period, from, to }: AuditPeriod, timeZone: string): { from?: string; to?: string } {
  if (period === undefined) return {};
  if (period !== 'custom') return { from: new Date(Date.now() - PERIODS[period] * 3_600_000).toISOString() };
  return {
    ...(from === undefined ? {} : { from: startOfDay(from, timeZone) }),
    ...(to === undefined ? {} : { to: startOfDay(to, timeZone, 1) }),
  };
}
