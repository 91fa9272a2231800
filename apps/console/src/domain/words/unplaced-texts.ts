import { ApiError } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../app/failure';
import { useSaveErrorList } from './error-words';

/** Fields that nobody knows, of a service that failed: nothing in them is meant for users. */
const isWordless = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 500 && !error.code && error.body !== undefined && !error.body.message;

/** What a form says of a failed save beside its fields: all of it, unless one of the fields that it has says why. */
export function useUnplacedTexts(): (error: unknown, isField: (path: string) => boolean) => string[] {
  const t = useTranslations('errors');
  const errorList = useSaveErrorList();
  return (error, isField) => {
    if (!error || Object.keys(fieldTexts(error)).some(isField)) return [];
    return isWordless(error) ? [t('server', { status: error.status })] : errorList(error);
  };
}
