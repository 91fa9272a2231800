/* A part of the script in the page (page-start.ts): drawn before the styles of the console are there. */

/** `--page`, `--card` and `--line` of ui/tokens.css. */
export const OUTLINE_COLOURS = {
  light: ['#f6f7fb', '#fff', '#e4e7ee'],
  dark: ['#101217', '#171a21', '#272c37'],
} as const;

/** As wide as phones are, where controls are higher and rows are cards. */
const PHONE_WIDTH_MAX = 759;
/** Up to here there is neither the sidebar nor what stands beside the form. */
const NARROW_WIDTH_MAX = 991;
const SIDEBAR_WIDTH = 208;
const CONTENT_WIDTH_MAX = 1440;

const rect = (x: number, y: number, width: number, height: number, more = 'rx="6"') =>
  `<rect x="${x}" y="${y}" width="${Math.max(0, width)}" height="${height}" ${more}/>`;

function outlineOfForm(width: number, card: string): string {
  const isPhone = width <= PHONE_WIDTH_MAX;
  const isNarrow = width <= NARROW_WIDTH_MAX;
  // As identity-frame.tsx divides the screen: minmax(380px, 5fr) for what the service does, and 7fr for the form.
  const aside = isNarrow ? 0 : Math.max(380, (width * 5) / 12);
  const room = width - aside;
  const form = Math.min(380, room - 40);
  const x = aside + (room - form) / 2;
  const middle = innerHeight / 2;
  const [title, email, password, button] = isPhone ? [-197, -99, -17, 43] : [-183, -85, -7, 49];
  const field = isPhone ? 40 : 36;
  return (
    rect(0, 0, width, innerHeight, `fill="${card}"`) +
    rect(0, 0, aside, innerHeight, 'fill="#0d1b45"') +
    rect(aside + (isPhone ? 20 : 32), 18, 110, 28) +
    rect(x, middle + title, form / 2, 32) +
    rect(x, middle + email, form, field) +
    rect(x, middle + password, form, field) +
    rect(x, middle + button, form, 44)
  );
}

/** A domain of the list on a phone: its name, its state, its numbers. */
const outlineOfCard = (x: number, y: number, room: number) =>
  rect(x, y + 8, 160, 16) + rect(x, y + 28, 80, 22) + rect(x, y + 56, room, 12);

/** The bars, and what stands on the screen that most open: the list of domains. */
function outlineOfShell(width: number, card: string): string {
  const isPhone = width <= PHONE_WIDTH_MAX;
  const isNarrow = width <= NARROW_WIDTH_MAX;
  const hasSidebar = !isNarrow && localStorage.getItem('sidebar') !== 'hidden';
  const sidebar = hasSidebar ? SIDEBAR_WIDTH : 0;
  const padding = isPhone ? 16 : 24;
  const content = Math.min(width - sidebar, CONTENT_WIDTH_MAX);
  const x = sidebar + (width - sidebar - content) / 2 + padding;
  const room = content - 2 * padding;
  const [head, field] = isPhone ? [180, 40] : [132, 36];
  // What is scheduled stands over the list, in a card with a margin of 16, as high as last time (ui/list-sizes.ts).
  const taskCard = Number(/"taskCard":(\d+)/.exec(localStorage.getItem('list-sizes') ?? '')?.[1] ?? 0);
  const top = head + (taskCard && taskCard + 16);
  const rows = Array.from({ length: 8 }, (_, row) =>
    isPhone ? outlineOfCard(x + 16, top + 62 + row * 77, room - 32) : rect(x + 16, top + 109 + row * 44, room - 32, 12),
  );
  return (
    rect(0, 0, width, 56, `fill="${card}"`) +
    rect(0, 0, sidebar, innerHeight, `fill="${card}"`) +
    rect(sidebar, 55, width, 1, '') +
    (hasSidebar
      ? rect(sidebar - 1, 0, 1, innerHeight, '') +
        [14, 64, 134, 172, 210, 280].map((y) => rect(20, y, y === 14 ? 110 : 160, 28)).join('')
      : '') +
    rect(sidebar + 56, 10, isNarrow ? 38 : 297, 36) +
    rect(x, head - (isPhone ? 96 : 50), 100, 28) +
    (isPhone ? rect(x, head - 56, room, field) : rect(x + room - 135, head - 52, 135, field)) +
    rect(x, head, room, taskCard, `fill="${card}" rx="12"`) +
    rect(x, top, room, innerHeight, `fill="${card}" rx="12"`) +
    rect(x + 16, top + 11, isPhone ? room - 132 : 288, field) +
    rows.join('')
  );
}

/** Whether the program has drawn nothing yet but that the session is being checked (pending-screen.tsx). */
const isPending = (root: Element) => !root.hasChildNodes() || root.firstElementChild?.getAttribute('role') === 'status';

/**
 * Draws the outline of what is on its way, in the theme of last time, until the program has drawn something of its own:
 * on a slow line nothing else would be there for seconds. SVG by attributes alone, since the page's policy refuses
 * styles in it.
 */
export function drawPageOutline(kind: 'form' | 'shell'): void {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const [page, card, line] = OUTLINE_COLOURS[isDark ? 'dark' : 'light'];
  const outline = document.createElement('div');
  outline.setAttribute('aria-hidden', 'true');
  Object.assign(outline.style, { position: 'fixed', inset: '0', background: page });
  const drawn = (kind === 'form' ? outlineOfForm : outlineOfShell)(innerWidth, card);
  outline.innerHTML = `<svg width="100%" height="100%" fill="${line}">${drawn}</svg>`;
  document.body.append(outline);
  new MutationObserver((_, observer) => {
    const root = document.getElementById('root');
    // The page's own words for a program that did not arrive stand in the root's place.
    if (root ? isPending(root) : !document.querySelector('main')) return;
    observer.disconnect();
    outline.remove();
  }).observe(document.body, { childList: true, subtree: true });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    outline.animate({ opacity: [1, 0.6, 1] }, { duration: 1600, iterations: Number.POSITIVE_INFINITY });
}
