import clsx from 'clsx';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { useBusyFocus } from './closing';
import { STOPS } from './tab-round';

/** What scrolls and holds nothing that has the focus is scrolled by keys only if it takes the focus itself. */
function setScrollStop(body: HTMLElement) {
  const scrolls = body.scrollHeight > body.clientHeight;
  if (scrolls && !body.querySelector(STOPS)) body.tabIndex = 0;
  else body.removeAttribute('tabindex');
}

interface DialogBodyProps {
  ref: RefObject<HTMLDivElement | null>;
  open: boolean;
  busy: boolean;
  className: string;
  children: ReactNode;
}

/** The part of a dialog or sheet that scrolls, by keys too. */
export function DialogBody({ ref, open, busy, className, children }: DialogBodyProps) {
  useBusyFocus(ref, busy, open);
  useEffect(() => {
    const body = ref.current;
    if (!body || !open) return;
    const observer = new ResizeObserver(() => setScrollStop(body));
    observer.observe(body);
    for (const child of body.children) observer.observe(child);
    setScrollStop(body);
    return () => observer.disconnect();
  });
  return (
    <div ref={ref} inert={busy} className={clsx('min-h-0 flex-1 overflow-y-auto px-5 inert:opacity-70', className)}>
      {children}
    </div>
  );
}
