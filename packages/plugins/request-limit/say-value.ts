import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { SayValue } from '@cordon/plugin-kit/form';
import { EVERY_PATH, LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';

/** Paths as the form offers them, spans of time as in the summary. */
export const sayValue: SayValue = (field, value, t) => {
  if (field === 'banpath' && value === EVERY_PATH) return t('form.everything');
  if (field === 'banpath' && value === LOGIN_PATHS) return t('form.loginPages');
  const seconds =
    field === 'findtime' ? Number(value) : field === 'bantime' ? durationSeconds(String(value)) : undefined;
  return seconds === undefined ? undefined : t('form.span', durationParams(seconds));
};
