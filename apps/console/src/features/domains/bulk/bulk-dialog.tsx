import { ApiError, type BulkAction, type RouteSelection } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { useGroupName, useGroups } from '../../../domain/data/group-queries';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { Field } from '../../../ui/field';
import { Select } from '../../../ui/select';
import { Textarea } from '../../../ui/text-input';

export type BulkChoice = 'deploy' | 'deactivate' | 'delete' | 'move';

export interface BulkDialogProps {
  choice: BulkChoice;
  selection: RouteSelection;
  count: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: (batchId: string) => void;
}

const NOTE_CHARACTERS_MAX = 500;

/** The question before something is done to many domains; then the batch runs without this browser. */
export default function BulkDialog({ choice, selection, count, open, onOpenChange, onStarted }: BulkDialogProps) {
  const t = useTranslations('bulk.confirm');
  const groups = useGroups();
  const nameOf = useGroupName();
  const [note, setNote] = useState('');
  const [groupId, setGroupId] = useState<string>();
  const key = useRef(crypto.randomUUID());
  const start = useMutation({
    mutationFn: async () => {
      const action: BulkAction = choice === 'move' ? 'move_group' : choice;
      const { result } = await api.bulkRoutes({
        body: {
          action,
          selection,
          ...(choice === 'deploy' && note.trim() !== '' ? { note: note.trim() } : {}),
          ...(choice === 'move' ? { group_id: groupId ?? groups?.[0]?.id } : {}),
        },
        idempotencyKey: key.current,
      });
      return result;
    },
    onSuccess: (batch) => onStarted(batch.id),
    onSettled: (_batch, error) => {
      // Without an answer it may have begun: sent again, it is the same.
      if (!(error instanceof ApiError) || error.status > 0) key.current = crypto.randomUUID();
    },
  });
  const confirm = {
    open,
    onOpenChange,
    title: t(`${choice}.title`, { count }),
    confirmLabel: t(`${choice}.confirm`),
    onConfirm: () => start.mutateAsync(),
  };
  if (choice === 'deploy')
    return (
      <ConfirmDialog {...confirm}>
        <p>{t('deploy.body')}</p>
        <Field label={t('deploy.note')} hint={t('deploy.noteHint')} className="mt-4 text-ink">
          <Textarea
            value={note}
            maxLength={NOTE_CHARACTERS_MAX}
            rows={2}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
      </ConfirmDialog>
    );
  if (choice === 'move')
    return (
      <ConfirmDialog {...confirm}>
        <Field label={t('move.group')} className="mt-2 text-ink">
          <Select
            options={groups?.map((group) => ({ value: group.id, label: nameOf(group) })) ?? []}
            value={groupId ?? groups?.[0]?.id}
            onValueChange={setGroupId}
          />
        </Field>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog {...confirm} tone="danger" {...(choice === 'delete' ? { typeToConfirm: t('delete.word') } : {})}>
      {t(`${choice}.body`)}
    </ConfirmDialog>
  );
}
