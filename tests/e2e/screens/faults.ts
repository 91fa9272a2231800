import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SETTLED_MS_MAX = 2_000;

/** Nothing moves any more: a colour half-way is not the colour that is meant, nor a chart that is not drawn anew. */
export const settled = (page: Page) =>
  page.evaluate(async (msMax) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // What observes its own size hears of it in the first frame, and draws in the second.
    const drawn = frame().then(frame);
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    const done = Promise.all([drawn, ...finite.map((animation) => animation.finished.catch(() => {}))]);
    // A tab that the browser does not draw never finishes.
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, msMax))]);
  }, SETTLED_MS_MAX);

/** Looks of texts that axe has found to be of enough contrast, in any tab: they look the same on every screen. */
const looksPassed = new Set<string>();

/** Only what themes change. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

interface Measured {
  contrastRatio?: number;
}

/**
 * From now on the check of contrast, most of axe's work, is asked once for each look: a text's colour, size and weight, and
 * whatever axe itself finds painted below it. What it does not pass is asked again wherever it occurs.
 */
const measureEachLookOnce = () => {
  const own = window as unknown as { axe: typeof axe; looks: Set<string> };
  // biome-ignore lint/suspicious/noExplicitAny: its types leave out what it measures with.
  const { _audit, commons } = own.axe as any;
  const check = _audit.checks['color-contrast'];
  const measure = check.evaluate;
  const layerOf = (element: Element): string => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element);
    const isPlain = backgroundImage === 'none' && opacity === '1' && filter === 'none' && mixBlendMode === 'normal';
    if (isPlain) return backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor;
    return [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(' ');
  };
  const lookOf = (element: Element): string => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const stacks: Element[][] = commons.dom.getTextElementStack(element);
    const parents: string[] = [];
    for (let parent = element.parentElement; parent; parent = parent.parentElement) parents.push(layerOf(parent));
    const below = stacks.map((stack) => stack.map(layerOf).filter(Boolean).join('/'));
    return [color, fontSize, fontWeight, textShadow, ...new Set(below), parents.filter(Boolean).join('/')].join('; ');
  };
  check.evaluate = function (this: { data: (given: Measured) => void }, element: Element, ...others: unknown[]) {
    const look = lookOf(element);
    if (own.looks.has(look)) return true;
    let measured: Measured | undefined;
    const data = (given: Measured) => {
      measured = given;
      this.data(given);
    };
    const passes = measure.call({ ...this, data }, element, ...others);
    // What is hidden passes without being measured.
    if (passes && measured?.contrastRatio !== undefined) own.looks.add(look);
    return passes;
  };
};

/**
 * All that axe finds, by every rule, or by those that themes change. No page has frames. Its own builder for Playwright
 * hands axe over twice for each look, which costs as much as the look does.
 */
export async function accessFaults(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(AXE);
    await page.evaluate(measureEachLookOnce);
  }
  const options: axe.RunOptions = { resultTypes: ['violations'] };
  if (rules === 'colors') options.runOnly = COLOR_RULES;
  const { violations, passed } = await page.evaluate(
    async ({ given, known }) => {
      const own = window as unknown as { axe: typeof axe; looks: Set<string> };
      own.looks = new Set(known.split('\n'));
      const found = await own.axe.run(document, given);
      return { violations: found.violations, passed: [...own.looks].join('\n') };
    },
    { given: options, known: [...looksPassed].join('\n') },
  );
  for (const look of passed.split('\n')) looksPassed.add(look);
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  );
}

