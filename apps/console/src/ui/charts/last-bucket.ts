import type { Buckets } from './chart-types';

/** Of the last bucket, which has to be over before it is drawn. */
const SHOWN_SHARE = 0.25;

/**
 * Whether a line goes on, dashed, into the bucket that is still being counted: where it has just begun its number would
 * look like an outage, unless all that the line counts came there.
 */
export function isPartialShown(
  values: readonly (number | null)[],
  newest: number,
  { seconds, until = Infinity }: Pick<Buckets, 'seconds' | 'until'>,
): boolean {
  if (until - newest >= seconds * SHOWN_SHARE) return true;
  const last = values.length - 1;
  return values.findIndex((value) => value !== null && value > 0) === last && last >= 0;
}
