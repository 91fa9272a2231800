import { AlertDialog } from '@base-ui/react/alert-dialog';
import clsx from 'clsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { useCloseOnPlaceChange } from './closing';
import { DialogTitle } from './dialog-title';
import { FailureLine } from './failure-line';
import { Field } from './field';
import { LongWaitLine } from './long-wait';
import { findFocusAfter } from './lost-focus';
import { backdropClass } from './popup-classes';
import { leadTabRound } from './tab-round';
import { TextInput } from './text-input';
import { useFailingHere } from './use-failing-here';
import { useLong } from './use-long';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** What will happen, in the customer's words. */
  children?: ReactNode;
  /** Without one there is nothing to confirm: the dialog can only be closed. */
  confirmLabel: string | undefined;
  cancelLabel?: string;
  /** In pixels, where there is more to read than a question. */
  width?: number;
  /** `danger` for what destroys. */
  tone?: 'primary' | 'danger';
  /** The confirm button works only once this name is typed. */
  typeToConfirm?: string;
  /** The confirm button does nothing yet, or has nothing to do. */
  disabled?: boolean;
  /** While it runs the button spins; the dialog closes when it resolves and stays when it rejects. */
  onConfirm: () => unknown;
  /** What has the focus once it is closed, if not what had it before; false: what has it already. */
  focusAfter?: (() => HTMLElement | false | undefined) | undefined;
}

/** Asks before something that cannot be taken back; Escape and Cancel change nothing. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  cancelLabel,
  width,
  tone = 'primary',
  typeToConfirm,
  disabled = false,
  onConfirm,
  focusAfter,
}: ConfirmDialogProps) {
  const t = useTranslations('ui');
  const [typed, setTyped] = useState('');
  const { isRunning, failure, run } = useFailingHere(open, onOpenChange);
  const isLong = useLong(isRunning);
  const isAllowed = !disabled && (typeToConfirm === undefined || typed.trim() === typeToConfirm);
  useCloseOnPlaceChange(open, isRunning, onOpenChange);
  useEffect(() => {
    if (!open) setTyped('');
  }, [open]);

  // What had the focus may go with the question.
  const close = useRef<HTMLButtonElement>(null);
  const isQuestion = confirmLabel !== undefined;
  useEffect(() => {
    if (open && !isQuestion && document.activeElement === document.body) close.current?.focus();
  }, [open, isQuestion]);

  const confirm = () => void (isAllowed && run(onConfirm));
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => (!isRunning || isLong) && onOpenChange(next)}
      // What had the focus before may be gone by what was confirmed.
      onOpenChangeComplete={findFocusAfter}
    >
      <AlertDialog.Portal>
        {/* Above the dialog that it may ask about. */}
        <AlertDialog.Backdrop forceRender className={clsx(backdropClass, 'z-50!')} />
        <AlertDialog.Viewport className="fixed inset-0 z-50 grid grid-cols-1 place-items-center p-4 phone:items-end phone:p-0">
          <AlertDialog.Popup
            finalFocus={() => focusAfter?.() ?? true}
            onKeyDown={leadTabRound}
            style={{ maxWidth: width }}
            className="w-full sm:max-w-[440px] rounded-card bg-card p-5 shadow-float outline-none phone:rounded-b-none transition-[opacity,scale] duration-150 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0"
          >
            <form
              onSubmit={(event) => {
                event.preventDefault();
                confirm();
              }}
            >
              <DialogTitle open={open}>{title}</DialogTitle>
              <AlertDialog.Description render={<div />} className="mt-2 text-muted">
                {children}
              </AlertDialog.Description>
              {typeToConfirm !== undefined && (
                <Field
                  label={t.rich('confirm.typeName', {
                    name: typeToConfirm,
                    code: (chunks) => <code className="font-mono text-danger select-all">{chunks}</code>,
                  })}
                  className="mt-4"
                >
                  <TextInput
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                    autoComplete="off"
                    spellCheck={false}
                    mono
                  />
                </Field>
              )}
              {(isLong || failure) && (
                <div className="mt-3">{failure ? <FailureLine failure={failure} /> : <LongWaitLine />}</div>
              )}
              <div className="mt-5 flex justify-end gap-2 phone:[&>*]:flex-1">
                <AlertDialog.Close
                  render={<Button ref={close}>{cancelLabel ?? t(isQuestion ? 'cancel' : 'close')}</Button>}
                />
                {isQuestion && (
                  <Button type="submit" variant={tone} loading={isRunning} disabled={!isAllowed}>
                    {confirmLabel}
                  </Button>
                )}
              </div>
            </form>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
