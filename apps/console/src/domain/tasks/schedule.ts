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

/** What is wrong with the day or the time that is typed, by field. */
export interface ScheduleFaults {
  readonly day?: 'wrongDay' | 'TASK_TIME_PAST' | 'TASK_TIME_FAR';
  readonly time?: 'wrongTime' | 'TASK_TIME_PAST';
}

/** The time as the API takes it, undefined for now; or what is wrong with it. */
export function readSchedule(
  { isLater, day, time }: Schedule,
  timeZone: string,
  now = Date.now(),
): { readonly at: string | undefined; readonly faults?: ScheduleFaults } {
  const wrong = (faults: ScheduleFaults) => ({ at: undefined, faults });
  if (!isLater) return { at: undefined };
  const timeOfDay = readTimeOfDay(time.trim());
  const isWrongDay = !isDay(day.trim());
  if (isWrongDay || timeOfDay === undefined)
    return wrong({
      ...(isWrongDay && { day: 'wrongDay' }),
      ...(timeOfDay === undefined && { time: 'wrongTime' }),
    });
  const at = zonedMoment(day.trim(), timeOfDay, timeZone);
  if (at > now + TASK_DAYS_MAX * DAY_MS) return wrong({ day: 'TASK_TIME_FAR' });
  if (at <= now) return wrong({ [day.trim() < zonedClock(now, timeZone).day ? 'day' : 'time']: 'TASK_TIME_PAST' });
  return { at: new Date(at).toISOString() };
}
