type Params = Readonly<Record<string, string | number>>;

/** Up to this long people count in seconds. */
const SECONDS_SHOWN_MAX = 90;

/** Values of TOO_MANY_REQUESTS for its words: how long to wait, rounded up so that trying again then succeeds. */
export function waitOf({ seconds }: Params = {}): { unit: string; amount: number } {
  if (typeof seconds !== 'number') return { unit: 'unknown', amount: 0 };
  if (seconds <= SECONDS_SHOWN_MAX) return { unit: 'seconds', amount: Math.max(1, Math.ceil(seconds)) };
  return { unit: 'minutes', amount: Math.ceil(seconds / 60) };
}
