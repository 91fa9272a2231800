import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { useState } from 'react';
import type { BanConfig } from './schema.ts';

const toText = (seconds: number): string => {
  const { number, unit } = durationParams(seconds);
  return `${Number.isFinite(number) ? number : ''}${unit}`;
};

/** How long a ban lasts, in the unit that the customer thinks in. */
export default function BanForm({ value, onChange, errors, t, ui, disabled }: PluginFormProps<BanConfig>) {
  const { Duration } = ui;
  // As it is written: 60 minutes stay 60 minutes while they are typed.
  const [text, setText] = useState(() => toText(value.default_timeout));
  const seconds = durationSeconds(text) ?? Number.NaN;
  return (
    <Duration
      label={t('fields.default_timeout.label')}
      hint={t('fields.default_timeout.hint')}
      error={errors.default_timeout}
      disabled={disabled}
      value={Object.is(seconds, value.default_timeout) ? text : toText(value.default_timeout)}
      onChange={(next) => {
        setText(next);
        onChange({ ...value, default_timeout: durationSeconds(next) ?? Number.NaN });
      }}
    />
  );
}
