import type { PluginFormUi } from '@cordon/plugin-kit/form';
import { lazy, Suspense } from 'react';
import { Switch } from '../../ui/choice';
import { Field } from '../../ui/field';
import { NumberInput } from '../../ui/number-input';
import { RowsInput } from '../../ui/rows-input';
import { Select } from '../../ui/select';
import { Skeleton } from '../../ui/states';
import { TagListInput } from '../../ui/tag-list-input';
import { TextInput } from '../../ui/text-input';
import { Callout } from '../form/callout';

/** With its list of countries and the box to search it, for the few forms that ask. */
const CountryInput = lazy(() => import('../../ui/country-input'));

/** The design system in the shape that plugins' forms are written against. */
export const pluginFormUi: PluginFormUi = {
  Switch: ({ label, hint, error, checked, onChange, disabled }) => (
    <div>
      <Switch
        label={label}
        hint={hint}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        end
      />
      {error && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  ),
  Text: ({ label, hint, error, value, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error}>
      <TextInput
        value={value}
        onChange={(event) => onChange(event.target.value)}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  ),
  Number: ({ label, hint, error, value, min, max, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error} className="max-w-48">
      <NumberInput
        value={Number.isFinite(value) ? value : null}
        onValueChange={(next) => onChange(next ?? Number.NaN)}
        min={min}
        max={max}
        disabled={disabled}
      />
    </Field>
  ),
  Select: ({ label, hint, error, value, options, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error}>
      <Select options={options} value={value} onValueChange={onChange} disabled={disabled} />
    </Field>
  ),
  List: ({ label, hint, error, errors, placeholder, value, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error}>
      <TagListInput
        value={value}
        onValueChange={onChange}
        errorOf={(_, index) => errors?.[String(index)]}
        placeholder={placeholder}
        disabled={disabled}
      />
    </Field>
  ),
  Countries: ({ label, hint, error, errors, value, onChange, disabled }) => (
    <Field label={label} hint={hint} error={error ?? Object.values(errors ?? {})[0]}>
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
        disabled={disabled}
      />
      {error && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </div>
  ),
  Section: ({ label, hint, children }) => (
    <section className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">{label}</h3>
        {hint && <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      </div>
      {children}
    </section>
  ),
  Note: ({ tone, text }) => <Callout tone={tone}>{text}</Callout>,
};
