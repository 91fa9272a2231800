import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { useLeaveQuestion } from './leave-question';

/** The question of `askToLeave`. */
export function LeaveDialog() {
  const t = useTranslations('ui');
  const answer = useLeaveQuestion();
  return (
    <ConfirmDialog
      open={answer !== undefined}
      onOpenChange={(open) => !open && answer?.(false)}
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.keep')}
      tone="danger"
      onConfirm={() => answer?.(true)}
    >
      {t('unsaved.body')}
    </ConfirmDialog>
  );
}
