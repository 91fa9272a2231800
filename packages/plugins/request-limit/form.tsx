import { RATE_LIMIT_MAX } from '@cordon/contract/constants';
import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { EVERY_PATH, LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import type { RequestLimitConfig } from './schema.ts';

/** What counts, how much is too much and what follows, read from top to bottom. */
export default function RequestLimitForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PluginFormProps<RequestLimitConfig>) {
  const { Text, Row, Number: NumberBlock, Seconds, Duration, Switch, Note } = ui;
  const set = (change: Partial<RequestLimitConfig>) => onChange({ ...value, ...change });
  const state = (name: keyof RequestLimitConfig) => ({ error: errors[name], disabled });
  return (
    <>
      <Text
        {...state('banpath')}
        required
        label={t('fields.banpath.label')}
        hint={t('fields.banpath.hint')}
        isCode
        choices={[
          { value: EVERY_PATH, label: t('form.everything') },
          { value: LOGIN_PATHS, label: t('form.loginPages') },
        ]}
        value={value.banpath}
        onChange={(banpath) => set({ banpath })}
      />
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
      <Switch
        {...state('only_dynamic')}
        label={t('fields.only_dynamic.label')}
        hint={t('fields.only_dynamic.hint')}
        checked={value.only_dynamic}
        onChange={(onlyDynamic) => set({ only_dynamic: onlyDynamic })}
      />
      <Note tone="info" text={t('form.client')} />
    </>
  );
}
