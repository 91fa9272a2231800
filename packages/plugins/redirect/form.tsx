import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { locationOf, prepareRedirect } from './edge.ts';
import { type RedirectConfig, schema } from './schema.ts';

/** Of the example; any path and query would do. */
const EXAMPLE = { path: '/shop/shoes', query: 'page=2' } as const;

/** Address and "keep path", with where one visitor would really end. */
export default function RedirectForm({ value, onChange, errors, t, ui, disabled }: PluginFormProps<RedirectConfig>) {
  const { Switch, Text, Note } = ui;
  const field = (name: keyof RedirectConfig) => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    disabled,
  });
  const parsed = schema.safeParse(value);
  return (
    <>
      <Text
        {...field('redirect_url')}
        required
        value={value.redirect_url ?? ''}
        onChange={(url) => onChange({ ...value, redirect_url: url })}
      />
      <Switch
        {...field('preserve_path')}
        checked={value.preserve_path}
        onChange={(preserve) => onChange({ ...value, preserve_path: preserve })}
      />
      {parsed.success && (
        <Note
          tone="info"
          text={t('form.example', {
            from: `${EXAMPLE.path}?${EXAMPLE.query}`,
            to: locationOf(prepareRedirect(parsed.data), EXAMPLE.path, EXAMPLE.query),
          })}
        />
      )}
    </>
  );
}
