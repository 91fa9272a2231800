import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useDocumentTitle } from './document-title';
import { dismissScreenNotices } from './notices';

/** The heading of a dialog, and in the browser's tab its text for as long as it is open, whatever it is drawn with. */
export function DialogTitle({ open, children }: { open: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [drawn, setDrawn] = useState<string>();
  // After each drawing: what a part of it says may come late.
  useEffect(() => setDrawn(heading.current?.textContent ?? undefined));
  // What was said of the screen would stand over the dialog.
  useEffect(() => {
    if (open) dismissScreenNotices();
  }, [open]);
  useDocumentTitle(open ? (typeof children === 'string' ? children : drawn) : undefined);
  return (
    <Dialog.Title ref={heading} className="text-lg font-semibold wrap-anywhere">
      {children}
    </Dialog.Title>
  );
}
