import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { lastEditedField } from '../ui/unsaved-changes';
import { useLeaveQuestion } from './leave-question';

/** The question of `askToLeave`. */
export default function LeaveDialog() {
  const t = useTranslations('ui');
  const answer = useLeaveQuestion();
  const isLeaving = useRef(false);
  useEffect(() => {
    if (answer !== undefined) isLeaving.current = false;
  }, [answer]);
  return (
    <ConfirmDialog
      open={answer !== undefined}
      onOpenChange={(open) => !open && answer?.(false)}
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
