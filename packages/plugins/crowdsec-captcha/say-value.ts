import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { SayValue } from '@cordon/plugin-kit/form';

/** Spans of time as in the summary. */
export const sayValue: SayValue = (field, value, t) => {
  const seconds =
    field === 'findtime' ? Number(value) : field === 'bantime' ? durationSeconds(String(value)) : undefined;
  return seconds === undefined ? undefined : t('form.span', durationParams(seconds));
};
