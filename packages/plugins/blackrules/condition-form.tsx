import type { PluginNotice } from '@cordon/plugin-kit';
import { errorsBelow, type PluginFormAction, type PluginFormProps, remarksOn } from '@cordon/plugin-kit/form';
import {
  changeCondition,
  FIELDS,
  type Field,
  isNamed,
  isText,
  NAMED_TESTS,
  TEXT_TESTS,
  type Test,
} from './new-parts.ts';
import type { BlackrulesConfig, Condition } from './schema.ts';

type FormParts = Pick<PluginFormProps<BlackrulesConfig>, 't' | 'ui' | 'disabled'>;

export interface ConditionFormProps extends FormParts {
  readonly value: Condition;
  readonly errors: Readonly<Record<string, string>>;
  readonly notices: readonly PluginNotice[];
  onChange(value: Condition): void;
  onRemove: (() => void) | undefined;
}

function testsOf(field: Field): readonly Test[] {
  if (isNamed(field)) return NAMED_TESTS;
  return isText(field) ? TEXT_TESTS : ['in'];
}

const testOf = (condition: Condition): Test => ('test' in condition ? condition.test : 'in');

/** A number of an AS, written with or without its letters; what is none stays as it was typed, and its error says so. */
const asnOf = (text: string) => (/^(?:AS)?\d+$/i.test(text) ? Number(text.replace(/^AS/i, '')) : (text as never));

/** What the condition compares with. */
function Values({ value, errors, notices, onChange, t, ui, disabled }: ConditionFormProps) {
  const { List, Text, Countries } = ui;
  if ('pattern' in value)
    return (
      <Text
        hideLabel
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
  const list = {
    hideLabel: true,
    label: t('form.values'),
    error: errors.values,
    errors: errorsBelow(errors, 'values'),
    disabled,
  };
  if (value.field === 'country')
    return <Countries {...list} value={value.values} onChange={(values) => onChange({ ...value, values })} />;
  if (value.field === 'asn')
    return (
      <List
        {...list}
        placeholder="AS64496"
        value={value.values.map(String)}
        onChange={(values) => onChange({ ...value, values: values.map(asnOf) })}
      />
    );
  return (
    <List
      {...list}
      placeholder={t(`form.placeholders.${value.field}`)}
      isLive={value.field !== 'address'}
      remarks={remarksOn({ notices, t }, 'values')}
      value={value.values}
      onChange={(values) => onChange({ ...value, values })}
    />
  );
}

/** Which field of the request; of fields that there are many of, its name too. */
function What({ value, errors, onChange, t, ui, disabled }: ConditionFormProps) {
  const { Select, Text } = ui;
  return (
    <>
      <Select
        hideLabel
        label={t('form.field')}
        value={value.field}
        disabled={disabled}
        options={FIELDS.map((one) => ({ value: one, label: t(`form.fields.${one}`) }))}
        onChange={(next) => onChange(changeCondition(value, next as Field, testOf(value)))}
      />
      {'name' in value && (
        <Text
          hideLabel
          label={t(`form.names.${value.field}`)}
          isCode
          value={value.name}
          error={errors.name}
          disabled={disabled}
          placeholder={t(`form.placeholders.name_${value.field}`)}
          onChange={(name) => onChange({ ...value, name })}
        />
      )}
    </>
  );
}

function actionsOf({ value, onChange, onRemove, t, disabled }: ConditionFormProps): PluginFormAction[] {
  const actions: PluginFormAction[] = [];
  if ('ignore_case' in value)
    actions.push({
      label: t('form.ignoreCase'),
      icon: 'letter-case',
      isPressed: value.ignore_case,
      disabled,
      onPress: () => onChange({ ...value, ignore_case: !value.ignore_case }),
    });
  if (onRemove) actions.push({ label: t('form.removeCondition'), icon: 'remove', disabled, onPress: onRemove });
  return actions;
}

/** One condition in a line: which field, how it is compared, and with what. */
export function ConditionForm(props: ConditionFormProps) {
  const { value, errors, onChange, t, ui, disabled } = props;
  const { Line, Select } = ui;
  const { field, not } = value;
  return (
    <Line
      label={t(`form.fields.${field}`)}
      what={<What {...props} />}
      how={
        <Select
          hideLabel
          label={t('form.test')}
          value={`${not ? 'not_' : ''}${testOf(value)}`}
          disabled={disabled}
          options={['', 'not_'].flatMap((prefix) =>
            testsOf(field).map((one) => ({ value: `${prefix}${one}`, label: t(`form.tests.${prefix}${one}`) })),
          )}
          onChange={(next) => {
            const changed = changeCondition(value, field, next.replace(/^not_/, '') as Test);
            onChange({ ...changed, not: next.startsWith('not_') });
          }}
        />
      }
      actions={actionsOf(props)}
      error={errors['']}
    >
      <Values {...props} />
    </Line>
  );
}
