import type { Group } from '@cordon/contract';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { useCreateGroup, useGroupName } from '../../../domain/data/group-queries';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/field';
import { useLeadToError } from '../../../ui/lead-to-error';
import { Select } from '../../../ui/select';
import { joinSentences } from '../../../ui/sentences';
import { TextInput } from '../../../ui/text-input';

interface GroupChoiceProps {
  groups: readonly Group[];
  value: string | undefined;
  /** What is wrong with the group that was chosen. */
  error: string | undefined;
  onValueChange: (groupId: string) => void;
}

/** A group to move to: one that there is, or one that is made here. */
export function GroupChoice({ groups, value, error: valueError, onValueChange }: GroupChoiceProps) {
  const t = useTranslations('bulk.confirm.move_group');
  const errorList = useSaveErrorList();
  const nameOf = useGroupName();
  const create = useCreateGroup();
  const element = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(element);
  const [name, setName] = useState('');
  const failure = useStandingError(create.error, name);
  const error = failure ? (fieldTexts(failure).name ?? joinSentences(errorList(failure))) : undefined;
  function add() {
    if (name.trim() === '' || create.isPending) return;
    create.mutate(name.trim(), {
      onSuccess(group) {
        setName('');
        onValueChange(group.id);
      },
      onError: leadToError,
    });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // The form around it asks about the move.
    event.preventDefault();
    add();
  }
  return (
    <div ref={element} className="mt-2 flex flex-col gap-3 text-ink">
      <Field label={t('group')} error={valueError}>
        <Select
          options={groups.map((group) => ({ value: group.id, label: nameOf(group) }))}
          value={value}
          onValueChange={onValueChange}
          placeholder={t('choose')}
        />
      </Field>
      <div className="flex items-start gap-2">
        <Field label={t('newGroup')} hideLabel error={error} className="min-w-40 flex-1">
          <TextInput
            value={name}
            maxLength={100}
            placeholder={t('newGroup')}
            onChange={(event) => {
              setName(event.target.value);
              create.reset();
            }}
            onKeyDown={onKeyDown}
          />
        </Field>
        <Button
          icon={<Plus size={16} aria-hidden />}
          loading={create.isPending}
          disabled={name.trim() === ''}
          onClick={add}
        >
          {t('add')}
        </Button>
      </div>
    </div>
  );
}
