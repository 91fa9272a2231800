import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { awaitPalette, takeEarlyKeys } from '../palette/early-keys';

export type Overlay = 'palette' | 'shortcuts';

const openers = new Set<(overlay: Overlay) => void>();
const open = (overlay: Overlay) => {
  for (const opener of openers) opener(overlay);
};

/** Opens the command palette. */
export const showPalette = (): void => open('palette');
/** Opens the list of keyboard shortcuts. */
export const showShortcuts = (): void => open('shortcuts');

/** Whether this device says ⌘ where others say Ctrl. */
export const isApple = (): boolean => /^(Mac|iP)/.test(navigator.platform);

/** How a key with the one for commands is written here. */
export const commandKeys = (key: string): readonly string[] => [isApple() ? '⌘' : 'Ctrl', key];

export const paletteKeys = () => commandKeys('K');

const isTyping = (target: HTMLElement) => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
/** Notices have the role of a dialog too, but leave the keyboard alone. */
const hasDialog = () => document.querySelector('[role$=dialog]:not([data-notice])') !== null;

/** `/` goes to the search field of the screen, as long as nothing is being typed. */
function focusSearch(event: KeyboardEvent) {
  const search = document.querySelector<HTMLInputElement>('main [data-search-focus]');
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
}

/** Keys that work everywhere. Over a dialog none does: it has the keyboard to itself. */
function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.altKey || hasDialog()) return;
  const hasCommand = event.ctrlKey || event.metaKey;
  if (hasCommand && !event.shiftKey && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    awaitPalette();
    showPalette();
    return;
  }
  if (hasCommand || isTyping(event.target as HTMLElement)) return;
  if (event.key === '?') {
    event.preventDefault();
    showShortcuts();
  } else if (event.key === '/') focusSearch(event);
}

/** What is open over the screen, by keys or by a call. */
export function useOverlays() {
  const [shown, setShown] = useState<Overlay>();
  const [used, setUsed] = useState<ReadonlySet<Overlay>>(new Set());
  const router = useRouter();
  // Back and forward take away what was opened over the screen that is left.
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && setShown(undefined)),
    [router],
  );
  // Where the palette is closed, or did not come, the keys are the screen's again.
  useEffect(() => {
    if (!shown) takeEarlyKeys();
  }, [shown]);
  useEffect(() => {
    const opener = (overlay: Overlay) => {
      setUsed((before) => (before.has(overlay) ? before : new Set([...before, overlay])));
      setShown(overlay);
    };
    openers.add(opener);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      openers.delete(opener);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return {
    isOpen: (overlay: Overlay) => shown === overlay,
    /** Once asked for, it stays mounted, so that it can close with the focus led back. */
    wasUsed: (overlay: Overlay) => used.has(overlay),
    /** As before the first use. */
    forget() {
      setShown(undefined);
      setUsed(new Set());
    },
    onOpenChange: (overlay: Overlay) => (isOpen: boolean) =>
      setShown((before) => (isOpen ? overlay : before === overlay ? undefined : before)),
  };
}
