import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { SayValue } from '@cordon/plugin-kit/form';
import { EVERY_PATH, LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';

/** Paths as the form offers them, spans of time as in the summary. */
export const sayValue: SayValue = (field, value, t) => {
  if (field === 'path' && value === EVERY_PATH) return t('form.everything');
  if (field === 'path' && value === LOGIN_PATHS) return t('form.loginPages');
  const seconds = field === 'pass_time' ? durationSeconds(String(value)) : undefined;
  return seconds === undefined ? undefined : t('form.span', durationParams(seconds));
};
