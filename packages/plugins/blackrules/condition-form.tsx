import { errorsBelow, type PluginFormProps } from '@cordon/plugin-kit/form';
import { changeCondition, FIELDS, type Field, isNamed, isText, NAMED_TESTS, TEXT_TESTS } from './new-parts.ts';
import type { BlackrulesConfig, Condition } from './schema.ts';

type FormParts = Pick<PluginFormProps<BlackrulesConfig>, 't' | 'ui' | 'disabled'>;

export interface ConditionFormProps extends FormParts {
  readonly value: Condition;
  readonly errors: Readonly<Record<string, string>>;
  onChange(value: Condition): void;
  onRemove: (() => void) | undefined;
}

const TESTS_OF_LIST = ['in'] as const;

function testsOf(field: Field): readonly string[] {
  if (isNamed(field)) return NAMED_TESTS;
  return isText(field) ? TEXT_TESTS : TESTS_OF_LIST;
}

const testOf = (condition: Condition): string => ('test' in condition ? condition.test : 'in');

/** What the condition compares with. */
function Values({ value, errors, onChange, t, ui, disabled }: ConditionFormProps) {
  const { List, Text, Countries, Switch } = ui;
  if ('pattern' in value)
    return (
      <Text
        label={t('form.pattern')}
        hint={t('form.patternHint')}
        isCode
        value={value.pattern}
        error={errors.pattern}
        disabled={disabled}
        onChange={(pattern) => onChange({ ...value, pattern })}
      />
    );
  if (!('values' in value)) return null;
  const list = { label: t('form.values'), error: errors.values, errors: errorsBelow(errors, 'values'), disabled };
  if (value.field === 'country')
    return <Countries {...list} value={value.values} onChange={(values) => onChange({ ...value, values })} />;
  if (value.field === 'asn')
    return (
      <List
        {...list}
        placeholder="AS64496"
        value={value.values.map(String)}
        // What is no number stays as it was typed, and its error says so.
        onChange={(values) =>
          onChange({ ...value, values: values.map((text) => Number(text.replace(/^AS/i, '')) || (text as never)) })
        }
      />
    );
  return (
    <>
      <List
        {...list}
        placeholder={t(`form.placeholders.${value.field}`)}
        value={value.values}
        onChange={(values) => onChange({ ...value, values })}
      />
      {'ignore_case' in value && (
        <Switch
          label={t('form.ignoreCase')}
          checked={value.ignore_case}
          disabled={disabled}
          onChange={(ignores) => onChange({ ...value, ignore_case: ignores })}
        />
      )}
    </>
  );
}

/** One condition: which field, how it is compared, and with what. */
export function ConditionForm(props: ConditionFormProps) {
  const { value, errors, onChange, onRemove, t, ui, disabled } = props;
  const { Group, Select, Text } = ui;
  const { field, not } = value;
  const test = testOf(value);
  return (
    <Group
      label={t(`form.fields.${field}`)}
      actions={onRemove ? [{ label: t('form.removeCondition'), icon: 'remove', disabled, onPress: onRemove }] : []}
      head={
        <>
          <Select
            label={t('form.field')}
            value={field}
            disabled={disabled}
            options={FIELDS.map((one) => ({ value: one, label: t(`form.fields.${one}`) }))}
            onChange={(next) => onChange(changeCondition(value, next as Field, test as never))}
          />
          <Select
            label={t('form.test')}
            value={`${not ? 'not_' : ''}${test}`}
            disabled={disabled}
            options={['', 'not_'].flatMap((prefix) =>
              testsOf(field).map((one) => ({ value: `${prefix}${one}`, label: t(`form.tests.${prefix}${one}`) })),
            )}
            onChange={(next) => {
              const changed = changeCondition(value, field, next.replace(/^not_/, '') as never);
              onChange({ ...changed, not: next.startsWith('not_') });
            }}
          />
        </>
      }
    >
      {'name' in value && (
        <Text
          label={t(`form.names.${value.field}`)}
          isCode
          value={value.name}
          error={errors.name}
          disabled={disabled}
          placeholder={t(`form.placeholders.name_${value.field}`)}
          onChange={(name) => onChange({ ...value, name })}
        />
      )}
      <Values {...props} />
    </Group>
  );
}
