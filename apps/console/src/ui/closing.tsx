import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { createContext, type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button';
import './less-motion';
import { PlaceContext } from './place';
import { useUnsavedChanges } from './unsaved-changes';

/** Whether what the dialog holds is being saved. */
export const BusyContext = createContext(false);

/** Of the questions that are open, what ends each. */
const endings = new Set<() => void>();

/** Ends what dialogs ask about discarding: back, forward or a typed address asks the same of the whole screen. */
export function endDiscardQuestions(): void {
  for (const end of endings) end();
}

/** Closes what was opened over one place once another is shown: back, forward and a typed address reach below a dialog. */
export function useCloseOnPlaceChange(open: boolean, busy: boolean, onOpenChange: (open: boolean) => void): void {
  const place = useContext(PlaceContext);
  const openedOver = useRef<string>(undefined);
  useEffect(() => {
    const hasLeft = open && openedOver.current !== undefined && openedOver.current !== place;
    openedOver.current = open ? place : undefined;
    // The request is out, and what comes of it is said here.
    if (hasLeft && !busy) onOpenChange(false);
  });
}

interface ClosingProps {
  open: boolean;
  /** Nothing has answered for long: it closes without a question, as there is nothing to discard. */
  isLong: boolean;
  onOpenChange: (open: boolean) => void;
  dirty: boolean;
  busy: boolean;
}

/** What Escape, the cross, Cancel and a press outside do: nothing while it is busy, a question while it is dirty. */
export function useClosing({ open, onOpenChange, dirty, busy, isLong }: ClosingProps) {
  const [isAsking, setAsking] = useState(false);
  const isEnded = useRef(false);
  useUnsavedChanges(open && dirty);
  useCloseOnPlaceChange(open, busy, onOpenChange);
  useEffect(() => {
    if (!isAsking) return;
    isEnded.current = false;
    const end = () => {
      isEnded.current = true;
      setAsking(false);
    };
    endings.add(end);
    return () => void endings.delete(end);
  }, [isAsking]);
  return {
    onOpenChange(next: boolean, details: { cancel: () => void }) {
      if (next || isLong || !(busy || dirty)) return onOpenChange(next);
      details.cancel();
      // The request is out: there is nothing left to discard.
      if (!busy) setAsking(true);
    },
    question: {
      open: isAsking,
      onOpenChange: setAsking,
      onDiscard: () => onOpenChange(false),
      // The question that takes its place has the focus.
      focusAfter: () => (isEnded.current ? false : undefined),
    },
  };
}

/** Both are in sight, and to find out how far to scroll would lay the page out once more. */
const IN_PLACE = { preventScroll: true };

/** Keeps the focus in the dialog while the field that has it is closed, and gives it back afterwards. */
export function useBusyFocus(body: RefObject<HTMLElement | null>, busy: boolean, open: boolean): void {
  const left = useRef<HTMLElement>(null);
  const wasBusy = useRef(false);
  useLayoutEffect(() => {
    const hasEnded = wasBusy.current && !busy;
    wasBusy.current = busy;
    const popup = body.current?.closest<HTMLElement>('[role=dialog]');
    const focused = document.activeElement;
    if (busy) {
      if (!(focused instanceof HTMLElement) || !popup?.contains(focused)) return;
      if (!body.current?.contains(focused) && !focused.matches(':disabled')) return;
      left.current = focused;
      popup.focus(IN_PLACE);
      return;
    }
    // One that closes with the end of the save gives the focus back to what had it before it opened.
    // What was pressed may be gone with the save.
    if (hasEnded && open && (focused === popup || focused === document.body))
      (left.current?.isConnected ? left.current : popup)?.focus(IN_PLACE);
    left.current = null;
  }, [body, busy, open]);
}

/** "Cancel" of a `Dialog` or `Sheet`: closes it as Escape does. */
export function CloseButton(props: ButtonProps) {
  const isBusy = useContext(BusyContext);
  return <BaseDialog.Close disabled={isBusy} render={<Button {...props} />} />;
}
