import { errorsBelow, type PluginFormProps } from './form.ts';
import {
  type HeaderConfig,
  type HeaderEntry,
  type HeaderSuggestion,
  suggestHeaders,
  type WarnOfHeader,
} from './header-suggestions.ts';

const LIST = 'add.headers';

/** Form of the plugins with a list of header fields: the rows, what is to be known about them, and what many add. */
export function HeaderForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
  suggestions,
  warn,
}: PluginFormProps<HeaderConfig> & {
  readonly suggestions: readonly HeaderSuggestion[];
  readonly warn?: WarnOfHeader;
}) {
  const { Section, Rows, Note, Suggestions } = ui;
  const { headers } = value.add;
  const warnings = headers.flatMap((header) => warn?.(header) ?? []);
  const set = (next: readonly HeaderEntry[]) => onChange({ ...value, add: { ...value.add, headers: next } });
  return (
    <>
      <Section label={t('fields.add.label')} hint={t('fields.add.hint')}>
        <Rows
          label={t(`fields.${LIST}.label`)}
          hint={t(`fields.${LIST}.hint`)}
          error={errors[LIST]}
          disabled={disabled}
          columns={['name', 'value'].map((name) => ({ name, label: t(`fields.${LIST}.${name}.label`) }))}
          value={headers.map(({ name, value }) => ({ name, value }))}
          errors={errorsBelow(errors, LIST)}
          onChange={(rows) => set(rows.map(({ name = '', value = '' }) => ({ name, value })))}
        />
        {warnings.map(({ message, params }) => (
          <Note key={message} tone="warning" text={t(message, params)} />
        ))}
      </Section>
      <Suggestions
        label={t('suggestions.label')}
        hint={t('suggestions.hint')}
        disabled={disabled}
        items={suggestHeaders(suggestions, headers, t, set)}
      />
    </>
  );
}
