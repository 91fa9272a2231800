import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
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

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** Stands at one height from the upper edge, so that its head stays in its place while what is in it becomes longer. */
  top?: boolean;
  /** As high as there is room for, so that head and buttons stay in their place while what is in it comes and changes. */
  tall?: boolean;
  /** A press outside does not close; Escape and the cross still ask `onOpenChange`. */
  keepOnOutsidePress?: boolean;
  /** Whether closing would lose what was typed: every way to close then asks first. */
  dirty?: boolean;
  /** While what was typed is being saved: nothing in it can be changed, and it cannot be closed. */
  busy?: boolean;
  /** Where reading begins, when that is not the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

const TALL_HEIGHT = 720;
const widths = { sm: 'sm:max-w-[440px]', md: 'sm:max-w-[640px]', lg: 'sm:max-w-[880px]' };

/** A modal box; on a phone it rises from the bottom edge. Focus is trapped and returned. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = 'md',
  top = false,
  tall = false,
  keepOnOutsidePress,
  dirty = false,
  busy = false,
  initialFocus,
  children,
}: DialogProps) {
  const t = useTranslations('ui');
  const body = useRef<HTMLDivElement>(null);
  const isLong = useLong(busy);
  const isHeld = busy && !isLong;
  const closing = useClosing({ open, onOpenChange, dirty, busy, isLong });
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={closing.onOpenChange}
      onOpenChangeComplete={findFocusAfter}
      disablePointerDismissal={keepOnOutsidePress}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Viewport
          className={clsx(
            'fixed inset-0 z-50 grid grid-cols-1 place-items-center p-4 phone:items-end phone:p-0',
            top && 'items-start pt-[12dvh]',
          )}
        >
          <BaseDialog.Popup
            initialFocus={initialFocus ?? firstField(body)}
            onKeyDown={leadTabRound}
            style={tall ? { height: TALL_HEIGHT } : undefined}
            className={clsx(
              top ? 'max-h-[86dvh]' : 'max-h-[calc(100dvh-32px)]',
              'flex w-full flex-col rounded-card bg-card shadow-float outline-none',
              'phone:max-h-[92dvh] phone:rounded-b-none transition-[opacity,translate,scale] duration-150',
              'data-starting-style:translate-y-2 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0',
              widths[size],
            )}
          >
            <header className="flex items-start gap-3 px-5 pt-5 pb-1">
              <div className="min-w-0 flex-1">
                <DialogTitle open={open}>{title}</DialogTitle>
                {description && (
                  <BaseDialog.Description className="mt-1 text-muted">{description}</BaseDialog.Description>
                )}
              </div>
              <BaseDialog.Close
                disabled={isHeld}
                render={<IconButton label={t('close')} icon={<X size={18} />} size="sm" className="-mt-1 -mr-2" />}
              />
            </header>
            <DialogBody ref={body} open={open} busy={busy} className="py-3">
              {children}
            </DialogBody>
            {isLong && (
              <div className="px-5 py-2">
                <LongWaitLine />
              </div>
            )}
            {footer && (
              <BusyContext value={isHeld}>
                <footer className="flex flex-wrap justify-end gap-2 px-5 pt-2 pb-5 phone:[&>*]:flex-1">{footer}</footer>
              </BusyContext>
            )}
            <DiscardQuestion {...closing.question} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