/** What sticks out of the screen, unless it lies in something that itself scrolls sideways. */
const stickingOut = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width) found.push(`document: ${document.documentElement.scrollWidth}`);
    for (const element of document.querySelectorAll('body *')) {
      const scrollsDown = /\boverflow-y-auto\b/.test(element.getAttribute('class') ?? '');
      if (scrollsDown && element.scrollWidth > element.clientWidth + 1)
        found.push(`scrolls sideways: ${element.outerHTML.slice(0, 160)}`);
      if (element instanceof SVGElement && element.ownerSVGElement) continue;
      const { left, right, width: own, height } = element.getBoundingClientRect();
      if (own <= 1 || height <= 1 || (left >= -1 && right <= width + 1)) continue;
      let parent = element.parentElement;
      while (parent && getComputedStyle(parent).overflowX === 'visible') parent = parent.parentElement;
      if (parent && parent !== document.documentElement && parent !== document.body) continue;
      found.push(`${element.outerHTML.slice(0, 160)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });

const LOOKS_MAX = 5;

/** A chart may be made anew, for the theme, just when the width changes: it is as wide as before for a frame more. */
export async function stickingOutForGood(page: Page): Promise<string[]> {
  let found = await stickingOut(page);
  for (let looks = 1; found.length > 0 && looks < LOOKS_MAX; looks++) {
    await settled(page);
    found = await stickingOut(page);
  }
  return found;
}

/** Half of what a finger is given (product design: 40 px), without the rounding of a middle between two pixels. */
const REACH_PX = 19;
const TARGETS = 'a[href], button, input, select, textarea, summary, [role=tab], [role=menuitem], [role=option]';

/**
 * What a finger would miss: pressed that far above, below or beside its middle, something else is pressed, or nothing.
 * Links within a sentence are as high as its lines, and one that leads where another does may be small (WCAG 2.5.8). A press
 * on a row that opens does what the link in it does, one on the frame of a field leads into it, and what is named by its
 * text may be narrow.
 */
export const smallTargets = (page: Page) =>
  page.evaluate(
    ({ reach, targets }) => {
      const found: { element: Element; size: string }[] = [];
      const reached = new Set<string>();
      const hrefOf = (element: Element) => (element instanceof HTMLAnchorElement ? element.href : '');
      const isInSentence = (element: Element) => {
        if (getComputedStyle(element).display !== 'inline') return false;
        let block = element.parentElement;
        while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
        return block?.textContent?.trim() !== element.textContent?.trim();
      };
      const drawnOf = (element: Element) => {
        const row = element.matches('a') ? element.closest('[data-row]') : null;
        if (row && getComputedStyle(row).cursor === 'pointer') return row;
        const isTick = element.matches(':not(input), [type=checkbox], [type=radio]');
        return element.closest('label') ?? (isTick ? null : element.closest('.control')) ?? element;
      };
      for (const element of document.querySelectorAll<HTMLElement>(targets)) {
        const drawn = drawnOf(element);
        const own = drawn.getBoundingClientRect();
        if (own.height < 2 || own.width < 2 || element.matches(':disabled') || isInSentence(element)) continue;
        const hasText = element.textContent?.trim() !== '' || drawn !== element;
        const signs = [-1, 1];
        const offsets = signs.flatMap((sign) => [[0, sign * reach], ...(hasText ? [] : [[sign * reach, 0]])]);
        element.scrollIntoView({ block: 'center', inline: 'nearest' });
        const { left, right, top, bottom } = drawn.getBoundingClientRect();
        const hitAt = ([dx = 0, dy = 0]: number[]) =>
          document.elementFromPoint((left + right) / 2 + dx, (top + bottom) / 2 + dy);
        const isHit = (offset: number[]) => {
          const hit = hitAt(offset);
          if (!hit) return false;
          return drawn.contains(hit) || hit.closest('label')?.control === element;
        };
        // Hidden, behind a dialog, or below what lies on it.
        if (!isHit([])) continue;
        // In part below an open menu, which is what is pressed now.
        if (!drawn.closest('[role=menu]') && offsets.some((offset) => hitAt(offset)?.closest('[role=menu]'))) continue;
        if (offsets.every(isHit)) reached.add(hrefOf(element));
        else found.push({ element, size: `${Math.round(own.width)} x ${Math.round(own.height)} px` });
      }
      return found
        .filter(({ element }) => hrefOf(element) === '' || !reached.has(hrefOf(element)))
        .map(({ element, size }) => `${size}: ${element.outerHTML.slice(0, 240)}`);
    },
    { reach: REACH_PX, targets: TARGETS },
  );
