import { useMemo } from 'react';
import { useLocale, useTimeZone } from 'use-intl';

const cache = new Map<string, unknown>();

/** `Intl` objects are slow to make and cheap to use: a table of 200 rows makes each once. */
function cached<T>(key: string, make: () => T): T {
  let value = cache.get(key) as T | undefined;
  if (value === undefined) {
    value = make();
    cache.set(key, value);
  }
  return value;
}

const NBSP = '\u00a0';
const CHINESE_REGIONS: Readonly<Record<string, string>> = { HK: '中国香港', MO: '中国澳门', TW: '中国台湾' };
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const COMPACT_FROM = 1_000_000;
const RELATIVE_STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

type Moment = Date | string | number;
const toDate = (moment: Moment) => (moment instanceof Date ? moment : new Date(moment));

export interface Format {
  readonly locale: string;
  /** `Nov 20, 2026, 14:05:09` or `2026年11月20日 14:05:09`, in the account's time zone. */
  dateTime(moment: Moment): string;
  /** The day alone. */
  date(moment: Moment): string;
  /** `14:05` or, with seconds, `14:05:09`. */
  time(moment: Moment, withSeconds?: boolean): string;
  /** How long ago: `3 minutes ago`. What lies ahead is `just now`: the clock here is behind, or it is older than the moment. */
  relative(moment: Moment, now?: Moment): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** `1,374`, from a million on `48.2M` or `4820万`; written as the largest of those that stand with it, if given. */
  compact(value: number, largest?: number): string;
  /** A share of 1 as `91.7%`. */
  percent(share: number, fractionDigits?: number): string;
  /** A share in a column of them, each with one digit after the point: `4.0%`. */
  share(share: number): string;
  /** A change with its sign, as a share of 1: `+12.4%`. */
  delta(share: number): string;
  /** Decimal units, joined so that they never part: `1.84 TB`. */
  bytes(bytes: number): string;
  /** `1.2 Gbit/s`. */
  bitsPerSecond(bits: number): string;
  /** `320 ms`, `4.1 s`, `2 h 5 min`. */
  duration(milliseconds: number): string;
  list(items: readonly string[]): string;
  /** Name of a country by its two letters. */
  country(code: string): string;
}

function scaled(value: number, units: readonly string[]) {
  let index = 0;
  let rest = value;
  while (Math.abs(rest) >= 999.5 && index < units.length - 1) {
    rest /= 1000;
    index += 1;
  }
  const digits = index === 0 || Math.abs(rest) >= 100 ? 0 : Math.abs(rest) >= 10 ? 1 : 2;
  return { rest, unit: units[index] ?? '', digits };
}

/** Formatters of a language and time zone; the same object for the same arguments. */
export function createFormat(locale: string, timeZone?: string): Format {
  return cached(`format|${locale}|${timeZone}`, () => {
    const isChinese = locale.startsWith('zh');
    const tag = isChinese ? 'zh-CN' : 'en-US';
    const dateFormat = (options: Intl.DateTimeFormatOptions) =>
      cached(
        `date|${tag}|${timeZone}|${JSON.stringify(options)}`,
        () => new Intl.DateTimeFormat(tag, { timeZone, hourCycle: 'h23', ...options }),
      );
    const justNow = isChinese ? '刚刚' : 'just now';
    const numberFormat = (options: Intl.NumberFormatOptions = {}) =>
      cached(`number|${tag}|${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
    const time = (moment: Moment, withSeconds = false) =>
      dateFormat({ hour: '2-digit', minute: '2-digit', ...(withSeconds && { second: '2-digit' }) }).format(
        toDate(moment),
      );
    const date = (moment: Moment) => {
      if (!isChinese) return dateFormat({ month: 'short', day: 'numeric', year: 'numeric' }).format(toDate(moment));
      const parts = dateFormat({ year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(toDate(moment));
      const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
      return `${part('year')}年${part('month')}月${part('day')}日`;
    };
    const withUnit = (value: number, units: readonly string[]) => {
      const { rest, unit, digits } = scaled(value, units);
      return `${numberFormat({ maximumFractionDigits: digits }).format(rest)}${NBSP}${unit}`;
    };
    return {
      locale,
      dateTime: (moment) => `${date(moment)}${isChinese ? '' : ','} ${time(moment, true)}`,
      date,
      time,
      relative(moment, now = Date.now()) {
        const seconds = Math.min(0, (toDate(moment).getTime() - toDate(now).getTime()) / 1000);
        const formatter = cached(`relative|${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
        const [unit, size] = RELATIVE_STEPS.find((step) => -seconds >= step[1]) ?? (['second', 1] as const);
        if (seconds > -5) return justNow;
        // Between a number and Chinese stands a space (docs/glossary.md); Intl writes none.
        return formatter.format(Math.trunc(seconds / size), unit).replace(/^(\d+)(?=\p{sc=Han})/u, '$1 ');
      },
      number: (value, options) => numberFormat(options).format(value),
      compact: (value, largest = value) =>
        Math.abs(largest) < COMPACT_FROM
          ? numberFormat().format(value)
          : numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value),
      percent: (share, fractionDigits = 1) =>
        numberFormat({ style: 'percent', maximumFractionDigits: fractionDigits }).format(share),
      share: (share) =>
        numberFormat({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share),
      delta: (share) =>
        numberFormat({
          style: 'percent',
          maximumFractionDigits: Math.abs(share) >= 1 ? 0 : 1,
          signDisplay: 'exceptZero',
        }).format(share),
      bytes: (bytes) => withUnit(bytes, BYTE_UNITS),
      bitsPerSecond: (bits) => withUnit(bits, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s']),
      duration(milliseconds) {
        const words = isChinese
          ? { ms: '毫秒', s: '秒', min: '分钟', h: '小时', d: '天' }
          : { ms: 'ms', s: 's', min: 'min', h: 'h', d: 'd' };
        const join = (value: number, unit: string, digits = 0) =>
          `${numberFormat({ maximumFractionDigits: digits }).format(value)}${NBSP}${unit}`;
        if (milliseconds < 1000) return join(milliseconds, words.ms);
        const seconds = milliseconds / 1000;
        if (seconds < 60) return join(seconds, words.s, seconds < 10 ? 1 : 0);
        const [big, bigWord, small, smallWord] =
          seconds < 3600
            ? [60, words.min, 1, words.s]
            : seconds < 86_400
              ? [3600, words.h, 60, words.min]
              : [86_400, words.d, 3600, words.h];
        const whole = Math.floor(seconds / big);
        const rest = Math.floor((seconds - whole * big) / small);
        return rest === 0 ? join(whole, bigWord) : `${join(whole, bigWord)}${NBSP}${join(rest, smallWord)}`;
      },
      list: (items) => cached(`list|${tag}`, () => new Intl.ListFormat(tag)).format(items),
      country(code) {
        try {
          const name = cached(`country|${tag}`, () => new Intl.DisplayNames(tag, { type: 'region' })).of(code) ?? code;
          // As the trade writes them there, all three alike and short.
          return (isChinese && CHINESE_REGIONS[code]) || name;
        } catch {
          return code;
        }
      },
    } satisfies Format;
  });
}

/** Formatters of the current language and the account's time zone. */
export function useFormat(): Format {
  const locale = useLocale();
  const timeZone = useTimeZone();
  return useMemo(() => createFormat(locale, timeZone), [locale, timeZone]);
}
