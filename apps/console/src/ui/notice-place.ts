/** Part of the window, in pixels from its upper left corner. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Something that can be pressed, and how bad it would be to cover it. */
export interface Pressable {
  box: Box;
  weight: number;
}

interface Room {
  /** Where notices may stand. */
  area: Box;
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
/** What cannot be scrolled away, or has the focus. */
const PINNED = 100;

const CONTROLS =
  'a[href], button, input, select, textarea, summary, label:has(input:enabled), [role=menuitem], [role=menuitemradio], [role=option]';
const NOTICES = '[data-notices]';

const cover = (place: Box, box: Box): boolean =>
  place.left - GAP < box.right &&
  place.right + GAP > box.left &&
  place.top - GAP < box.bottom &&
  place.bottom + GAP > box.top;

/** How much a notice there would cover. */
export function costOf(place: Box, pressables: readonly Pressable[]): number {
  let cost = 0;
  for (const { box, weight } of pressables) if (cover(place, box)) cost += weight;
  return cost;
}

/** The place that covers least, and of several the nearest to the edge, its left side first. */
export function findPlace({ area, edge, width, height, detour }: Room, pressables: readonly Pressable[]): Box {
  const last = area.right - width;
  const lefts = [...new Set([area.left, Math.round((area.left + last) / 2), last])];
  const reach = Math.max(0, area.bottom - area.top - height);
  let best: Box | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [index, left] of lefts.entries())
    for (let away = 0; away <= reach; away += STEP) {
      const top = edge === 'top' ? area.top + away : area.bottom - height - away;
      const place = { left, top, right: left + width, bottom: top + height };
      const cost = costOf(place, pressables) * detour + away + index * ASIDE;
      if (cost >= bestCost) continue;
      [best, bestCost] = [place, cost];
    }
  return best ?? { left: area.left, top: area.top, right: area.left + width, bottom: area.top + height };
}

/** Whether it can be brought out from under a notice by scrolling. */
function isScrollable(element: Element): boolean {
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    const { position, overflowY } = getComputedStyle(one);
    if (position === 'fixed' || position === 'sticky') return false;
    if ((overflowY === 'auto' || overflowY === 'scroll') && one.scrollHeight > one.clientHeight) return true;
  }
  return document.documentElement.scrollHeight > window.innerHeight;
}

/** All that can be pressed now: in sight, enabled, and not behind a dialog. */
export function findPressables(): Pressable[] {
  const found: Pressable[] = [];
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (element.matches(`:disabled, ${NOTICES} *`)) continue;
    const box = element.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (box.width === 0 || x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) continue;
    const front = document.elementsFromPoint(x, y).find((one) => !one.closest(NOTICES));
    if (!front || !(element.contains(front) || front.contains(element))) continue;
    const isPinned = element === document.activeElement || !isScrollable(element);
    found.push({ box, weight: isPinned ? PINNED : 1 });
  }
  return found;
}

/** Where notices may stand, and how wide they are: never over the navigation, which is pressed at any time. */
function roomOf(): Omit<Room, 'height'> {
  const isPhone = window.innerWidth < PHONE_MAX;
  const margin = isPhone ? STEP : MARGIN;
  const main = document.querySelector('main')?.getBoundingClientRect();
  const left = Math.max(0, main?.left ?? 0) + margin;
  const right = Math.min(window.innerWidth, main?.right ?? window.innerWidth) - margin;
  return {
    area: { left, right, top: margin, bottom: window.innerHeight - margin },
    edge: isPhone ? 'top' : 'bottom',
    width: isPhone ? right - left : Math.min(right - left, WIDTH_MAX),
    // A phone's screen is full of them, and its notices are looked for at the top.
    detour: isPhone ? 48 : window.innerHeight,
  };
}

/**
 * Puts the notices where they cover nothing that is pressed next. They stay at `before` while they cover nothing there.
 * Answers where they stand.
 */
export function placeNotices(notices: HTMLElement, before: Box | undefined): Box {
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
    costOf(kept, pressables) === 0;
  const box = isKept ? kept : findPlace({ ...room, height }, pressables);
  style.left = `${box.left}px`;
  // What stays where it is while another notice comes or goes.
  style.top = edge === 'top' ? `${box.top}px` : 'auto';
  style.bottom = edge === 'top' ? 'auto' : `${window.innerHeight - box.bottom}px`;
  return box;
}
