/* A part of the script in the page (page-start.ts): drawn before the styles of the console are there. */

/** `--page`, `--card` and `--line` of ui/tokens.css. */
export const OUTLINE_COLOURS = {
  light: ['#f6f7fb', '#fff', '#e4e7ee'],
  dark: ['#101217', '#171a21', '#272c37'],
} as const;

const PHONE_WIDTH_MAX = 991;
const SIDEBAR_WIDTH = 256;

const rect = (x: number, y: number, width: number, height: number, more = 'rx="6"') =>
  `<rect x="${x}" y="${y}" width="${Math.max(0, width)}" height="${height}" ${more}/>`;

function outlineOfForm(width: number, card: string): string {
  const isPhone = width <= PHONE_WIDTH_MAX;
  // As identity-frame.tsx divides the screen: minmax(380px, 5fr) for what the service does, and 7fr for the form.
  const aside = isPhone ? 0 : Math.max(380, (width * 5) / 12);
  const room = width - aside;
  const form = Math.min(380, room - 40);
  const x = aside + (room - form) / 2;
  const y = innerHeight / 2 - 150;
  return (
    rect(0, 0, width, innerHeight, `fill="${card}"`) +
    rect(0, 0, aside, innerHeight, 'fill="#0d1b45"') +
    rect(aside + (isPhone ? 20 : 32), 18, 110, 28) +
    [0, 70, 150, 230].map((top) => rect(x, y + top, top === 0 ? form / 2 : form, 40)).join('')
  );
}

function outlineOfShell(width: number, card: string): string {
  const hasSidebar = width > PHONE_WIDTH_MAX && localStorage.getItem('sidebar') !== 'hidden';
  const sidebar = hasSidebar ? SIDEBAR_WIDTH : 0;
  const padding = width < 760 ? 16 : 24;
  const x = sidebar + padding;
  const room = width - x - padding;
  const rows = Array.from({ length: 8 }, (_, index) => rect(x + 16, 212 + index * 44, room - 32, 12));
  return (
    rect(0, 0, width, 56, `fill="${card}"`) +
    rect(0, 0, sidebar, innerHeight, `fill="${card}"`) +
    (hasSidebar ? [14, 70, 130, 168, 206].map((y) => rect(20, y, y === 14 ? 110 : 160, 28)).join('') : '') +
    rect(x, 14, Math.min(297, room / 2), 28) +
    rect(x, 80, 150, 36) +
    rect(x, 132, room, innerHeight, `fill="${card}" rx="12"`) +
    rows.join('')
  );
}

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
    if (root ? !root.hasChildNodes() : !document.querySelector('main')) return;
    observer.disconnect();
    outline.remove();
  }).observe(document.body, { childList: true, subtree: true });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    outline.animate({ opacity: [1, 0.6, 1] }, { duration: 1600, iterations: Number.POSITIVE_INFINITY });
}
