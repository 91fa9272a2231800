import type { RouteSummary } from '@cordon/contract';
import { badgeTextPx, type useShortFinding } from '../../../domain/health/health-words';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { originParts } from './origin-parts';

/** Of the monospaced 13 px, with the cell's padding beside it. */
const ORIGIN_CHARACTER_PX = 7.85;
const ORIGIN_CHARACTERS = { minimum: 14, maximum: 24 };
const CELL_PADDING_PX = 18;
/** A badge's frame with the cell's padding, the number of further findings, what runs, and bounds of the column, also of the narrowest table. */
const HEALTH_PX = { badge: 52, more: 26, running: 130, least: 112, narrow: 168, most: 204 };
/** An IPv4 address with its port stands in one line wherever the window has room for it. */
const ADDRESS_CHARACTERS_MAX = 21;

/** As wide as the longest of its words, with what counts further findings. */
export const healthWidth =
  (short: ReturnType<typeof useShortFinding>) =>
  (rows: readonly RouteSummary[]): string => {
    const widths = rows.map((route) => {
      const [worst, ...others] = route.health.findings;
      if (isOperationRunning(route)) return HEALTH_PX.running;
      return worst ? HEALTH_PX.badge + badgeTextPx(short(worst)) + (others.length > 0 ? HEALTH_PX.more : 0) : 0;
    });
    const width = Math.ceil(Math.min(HEALTH_PX.most, Math.max(HEALTH_PX.least, ...widths)));
    return width > HEALTH_PX.narrow ? `clamp(${HEALTH_PX.narrow}px, 100vw - 612px, ${width}px)` : `${width}px`;
  };

const pixelsOf = (characters: number) => Math.ceil(characters * ORIGIN_CHARACTER_PX) + CELL_PADDING_PX;

/**
 * As wide as the longest origin, within bounds: a longer name of a host wraps before its port, and an address only where the
 * window is too narrow beside the names, which wrap in their own rows.
 */
export function originWidth(rows: readonly RouteSummary[]): string {
  let longest = ORIGIN_CHARACTERS.minimum;
  let address = ORIGIN_CHARACTERS.minimum;
  for (const { upstream_summary: summary, traffic_action: action } of rows) {
    if (action === 'redirect') continue;
    const { host, port, more } = originParts(summary);
    const characters = host.length + port.length + (more > 0 ? 3 : 0);
    longest = Math.max(longest, characters);
    if (!/[a-z]/.test(host)) address = Math.max(address, characters);
  }
  const least = pixelsOf(Math.min(address, ADDRESS_CHARACTERS_MAX));
  const most = pixelsOf(Math.min(longest, ORIGIN_CHARACTERS.maximum));
  return `minmax(clamp(110px, 100vw - 1090px, ${least}px), ${most}px)`;
}
