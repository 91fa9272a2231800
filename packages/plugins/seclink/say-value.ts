import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { SayValue } from '@cordon/plugin-kit/form';
import { isSecretHandle } from '@cordon/plugin-kit/secret-handle';

/** Where the part of a handle begins by which two secrets are told apart. */
const HANDLE_PREFIX = 'secret_'.length;
const SHOWN_CHARACTERS = 6;

/** A secret is named by the beginning of its handle; one that is just being entered is not shown either. */
export const sayValue: SayValue = (field, value, t) => {
  if (field === 'expire_seconds') return t('form.span', durationParams(Number(value)));
  if (field !== 'api_secret') return undefined;
  const text = String(value);
  if (!isSecretHandle(text)) return t('form.secretNew');
  return t('form.secretNamed', { id: text.slice(HANDLE_PREFIX, HANDLE_PREFIX + SHOWN_CHARACTERS) });
};
