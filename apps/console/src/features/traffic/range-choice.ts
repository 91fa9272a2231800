import type { TrafficRange } from '@cordon/contract';

const KEY = 'dashboard-range';
export const RANGES: readonly TrafficRange[] = ['15m', '1h', '24h', '7d'];

/** The range chosen last, on this device; that of all other numbers of domains before one was chosen. */
export function readRange(): TrafficRange {
  try {
    const stored = window.localStorage.getItem(KEY);
    return RANGES.find((range) => range === stored) ?? '24h';
  } catch {
    return '24h';
  }
}

export function rememberRange(range: TrafficRange): void {
  try {
    window.localStorage.setItem(KEY, range);
  } catch {
    // Without storage the choice lasts as long as the URL.
  }
}
