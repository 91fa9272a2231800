import type { RouteSummary } from '@cordon/contract';
import { badgeTextPx, type useShortFinding } from '../../../domain/health/health-words';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { breakableParts } from '../../../ui/dotted-text';
import { originParts } from './origin-parts';

/** Of the monospaced 13 px, with the cell's padding beside it. */
const ORIGIN_CHARACTER_PX = 7.85;
const ORIGIN_CHARACTERS_MIN = 14;
const ORIGIN_CHARACTERS_MAX = 24;
const CELL_PADDING_PX = 18;
/** Of the semibold 14 px; Chinese letters are square. */
const LETTER_PX = 8.7;
const NARROW_PX = 5;
const WIDE_PX = 13;
const SQUARE_PX = 14;
const NAME_LEAST_PX = 180;
const NAME_MOST_PX = 306;
/** The sign of development mode, beside the name. */
const NAME_SIGN_PX = 44;
/** A badge's frame with the cell's padding, the number of further findings, what runs, what waits, and bounds of the column. */
const HEALTH_BADGE_PX = 52;
const HEALTH_MORE_PX = 26;
const HEALTH_RUNNING_PX = 130;
const HEALTH_PENDING_PX = 56;
const HEALTH_LEAST_PX = 112;
const HEALTH_MOST_PX = 280;
/** Of a narrow table neither takes more. */
const SHARE_MAX = 0.3;
/** An IPv4 address with its port stands in one line. */
const ADDRESS_CHARACTERS_MAX = 21;

type Rows = readonly RouteSummary[];

/** What has changes that are not live says so; the health of one that is off for it has its own words. */
export const isWaiting = (route: RouteSummary): boolean =>
  route.last_deployed === null ? route.health.state !== 'off' : route.pending_changes > 0;

/** As wide as the longest of its words, with what counts further findings and what waits. */
export function healthPx(rows: Rows, short: ReturnType<typeof useShortFinding>, room: number): number {
  const widths = rows.map((route) => {
    const [worst, ...others] = route.health.findings;
    const pending = isWaiting(route) ? HEALTH_PENDING_PX : 0;
    if (isOperationRunning(route)) return HEALTH_RUNNING_PX + pending;
    if (!worst) return HEALTH_LEAST_PX + pending;
    return HEALTH_BADGE_PX + badgeTextPx(short(worst)) + (others.length > 0 ? HEALTH_MORE_PX : 0) + pending;
  });
  return Math.ceil(Math.min(HEALTH_MOST_PX, room * SHARE_MAX, Math.max(HEALTH_LEAST_PX, ...widths)));
}

const letterPx = (letter: string) => {
  if (letter > '\u2e80') return SQUARE_PX;
  if ('mw'.includes(letter)) return WIDE_PX;
  return 'fijlrt1.'.includes(letter) ? NARROW_PX : LETTER_PX;
};
const textPx = (text: string) => [...text].reduce((sum, letter) => sum + letterPx(letter), CELL_PADDING_PX);

/** The narrowest that has a name in two lines, which are no higher than a row of one. */
function twoLinesPx(name: string): number {
  const parts = breakableParts(name);
  return Math.min(
    ...parts.map((_, place) =>
      Math.max(textPx(parts.slice(0, place + 1).join('')), textPx(parts.slice(place + 1).join(''))),
    ),
  );
}

const leastNamePx = ({ domain_name_unicode: name, development_ends_at: endsAt }: RouteSummary) =>
  twoLinesPx(name) + (endsAt === null ? 0 : NAME_SIGN_PX);

/** The least of the names: as wide as the longest in two lines, with the sign beside it. */
export const namePx = (rows: Rows, room: number): number =>
  Math.ceil(Math.max(NAME_LEAST_PX, Math.min(NAME_MOST_PX, room * SHARE_MAX, Math.max(0, ...rows.map(leastNamePx)))));

const pixelsOf = (characters: number) => Math.ceil(characters * ORIGIN_CHARACTER_PX) + CELL_PADDING_PX;

/** Of the longest origin, within bounds: a longer name of a host wraps before its port, an address does not. */
export function originPx(rows: Rows): { least: number; most: number } {
  let longest = ORIGIN_CHARACTERS_MIN;
  let address = ORIGIN_CHARACTERS_MIN;
  for (const { upstream_summary: summary, traffic_action: action } of rows) {
    if (action === 'redirect') continue;
    const { host, port, more } = originParts(summary);
    const characters = host.length + port.length + (more > 0 ? 3 : 0);
    longest = Math.max(longest, characters);
    if (!/[a-z]/.test(host)) address = Math.max(address, characters);
  }
  return {
    least: pixelsOf(Math.min(address, ADDRESS_CHARACTERS_MAX)),
    most: pixelsOf(Math.min(longest, ORIGIN_CHARACTERS_MAX)),
  };
}
