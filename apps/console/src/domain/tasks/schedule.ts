import { TASK_DAYS_MAX } from '@cordon/contract';
import { isDay, readTimeOfDay, zonedClock, zonedMoment } from '../../ui/zoned-time';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When something is to be done, as it is typed: now, or at a time of the account's time zone. */
export interface Schedule {
  readonly isLater: boolean;
  readonly day: string;
  readonly time: string;
}

/** Now; where another time is chosen, it begins with the next full hour that is not near. */
export function startSchedule(timeZone: string, now = Date.now()): Schedule {
  return { isLater: false, ...zonedClock(Math.ceil((now + HOUR_MS / 4) / HOUR_MS) * HOUR_MS, timeZone) };
}

/** What is wrong with the day or the time that is typed. */
export interface ScheduleFault {
  readonly field: 'day' | 'time';
  readonly code: 'wrongDay' | 'wrongTime' | 'TASK_TIME_PAST' | 'TASK_TIME_FAR';
}

/** The time as the API takes it, undefined for now; or what is wrong with it. */
export function readSchedule(
  { isLater, day, time }: Schedule,
  timeZone: string,
  now = Date.now(),
): { readonly at: string | undefined; readonly fault?: ScheduleFault } {
  const wrong = (field: 'day' | 'time', code: ScheduleFault['code']) => ({ at: undefined, fault: { field, code } });
  if (!isLater) return { at: undefined };
  if (!isDay(day.trim())) return wrong('day', 'wrongDay');
  const timeOfDay = readTimeOfDay(time.trim());
  if (timeOfDay === undefined) return wrong('time', 'wrongTime');
  const at = zonedMoment(day.trim(), timeOfDay, timeZone);
  if (at > now + TASK_DAYS_MAX * DAY_MS) return wrong('day', 'TASK_TIME_FAR');
  if (at <= now) return wrong(day.trim() < zonedClock(now, timeZone).day ? 'day' : 'time', 'TASK_TIME_PAST');
  return { at: new Date(at).toISOString() };
}
