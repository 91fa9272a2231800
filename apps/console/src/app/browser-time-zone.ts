let timeZone: string | undefined;

/** The browser's time zone. To ask first costs a phone 90 ms, in which dates of its language are prepared as well; so main.ts asks while nothing has arrived yet. */
export function browserTimeZone(): string {
  timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZone;
}
