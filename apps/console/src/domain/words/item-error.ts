import {
  ApiError,
  type BatchItem,
  type BatchItemError,
  type ErrorBody,
  type ErrorCode,
  type OperationError,
  rejectionList,
} from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../app/failure';
import { useOperationError } from './operation-error';

const OPERATION_ERRORS: readonly string[] = [
  'NO_NODE_LIVE',
  'NODES_NOT_REACHED',
  'REFUSED_BY_NODE',
  'SUPERSEDED',
] satisfies OperationError[];

/** Why an item failed, in words: those that the same call for that domain alone would have got. */
export function itemErrorTexts(error: BatchItemError): string[] {
  const { code, message, fields, params } = error;
  const body: ErrorBody = {
    success: false,
    ...(code === null ? fields : { code: code as ErrorCode }),
    message,
    params,
    request_id: '',
  };
  return failureTexts(new ApiError(422, body.code, body, rejectionList(body)));
}

/** Why an item failed, one line per reason. */
export function useItemError(): (error: BatchItemError) => string[] {
  const operationError = useOperationError();
  return (error) =>
    error.code !== null && OPERATION_ERRORS.includes(error.code)
      ? [operationError(error.code as OperationError)]
      : itemErrorTexts(error);
}

/** The same of an item of a batch; a domain that was there when the batch was planned, and is no more, was deleted since. */
export function useBatchItemError(): (item: Pick<BatchItem, 'error' | 'route_id'>) => string[] {
  const t = useTranslations('domain.page');
  const errorTexts = useItemError();
  return ({ error, route_id: routeId }) => {
    if (error === null) return [];
    return error.code === 'NOT_FOUND' && routeId !== null ? [t('goneHeld')] : errorTexts(error);
  };
}
