import { RATE_LIMIT_MAX } from '@cordon/contract/constants';
import type { PluginFormProps } from '@cordon/plugin-kit/form';
import type { CrowdsecCaptchaConfig } from './schema.ts';

/** How much is too much, what visitors have to do then, and for how long. */
export default function CrowdsecCaptchaForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PluginFormProps<CrowdsecCaptchaConfig>) {
  const { Choice, Row, Number: NumberBlock, Seconds, Duration, Note } = ui;
  const set = (change: Partial<CrowdsecCaptchaConfig>) => onChange({ ...value, ...change });
  const state = (name: keyof CrowdsecCaptchaConfig) => ({ error: errors[name], disabled });
  return (
    <>
      <Row label={t('form.limit')} hint={t('form.counted')}>
        <NumberBlock
          {...state('maxretry')}
          label={t('fields.maxretry.label')}
          min={2}
          max={RATE_LIMIT_MAX.maxretry}
          value={value.maxretry}
          onChange={(maxretry) => set({ maxretry })}
        />
        <Seconds
          {...state('findtime')}
          label={t('fields.findtime.label')}
          min={1}
          max={RATE_LIMIT_MAX.findtime}
          value={value.findtime}
          onChange={(findtime) => set({ findtime })}
        />
      </Row>
      <Duration
        {...state('bantime')}
        label={t('fields.bantime.label')}
        value={value.bantime}
        onChange={(bantime) => set({ bantime })}
      />
      <Choice
        {...state('mode')}
        label={t('fields.mode.label')}
        hint={t('fields.mode.hint')}
        value={value.mode}
        options={(['js', 'puzzle'] as const).map((mode) => ({
          value: mode,
          label: t(`fields.mode.options.${mode}`),
          hint: t(`form.modeHints.${mode}`),
        }))}
        onChange={(mode) => set({ mode: mode as CrowdsecCaptchaConfig['mode'] })}
      />
      <Note tone="info" text={t('form.client')} />
    </>
  );
}
