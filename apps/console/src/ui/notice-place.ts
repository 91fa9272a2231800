/** Part of the window, in pixels from its upper left corner. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Something that can be pressed, and how far scrolling brings it up and down: not at all what has the focus or is fixed. */
export interface Pressable {
  box: Box;
  up: number;
  down: number;
}

interface Room {
  /** Where notices may stand. */
  area: Box;
  /** From where on what scrolls is seen: below the bar at the top. */
  sightTop: number;
  /** Where they stand if nothing is in the way: at the top on a phone, whose thumb is at the bottom. */
  edge: 'top' | 'bottom';
  width: number;
  height: number;
  /** How far from the edge they go rather than cover one control that can be scrolled away. */
  detour: number;
}

const STEP = 8;
/** Around a control, so that it is not missed by a hair. */
const GAP = 4;
const MARGIN = 16;
const WIDTH_MAX = 388;
const PHONE_MAX = 760;
/** To stand elsewhere in the row is as bad as to leave the edge by so much. */
const ASIDE = 64;
/** To stand where one scrolls to is as bad, on a phone, as to cover so many that can be scrolled away. */
const IN_THE_MIDDLE = 3;
/** To cover what cannot be scrolled away is as bad as to cover so many that can. */
const STUCK = 100;

const CONTROLS =
  'a[href], button, input, select, textarea, summary, label:has(input), [role=menuitem], [role=menuitemradio], [role=option]';
/** What is read or pressed next, whether it could be scrolled away or not. */
const KEPT_CLEAR = '[data-keep-clear]';
const NOTICES = '[data-notices]';

const cover = (place: Box, box: Box): boolean =>
  place.left - GAP < box.right &&
  place.right + GAP > box.left &&
  place.top - GAP < box.bottom &&
  place.bottom + GAP > box.top;

/** How much a notice there would cover. */
export function costOf(
  place: Box,
  { area, sightTop }: Pick<Room, 'area' | 'sightTop'>,
  pressables: readonly Pressable[],
) {
  let cost = 0;
  for (const { box, up, down } of pressables) {
    if (!cover(place, box)) continue;
    // To where one looks, not into a gap beside the notice.
    const height = Math.max(box.bottom - box.top, (area.bottom - area.top) / 3);
    const isFree =
      (up >= box.bottom - place.top && place.top - sightTop >= height) ||
      (down >= place.bottom - box.top && area.bottom - place.bottom >= height);
    cost += isFree ? 1 : STUCK;
  }
  return cost;
}

/** The place that covers least, and of several the nearest to the edge, or to the opposite one, its left side first. */
export function findPlace(room: Room, pressables: readonly Pressable[]): Box {
  const { area, edge, width, height, detour } = room;
  const last = area.right - width;
  const lefts = [...new Set([area.left, Math.round((area.left + last) / 2), last])];
  const reach = Math.max(0, area.bottom - area.top - height);
  // In the middle of the screen they would be in the way of reading.
  const wayFrom = (away: number) => Math.min(away, reach - away + ASIDE);
  const middle = (area.top + area.bottom) / 2;
  const coverOf = (place: Box) => {
    const isInTheMiddle = edge === 'top' && place.top < middle && place.bottom > middle;
    return costOf(place, room, pressables) + (isInTheMiddle ? IN_THE_MIDDLE : 0);
  };
  let best: Box | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [index, left] of lefts.entries())
    for (let away = 0; away <= reach; away += STEP) {
      const top = edge === 'top' ? area.top + away : area.bottom - height - away;
      const place = { left, top, right: left + width, bottom: top + height };
      const cost = coverOf(place) * detour + wayFrom(away) + index * ASIDE;
      if (cost >= bestCost) continue;
      [best, bestCost] = [place, cost];
    }
  return best ?? { left: area.left, top: area.top, right: area.left + width, bottom: area.top + height };
}

