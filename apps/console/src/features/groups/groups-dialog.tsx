import type { Group } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Folder, Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, fieldTexts } from '../../app/failure';
import {
  groupsOptions,
  useCreateGroup,
  useDeleteGroup,
  useGroupName,
  useRenameGroup,
} from '../../domain/data/group-queries';
import { useStandingError } from '../../domain/form/use-standing-error';
import { useSaveErrorList } from '../../domain/words/error-words';
import { Button, IconButton } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { useLeadToError } from '../../ui/lead-to-error';
import { joinSentences } from '../../ui/sentences';
import { ErrorState, Skeleton } from '../../ui/states';
import { TextInput } from '../../ui/text-input';

interface NameFormProps {
  label: string;
  initial: string;
  submitLabel: string;
  error: unknown;
  isPending: boolean;
  onSubmit: (name: string) => Promise<unknown>;
  onCancel?: () => void;
}

/** One line with a name; what is wrong is said at the field. */
function NameForm({ label, initial, submitLabel, error, isPending, onSubmit, onCancel }: NameFormProps) {
  const t = useTranslations('groups');
  const errorList = useSaveErrorList();
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const [name, setName] = useState(initial);
  const failure = useStandingError(error, name);
  const message = failure ? (fieldTexts(failure).name ?? joinSentences(errorList(failure))) : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(name.trim()).then(
      () => setName(initial),
      () => leadToError(),
    );
  }
  return (
    <form ref={element} onSubmit={submit} className="flex w-full flex-wrap items-start gap-2">
      <Field label={label} hideLabel error={message} className="min-w-40 flex-1">
        <TextInput
          value={name}
          maxLength={100}
          placeholder={label}
          onChange={(event) => setName(event.target.value)}
          autoFocus={onCancel !== undefined}
        />
      </Field>
      <Button
        type="submit"
        loading={isPending}
        disabled={name.trim() === ''}
        icon={!onCancel && <Plus size={16} aria-hidden />}
      >
        {submitLabel}
      </Button>
      {onCancel && (
        <Button variant="ghost" onClick={onCancel}>
          {t('cancel')}
        </Button>
      )}
    </form>
  );
}

function GroupLine({ group, onDelete }: { group: Group; onDelete: () => void }) {
  const t = useTranslations('groups');
  const nameOf = useGroupName();
  const rename = useRenameGroup();
  const [isRenaming, setRenaming] = useState(false);
  const name = nameOf(group);
  if (isRenaming)
    return (
      <NameForm
        label={t('name')}
        initial={name}
        submitLabel={t('save')}
        error={rename.error}
        isPending={rename.isPending}
        onSubmit={async (next) => {
          await rename.mutateAsync({ id: group.id, name: next });
          setRenaming(false);
        }}
        onCancel={() => setRenaming(false)}
      />
    );
  return (
    <>
      <Folder size={18} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="block text-sm text-muted">
          {t('domains', { count: group.domains })}
          {group.default_group && <> · {t('isDefault')}</>}
        </span>
      </span>
      <IconButton
        label={t('rename', { name })}
        icon={<Pencil size={16} aria-hidden />}
        onClick={() => {
          rename.reset();
          setRenaming(true);
        }}
      />
      {!group.default_group && (
        <IconButton label={t('delete', { name })} icon={<Trash2 size={16} aria-hidden />} onClick={onDelete} />
      )}
    </>
  );
}

/** Add, rename and delete groups. */
export default function GroupsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('groups');
  const query = useQuery(groupsOptions);
  const nameOf = useGroupName();
  const create = useCreateGroup();
  const remove = useDeleteGroup();
  const [doomed, setDoomed] = useState<Group>();
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('manage')} description={t('description')}>
      {query.isLoadingError ? (
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
          className="py-4!"
        />
      ) : query.data === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <ul className="-mx-2 max-h-[55dvh] overflow-y-auto">
          {query.data.map((group) => (
            <li
              key={group.id}
              className="flex min-h-14 items-center gap-3 border-b border-line px-2 py-2 last:border-b-0"
            >
              <GroupLine
                group={group}
                onDelete={() => {
                  setDoomed(group);
                  setAsking(true);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 border-t border-line pt-4">
        <NameForm
          label={t('newName')}
          initial=""
          submitLabel={t('add')}
          error={create.error}
          isPending={create.isPending}
          onSubmit={(name) => create.mutateAsync(name)}
        />
      </div>
      {doomed && (
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title={t('confirmTitle', { name: nameOf(doomed) })}
          confirmLabel={t('confirm')}
          tone="danger"
          onConfirm={() => remove.mutateAsync(doomed.id)}
        >
          {t('confirmBody', { count: doomed.domains })}
        </ConfirmDialog>
      )}
    </Dialog>
  );
}
