import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button';
import { DiscardQuestion } from './discard-question';
import { firstField } from './first-field';
import { backdropClass } from './popup-classes';
import { useUnsavedChanges } from './unsaved-changes';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Whether closing would lose what was typed: Escape, the cross and a press outside then ask first. */
  dirty?: boolean;
  /** Buttons, the primary one last; stays visible while the content scrolls. */
  footer?: ReactNode;
  size?: 'md' | 'lg';
  children?: ReactNode;
}

/** A form at the side of the screen; the whole screen on a phone. */
export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  dirty = false,
  footer,
  size = 'md',
  children,
}: SheetProps) {
  const t = useTranslations('ui');
  const [isAsking, setAsking] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  useUnsavedChanges(open && dirty);
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, details) => {
        if (!next && dirty) {
          details.cancel();
          setAsking(true);
          return;
        }
        onOpenChange(next);
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Popup
          initialFocus={firstField(body)}
          className={clsx(
            'fixed inset-y-0 right-0 z-50 flex w-full flex-col bg-card shadow-float outline-none',
            'transition-[translate,opacity] duration-200 ease-out data-starting-style:translate-x-8 data-starting-style:opacity-0',
            'data-ending-style:translate-x-8 data-ending-style:opacity-0',
            size === 'lg' ? 'sm:w-[760px] sm:max-w-[92vw]' : 'sm:w-[520px] sm:max-w-[92vw]',
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-5 py-4">
            <div className="min-w-0 flex-1">
              <BaseDialog.Title className="text-lg font-semibold wrap-anywhere">{title}</BaseDialog.Title>
              {description && (
                <BaseDialog.Description className="mt-0.5 text-muted">{description}</BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close
              render={<IconButton label={t('close')} icon={<X size={18} />} size="sm" className="-mr-2" />}
            />
          </header>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 pb-[max(12px,env(safe-area-inset-bottom))] phone:[&>*]:flex-1">
              {footer}
            </footer>
          )}
          <DiscardQuestion open={isAsking} onOpenChange={setAsking} onDiscard={() => onOpenChange(false)} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
