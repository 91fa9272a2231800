import { useFormat } from '../../../ui/format';
import { useNow } from '../../../ui/now';

const MINUTE_MS = 60_000;

/** How long it lasts yet, in whole minutes; the last one until it is known to be over. */
export function useTimeLeft(endsAt: string): string {
  const format = useFormat();
  const minutes = Math.max(1, Math.round((Date.parse(endsAt) - useNow()) / MINUTE_MS));
  return format.duration(minutes * MINUTE_MS);
}
