const UNITS: Readonly<Record<string, number | undefined>> = { s: 1, m: 60, h: 3600, d: 86400 };
const DIGITS_MAX = 9;

/** Seconds of a text such as `90s`, `15m`, `3h` or `7d`; undefined when it is none. */
export function durationSeconds(text: string): number | undefined {
  const last = text.length - 1;
  const unit = UNITS[text.substring(last)];
  if (unit === undefined || last < 1 || last > DIGITS_MAX) return undefined;
  let number = 0;
  for (let at = 0; at < last; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number * unit;
}
