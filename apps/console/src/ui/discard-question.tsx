import { useTranslations } from 'use-intl';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog';

export interface DiscardQuestionProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDiscard: () => void;
  focusAfter?: ConfirmDialogProps['focusAfter'];
}

/** Asks before what was typed is thrown away. */
export function DiscardQuestion({ open, onOpenChange, onDiscard, focusAfter }: DiscardQuestionProps) {
  const t = useTranslations('ui');
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.keep')}
      tone="danger"
      onConfirm={onDiscard}
      focusAfter={focusAfter}
    >
      {t('unsaved.body')}
    </ConfirmDialog>
  );
}
