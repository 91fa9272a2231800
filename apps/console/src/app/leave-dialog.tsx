import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { endDiscardQuestions } from '../ui/closing';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { lastEditedField } from '../ui/unsaved-changes';
import { useLeaveQuestion } from './leave-question';

interface LeaveDialogProps {
  open: boolean;
  /** Closed, it was answered with no, unless with yes before. */
  onOpenChange: (open: boolean) => void;
}

/** The question of `askToLeave`. */
export default function LeaveDialog({ open, onOpenChange }: LeaveDialogProps) {
  const t = useTranslations('ui');
  const answer = useLeaveQuestion();
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!open) return;
    isLeaving.current = false;
    endDiscardQuestions();
  }, [open]);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.keep')}
      tone="danger"
      onConfirm={() => {
        isLeaving.current = true;
        answer?.(true);
      }}
      focusAfter={() => (isLeaving.current ? undefined : lastEditedField())}
    >
      {t('unsaved.body')}
    </ConfirmDialog>
  );
}
