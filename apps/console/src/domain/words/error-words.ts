import type { FieldError } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { saidFailureTexts, saveFailureTexts } from '../../app/save-failure';
import { waitOf } from '../../app/wait';
import { errorParams } from './error-params';

type Params = Readonly<Record<string, string | number>>;

/** Words of an error code of the contract, as a field or a whole call gives it. */
export function useCodeWords(): (code: string, params?: Params) => string {
  const t = useTranslations() as unknown as {
    (key: string, values?: Params): string;
    has(key: string): boolean;
  };
  return (code, params = {}) => {
    const key = [`fieldErrors.${code}`, `errors.codes.${code}`].find((one) => t.has(one));
    return key
      ? t(key, { minimum: 'unknown', maximum: 'unknown', name: 'unknown', ...waitOf(params), ...params })
      : code;
  };
}

/** Words of a form's error, for `Field`; undefined where there is none. */
export function useFieldMessage(): (error: FieldError | undefined) => string | undefined {
  const words = useCodeWords();
  return (error) => (error?.message ? words(error.message, errorParams(error)) : undefined);
}

/** A failed save of a form as lines, in the current language. */
export function useSaveErrorList(): (error: unknown) => string[] {
  useLocale();
  return saveFailureTexts;
}

/** A failed call as lines, in the current language. */
export function useErrorList(): (error: unknown) => string[] {
  useLocale();
  return saidFailureTexts;
}
