import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { EVERY_PATH, LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import type { ChallengeConfig } from './schema.ts';

/** What visitors have to do, where, and how long it holds. */
export default function ChallengeForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
  features,
}: PluginFormProps<ChallengeConfig>) {
  const { Choice, Text, Duration, Note } = ui;
  const set = (change: Partial<ChallengeConfig>) => onChange({ ...value, ...change });
  const field = (name: keyof ChallengeConfig) => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    disabled,
  });
  return (
    <>
      <Choice
        {...field('mode')}
        value={value.mode}
        options={(['js', 'puzzle', 'google_recaptcha'] as const).map((mode) => {
          const isMissing = mode === 'google_recaptcha' && features?.includes('recaptcha') === false;
          return {
            value: mode,
            label: t(`fields.mode.options.${mode}`),
            hint: t(isMissing ? 'form.recaptchaMissing' : `form.modeHints.${mode}`),
            disabled: isMissing && value.mode !== mode,
          };
        })}
        onChange={(mode) => set({ mode: mode as ChallengeConfig['mode'] })}
      />
      <Text
        {...field('path')}
        required
        isCode
        choices={[
          { value: EVERY_PATH, label: t('form.everything') },
          { value: LOGIN_PATHS, label: t('form.loginPages') },
        ]}
        value={value.path}
        onChange={(path) => set({ path })}
      />
      <Duration {...field('pass_time')} value={value.pass_time} onChange={(passTime) => set({ pass_time: passTime })} />
      <Note tone="info" text={t('form.exceptions')} />
    </>
  );
}
