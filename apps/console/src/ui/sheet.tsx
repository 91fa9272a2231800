import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button';
import { BusyContext, useClosing } from './closing';
import { DialogBody } from './dialog-body';
import { DialogTitle } from './dialog-title';
import { DiscardQuestion } from './discard-question';
import { firstField } from './first-field';
import { LongWaitLine } from './long-wait';
import { findFocusAfter } from './lost-focus';
import { backdropClass } from './popup-classes';
import { leadTabRound } from './tab-round';
import { useLong } from './use-long';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** Whether closing would lose what was typed: Escape, the cross and a press outside then ask first. */
  dirty?: boolean;
  /** While what was typed is being saved: nothing in it can be changed, and it cannot be closed. */
  busy?: boolean;
  /** Buttons, the primary one last; stays visible while the content scrolls. */
  footer?: ReactNode;
  size?: 'md' | 'lg';
  /** What gets the focus in place of the first field. */
  pickField?: ((body: HTMLElement) => HTMLElement | null | undefined) | undefined;
  /** What has the focus once it is closed; null: what had it before. */
  focusAfter?: (() => HTMLElement | null) | undefined;
  children?: ReactNode;
}

/** A form at the side of the screen; the whole screen on a phone. */
export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  actions,
  dirty = false,
  busy = false,
  footer,
  size = 'md',
  pickField,
  focusAfter,
  children,
}: SheetProps) {
  const t = useTranslations('ui');
  const body = useRef<HTMLDivElement>(null);
  const isLong = useLong(busy);
  const isHeld = busy && !isLong;
  const closing = useClosing({ open, onOpenChange, dirty, busy, isLong });
  return (
    <BaseDialog.Root open={open} onOpenChange={closing.onOpenChange} onOpenChangeComplete={findFocusAfter}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Popup
          initialFocus={firstField(body, pickField)}
          finalFocus={focusAfter}
          onKeyDown={leadTabRound}
          className={clsx(
            'fixed inset-y-0 right-0 z-50 flex w-full flex-col bg-card shadow-float outline-none',
            'transition-[translate,opacity] duration-200 ease-out data-starting-style:translate-x-8 data-starting-style:opacity-0',
            'data-ending-style:translate-x-8 data-ending-style:opacity-0',
            size === 'lg' ? 'sm:w-[760px] sm:max-w-[92vw]' : 'sm:w-[520px] sm:max-w-[92vw]',
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-5 py-4">
            <div className="min-w-0 flex-1">
              <DialogTitle open={open}>{title}</DialogTitle>
              {description && (
                <BaseDialog.Description className="mt-0.5 text-muted">{description}</BaseDialog.Description>
              )}
            </div>
            {actions}
            <BaseDialog.Close
              disabled={isHeld}
              render={<IconButton label={t('close')} icon={<X size={18} />} size="sm" className="-mr-2" />}
            />
          </header>
          <DialogBody ref={body} open={open} busy={busy} className="py-4">
            {children}
          </DialogBody>
          {isLong && (
            <div className="px-5 py-2">
              <LongWaitLine />
            </div>
          )}
          {footer && (
            <BusyContext value={isHeld}>
              <footer
                data-keep-clear
                className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 pb-[max(12px,env(safe-area-inset-bottom))] phone:[&>*]:flex-1"
              >
                {footer}
              </footer>
            </BusyContext>
          )}
          <DiscardQuestion {...closing.question} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