/** How far what holds the element can still be scrolled. */
function scrollOf(element: Element): { up: number; down: number } {
  const wayOf = ({ scrollTop, scrollHeight, clientHeight }: Element) => ({
    up: scrollHeight - clientHeight - scrollTop,
    down: scrollTop,
  });
  if (element === document.activeElement || element.matches(KEPT_CLEAR)) return { up: 0, down: 0 };
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    const { position, overflowY } = getComputedStyle(one);
    if (position === 'fixed' || position === 'sticky') return { up: 0, down: 0 };
    if ((overflowY === 'auto' || overflowY === 'scroll') && one.scrollHeight > one.clientHeight) return wayOf(one);
  }
  return wayOf(document.documentElement);
}

/** What is in front there, but for notices. All that lies there is asked for only below one. */
function frontAt(x: number, y: number): Element | undefined {
  const front = document.elementFromPoint(x, y) ?? undefined;
  return front?.closest(NOTICES) ? document.elementsFromPoint(x, y).find((one) => !one.closest(NOTICES)) : front;
}

/** All that can be pressed, though it may be disabled for now: in sight, and not behind a dialog. */
export function findPressables(): Pressable[] {
  const found: Pressable[] = [];
  for (const element of document.querySelectorAll(`${CONTROLS}, ${KEPT_CLEAR}`)) {
    if (element.closest(NOTICES)) continue;
    const box = element.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (box.width === 0 || x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) continue;
    const front = frontAt(x, y);
    if (!front || !(element.contains(front) || front.contains(element))) continue;
    found.push({ box, ...scrollOf(element) });
  }
  return found;
}

const edgeOf = (): Room['edge'] => (window.innerWidth < PHONE_MAX ? 'top' : 'bottom');

/**
 * Where notices are to the layout, before the first one too: at their edge, which stays while another comes or goes. To
 * their place `translate` moves them, which shifts nothing.
 */
export function anchorNotices({ style }: HTMLElement): void {
  const isTop = edgeOf() === 'top';
  style.left = '0';
  style.top = isTop ? '0' : 'auto';
  style.bottom = isTop ? 'auto' : '0';
}

/** Where notices may stand, and how wide they are: never over the navigation, which is pressed at any time. */
function roomOf(): Omit<Room, 'height'> {
  const edge = edgeOf();
  const isPhone = edge === 'top';
  const margin = isPhone ? STEP : MARGIN;
  const main = document.querySelector('main')?.getBoundingClientRect();
  const left = Math.max(0, main?.left ?? 0) + margin;
  const right = Math.min(window.innerWidth, main?.right ?? window.innerWidth) - margin;
  return {
    area: { left, right, top: margin, bottom: window.innerHeight - margin },
    sightTop: Math.max(0, document.querySelector('header')?.getBoundingClientRect().bottom ?? 0),
    edge,
    width: isPhone ? right - left : Math.min(right - left, WIDTH_MAX),
    // A phone's screen is full of them.
    detour: isPhone ? 48 : window.innerHeight,
  };
}

/** Where notices stand, and whether they cover there what they should not: there are too many for the room. */
interface Placed {
  box: Box;
  isInTheWay: boolean;
}

/** Puts the notices where they cover nothing that is pressed next. They stay at `before` while they cover nothing there. */
export function placeNotices(notices: HTMLElement, before: Box | undefined): Placed {
  const room = roomOf();
  const { area, edge, width } = room;
  const { style } = notices;
  style.width = `${width}px`;
  const height = notices.offsetHeight;
  const pressables = findPressables();
  const kept = before && {
    ...before,
    ...(edge === 'top' ? { bottom: before.top + height } : { top: before.bottom - height }),
  };
  const isKept =
    kept !== undefined &&
    kept.right === kept.left + width &&
    kept.left >= area.left &&
    kept.right <= area.right &&
    kept.top >= area.top &&
    kept.bottom <= area.bottom &&
    costOf(kept, room, pressables) === 0;
  const box = isKept ? kept : findPlace({ ...room, height }, pressables);
  anchorNotices(notices);
  style.translate = `${box.left}px ${edge === 'top' ? box.top : box.bottom - window.innerHeight}px`;
  // On a phone, what can be scrolled away may be covered.
  return { box, isInTheWay: costOf(box, room, pressables) >= (edge === 'top' ? STUCK : 1) };
}
