import type { Batch, OperationError } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useOperationError } from '../status/operation-error';
import { itemErrorTexts } from './item-error';

type BatchError = Parameters<typeof itemErrorTexts>[0];
const OPERATION_ERRORS: readonly string[] = [
  'NO_NODE_LIVE',
  'NODES_NOT_REACHED',
  'SUPERSEDED',
] satisfies OperationError[];

/** What a batch does, as in "Deploy 12 domains". */
export function useBatchTitle(): (batch: Pick<Batch, 'kind' | 'total'>) => string {
  const t = useTranslations('batches');
  return ({ kind, total }) => {
    const key = `kind.${kind}` as 'kind.other';
    return t(t.has(key) ? key : 'kind.other', { count: total });
  };
}

/** Why an item failed, one line per reason. */
export function useItemError(): (error: BatchError) => string[] {
  const operationError = useOperationError();
  return (error) =>
    error.code !== null && OPERATION_ERRORS.includes(error.code)
      ? [operationError(error.code as OperationError)]
      : itemErrorTexts(error);
}
