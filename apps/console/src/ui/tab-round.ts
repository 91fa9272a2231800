import type { KeyboardEvent } from 'react';

/** What Tab stops at. */
export const STOPS =
  'a[href], :is(button, input, select, textarea):not(:disabled), summary, [tabindex="0"]:not([data-base-ui-focus-guard])';

/** Of radio buttons Tab stops only at the chosen one. */
const isStop = (stop: HTMLElement) =>
  stop.tabIndex >= 0 &&
  !stop.closest('[inert]') &&
  stop.checkVisibility() &&
  !stop.matches('[type=radio]:not(:checked)');

/**
 * Leads Tab from one edge of what it must not leave to the other at once. What else does so waits for a frame, and a key
 * that is held or a page that is busy is out of the dialog before that.
 */
export function leadTabRound(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: box, target, shiftKey } = event;
  // What opens over it, such as a list of options, is in it only for React.
  if (event.key !== 'Tab' || event.defaultPrevented || !box.contains(target as Node)) return;
  const stops = [...box.querySelectorAll<HTMLElement>(STOPS)].filter(isStop);
  const [edge, other] = shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (edge && target !== edge && !(shiftKey && target === box)) return;
  event.preventDefault();
  other?.focus();
}
