import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { EVERY_PATH } from '@cordon/plugin-kit/path-patterns';
import { samples } from './samples.ts';
import type { SeclinkConfig } from './schema.ts';

const DOWNLOAD_PATHS = '^/download/';

/** What needs a signed link, with which secret, for how long, and how a site signs one. */
export default function SeclinkForm({ value, onChange, errors, t, ui, disabled }: PluginFormProps<SeclinkConfig>) {
  const { Text, Secret, Row, Number: NumberBlock, Seconds, Section, Code } = ui;
  const set = (change: Partial<SeclinkConfig>) => onChange({ ...value, ...change });
  const state = (name: keyof SeclinkConfig) => ({ error: errors[name], disabled });
  const field = (name: keyof SeclinkConfig) => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    ...state(name),
  });
  return (
    <>
      <Text
        {...field('path')}
        required
        isCode
        choices={[
          { value: EVERY_PATH, label: t('form.everything') },
          { value: DOWNLOAD_PATHS, label: t('form.downloads') },
        ]}
        value={value.path}
        onChange={(path) => set({ path })}
      />
      <Secret
        {...field('api_secret')}
        required
        value={value.api_secret}
        onChange={(secret) => set({ api_secret: secret })}
      />
      <Row label={t('form.times')} hint={t('form.timesHint')}>
        <NumberBlock
          {...state('sleep_seconds')}
          label={t('form.wait')}
          min={0}
          max={60}
          unit={t('form.seconds')}
          value={value.sleep_seconds}
          onChange={(seconds) => set({ sleep_seconds: seconds })}
        />
        <Seconds
          {...state('expire_seconds')}
          label={t('fields.expire_seconds.label')}
          min={1}
          max={604_800}
          value={value.expire_seconds}
          onChange={(seconds) => set({ expire_seconds: seconds })}
        />
      </Row>
      <Section label={t('form.sign')} hint={t('form.signHint')}>
        <Code label={t('form.language')} hint={t('form.environment')} samples={samples()} />
      </Section>
    </>
  );
}
