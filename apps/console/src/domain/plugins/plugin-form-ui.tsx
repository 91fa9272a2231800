import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { PluginFormUi } from '@cordon/plugin-kit/form';
import { Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { RadioCards } from '../../ui/choice';
import { DurationInput } from '../../ui/duration-input';
import { Field, type FieldProps } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { loadedPart } from '../../ui/loaded-part';
import { NumberInput } from '../../ui/number-input';
import { Select } from '../../ui/select';
import { Skeleton } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { TagListInput } from '../../ui/tag-list-input';
import { TextInput } from '../../ui/text-input';
import { Callout } from '../form/callout';

/** With its list of countries and the box to search it, for the few forms that ask. */
const CountryInput = lazyPart(() => import('../../ui/country-input'));
const SecretInput = lazyPart(() => import('./secret-input'));
const SuggestionList = lazyPart(async () => ({ default: (await import('./suggestion-list')).SuggestionList }));
const ChecksInput = lazyPart(() => import('./checks-input'));
const CodeSamples = lazyPart(() => import('./code-samples'));
const RowsInput = lazyPart(async () => ({ default: (await import('./rows-input')).RowsInput }));
const PluginFormGroup = loadedPart(async () => ({ default: (await import('./plugin-form-group')).PluginFormGroup }));
const PluginFormLine = loadedPart(async () => ({ default: (await import('./plugin-form-group')).PluginFormLine }));
/** With what stands in an item: that one opens is not to take the form away for a moment. */
const ItemList = lazyPart(async () => {
  const [list] = await Promise.all([import('./item-list'), PluginFormGroup.load(), PluginFormLine.load()]);
  return { default: list.ItemList };
});

/** A field below its label, or beside it. */
function TextField({ isBeside, ...field }: FieldProps & { isBeside: boolean | undefined }) {
  if (!isBeside) return <Field {...field} />;
  return (
    <div className="grid items-start gap-x-4 gap-y-1.5 sm:grid-cols-2">
      <div aria-hidden>
        <p className="font-medium">{field.label}</p>
        <p className="text-sm text-muted">{field.hint}</p>
      </div>
      <Field {...field} hideLabel hint={field.hint && <span className="sr-only">{field.hint}</span>} />
    </div>
  );
}

const spanOf = (seconds: number): string => {
  const { number, unit } = durationParams(seconds);
  return `${number}${unit}`;
};

/** Seconds in the unit that they are typed in: 60 s become 1 minute only once they are read anew. */
const SecondsField: PluginFormUi['Seconds'] = ({ label, hint, error, value, min, max, onChange, disabled }) => {
  const t = useTranslations('domain.plugin.number');
  const [typed, setTyped] = useState(() => spanOf(value));
  const secondsOf = (text: string) => durationSeconds(text) ?? Number.NaN;
  const bounds = { min: t('length', durationParams(min)), max: t('length', durationParams(max)) };
  const isWithin = value >= min && value <= max;
  return (
    <Field label={label} hint={hint} error={error && !isWithin ? t('span', bounds) : error}>
      <DurationInput
        value={Object.is(secondsOf(typed), value) ? typed : spanOf(value)}
        onValueChange={(text) => {
          setTyped(text);
          onChange(secondsOf(text));
        }}
        disabled={disabled}
      />
    </Field>
  );
};

/** The design system in the shape that plugins' forms are written against. */
export const pluginFormUi: PluginFormUi = {
  Switch: ({ label, hint, error, checked, onChange, disabled }) => {
    const id = useId();
    return (
      <div>
        <Switch
          label={label}
          hint={hint}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && id}
          end
        />
        {error && (
          <p id={id} role="alert" className="mt-1 text-sm text-danger">
            {error}
          </p>
        )}
      </div>
    );
  },
  Text: ({ value, isCode, placeholder, choices, onChange, disabled, ...field }) => (
    <TextField {...field} isBeside={field.isBeside}>
      <TextInput
        value={value}
        onChange={(event) => onChange(event.target.value)}
        disabled={disabled}
        mono={isCode}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {choices && (
        <div className="flex flex-wrap gap-1.5">
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              aria-pressed={choice.value === value}
              disabled={disabled}
              onClick={() => onChange(choice.value)}
              className="h-7 rounded-full border border-line-strong px-3 text-sm font-medium text-muted hover:text-ink aria-pressed:border-primary aria-pressed:bg-soft aria-pressed:text-primary-ink touch:h-10"
            >
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </TextField>
  ),
  Number: ({ label, hint, error, value, min, max, unit, onChange, disabled }) => {
    const t = useTranslations('domain.plugin.number');
    const isEmpty = !Number.isFinite(value);
    const isWithin = Number.isInteger(value) && value >= (min ?? value) && value <= (max ?? value);
    const wanted = min === undefined ? t('any') : max === undefined ? t('from', { min }) : t('between', { min, max });
    return (
      <Field label={label} hint={hint} error={error && !isWithin ? wanted : error} className="max-w-48">
        <NumberInput
          value={isEmpty ? null : value}
          onValueChange={(next) => onChange(next ?? Number.NaN)}
          min={min}
          max={max}
          unit={unit}
          disabled={disabled}
        />
      </Field>
    );
  },
  Duration: ({ label, hint, error, value, onChange, disabled }) => {
    const t = useTranslations('domain.plugin.number');
    // The unit has a list of its own.
    const isEmpty = /^[smhd]?$/.test(value);
    return (
      <Field label={label} hint={hint} error={error && isEmpty ? t('any') : error}>
        <DurationInput value={value} onValueChange={onChange} disabled={disabled} />
      </Field>
    );
  },
  Seconds: SecondsField,
  Select: ({ label, hideLabel, hint, error, value, options, onChange, disabled }) => (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      <Select options={options} value={value} onValueChange={onChange} disabled={disabled} />
    </Field>
  ),
  Choice: ({ label, hint, error, value, options, inOneRow, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error}>
      <RadioCards
        options={options.map(({ hint, ...option }) => ({ ...option, description: hint }))}
        value={value}
        onValueChange={onChange}
        disabled={disabled}
        className={inOneRow ? (options.length === 4 ? 'grid-cols-2' : 'sm:grid-cols-3') : undefined}
      />
    </Field>
  ),
  Checks: (props) => (
    <Suspense fallback={<Skeleton className="h-14 w-full" />}>
      <ChecksInput {...props} />
    </Suspense>
  ),
  List: ({ label, hideLabel, hint, error, errors, placeholder, value, max, remarks, isLive, ...rest }) => (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      <TagListInput
        value={value}
        onValueChange={rest.onChange}
        onTyping={rest.onTyping}
        errorOf={(_, index) => errors?.[String(index)]}
        placeholder={placeholder}
        disabled={rest.disabled}
        max={max}
        compact={hideLabel}
        isLive={isLive}
        remarks={error ? undefined : remarks?.shown}
        moreRemarks={error ? undefined : remarks?.more}
      />
    </Field>
  ),
  Countries: ({ label, hideLabel, hint, error, errors, value, onChange, disabled }) => (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error ?? Object.values(errors ?? {})[0]}>
      <Suspense fallback={<Skeleton className="h-10 w-full" />}>
        <CountryInput value={value} onValueChange={onChange} disabled={disabled} />
      </Suspense>
    </Field>
  ),
  Rows: ({ label, hint, error, columns, value, onChange, errors, disabled }) => (
    <div>
      <RowsInput
        label={label}
        columns={columns}
        rows={value}
        onRowsChange={onChange}
        errorOf={(row, column) => errors?.[`${row}.${column}`]}
        error={error}
        disabled={disabled}
      />
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </div>
  ),
  Secret: (props) => (
    <Suspense fallback={<Skeleton className="h-10 w-full" />}>
      <SecretInput {...props} />
    </Suspense>
  ),
  Code: (props) => (
    <Suspense fallback={<Skeleton className="h-48 w-full" />}>
      <CodeSamples {...props} />
    </Suspense>
  ),
  Suggestions: (props) => (
    <Suspense fallback={<Skeleton className="h-48 w-full" />}>
      <SuggestionList {...props} />
    </Suspense>
  ),
  // As rows, it is most of its form, which is there only with it: the focus is given then.
  Items: (props) => <ItemList {...props} />,
  Group: PluginFormGroup,
  Line: PluginFormLine,
  Section: ({ label, hint, children }) => (
    <section className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">{label}</h3>
        {hint && <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      </div>
      {children}
    </section>
  ),
  Row: ({ label, hint, children }) => {
    const id = useId();
    return (
      <fieldset aria-describedby={hint && id} className="min-w-0">
        <legend className="sr-only">{label}</legend>
        <div className="grid grid-cols-[7rem_1fr] items-start gap-x-4 gap-y-3">{children}</div>
        {hint && (
          <p id={id} className="mt-1.5 text-sm text-muted">
            {hint}
          </p>
        )}
      </fieldset>
    );
  },
  Note: ({ tone, text }) => <Callout tone={tone}>{text}</Callout>,
};
