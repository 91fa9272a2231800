import type { PluginNotice } from '@cordon/plugin-kit';
import { errorsAt, noticesBelow, type PluginFormProps } from '@cordon/plugin-kit/form';
import { useKeys } from '@cordon/plugin-kit/use-keys';
import { useState } from 'react';
import { ConditionForm } from './condition-form.tsx';
import { isGroup, newCondition, newGroup } from './new-parts.ts';
import { type BlackrulesConfig, CONDITIONS_MAX, type Group, type Part } from './schema.ts';

/** Groups within groups. */
const DEPTH_MAX = 3;

interface GroupFormProps extends Pick<PluginFormProps<BlackrulesConfig>, 't' | 'ui' | 'disabled'> {
  readonly value: Group;
  readonly depth?: number;
  readonly errors: Readonly<Record<string, string>>;
  /** By their paths below the group. */
  readonly notices: readonly PluginNotice[];
  onChange(value: Group): void;
  onRemove?: (() => void) | undefined;
}

/** Conditions of which all or any have to hold, groups of conditions among them. */
export function GroupForm({ value, depth = 1, errors, notices, onChange, onRemove, ...parts }: GroupFormProps) {
  const { t, ui, disabled } = parts;
  const { Group: Frame, Select } = ui;
  const { conditions } = value;
  const own = useKeys(conditions.length);
  const setParts = (parts: readonly Part[]) => onChange({ ...value, conditions: [...parts] });
  const add = (part: Part) => setParts([...conditions, part]);
  const [removed, setRemoved] = useState<{ part: Part; index: number }>();
  function remove(index: number) {
    own.remove(index);
    setRemoved({ part: conditions[index] as Part, index });
    setParts(conditions.filter((_, at) => at !== index));
  }
  function restore() {
    if (!removed) return;
    const { part, index } = removed;
    own.add(index);
    setRemoved(undefined);
    setParts([...conditions.slice(0, index), part, ...conditions.slice(index)]);
  }
  const isFull = disabled || conditions.length >= CONDITIONS_MAX;
  return (
    <Frame
      label={t(`form.matches.${value.not ? 'not_' : ''}${value.match}`)}
      error={errors.conditions ?? errors['']}
      join={t(`form.joins.${value.match}`)}
      head={
        <Select
          hideLabel={depth > 1}
          label={t('fields.black_rules.when.label')}
          value={`${value.not ? 'not_' : ''}${value.match}`}
          disabled={disabled}
          options={['all', 'any', 'not_all', 'not_any'].map((one) => ({ value: one, label: t(`form.matches.${one}`) }))}
          onChange={(next) =>
            onChange({ ...value, not: next.startsWith('not_'), match: next.endsWith('all') ? 'all' : 'any' })
          }
        />
      }
      undo={
        removed && !isFull
          ? {
              text: t(isGroup(removed.part) ? 'form.removedGroup' : 'form.removedCondition'),
              label: t('form.undo'),
              index: Math.min(removed.index, conditions.length),
              onUndo: restore,
            }
          : undefined
      }
      actions={[
        { label: t('form.addCondition'), icon: 'add', disabled: isFull, onPress: () => add(newCondition()) },
        ...(depth < DEPTH_MAX
          ? [{ label: t('form.addGroup'), icon: 'add' as const, disabled: isFull, onPress: () => add(newGroup()) }]
          : []),
        ...(onRemove ? [{ label: t('form.removeGroup'), icon: 'remove' as const, disabled, onPress: onRemove }] : []),
      ]}
    >
      {conditions.map((part, index) => {
        const shared = {
          errors: errorsAt(errors, `conditions.${index}`),
          notices: noticesBelow(notices, `conditions.${index}`),
          onRemove: conditions.length > 1 ? () => remove(index) : undefined,
          ...{ t, ui, disabled },
        };
        const set = (next: Part) => setParts(conditions.map((one, at) => (at === index ? next : one)));
        return isGroup(part) ? (
          <GroupForm key={own.keys[index]} {...shared} value={part} depth={depth + 1} onChange={set} />
        ) : (
          <ConditionForm key={own.keys[index]} {...shared} value={part} onChange={set} />
        );
      })}
    </Frame>
  );
}
