function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Whether a text is a day that there is, `2026-11-23`, of a year that the API takes. */
export function isDay(text: string): boolean {
  if (text < '1970-01-03' || text > '9998-12-29') return false;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // 31 February would be taken for one in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A time of day as `zonedMoment` takes it, `03:30`, of how people type one (`3:30`, and with the colon of a Chinese keyboard); undefined for what is none. */
export function readTimeOfDay(text: string): string | undefined {
  const [, hours = '', minutes = ''] = /^(\d{1,2})[:：](\d\d)$/.exec(text) ?? [];
  const time = `${hours.padStart(2, '0')}:${minutes}`;
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : undefined;
}

/** When a clock in a time zone shows this day and time, in milliseconds; a time that it leaves out is that much later. */
export function zonedMoment(day: string, time: string, timeZone: string): number {
  const utc = Date.parse(`${day}T${time}:00Z`);
  // The clock may be changed between the two moments.
  const near = utc - offsetMs(utc, timeZone);
  return utc - offsetMs(near, timeZone);
}

/** The day and the time that a clock in a time zone shows then: `2026-11-23` and `03:30`. */
export function zonedClock(at: number, timeZone: string): { day: string; time: string } {
  const text = new Date(at + offsetMs(at, timeZone)).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 16) };
}
