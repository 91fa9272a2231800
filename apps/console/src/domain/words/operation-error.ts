import type { OperationError } from '@cordon/contract';
import { useTranslations } from 'use-intl';

/** Why an operation failed, and what to do. */
export function operationErrorKey(code: OperationError | null) {
  return `error.${code ?? ('INTERNAL' as const)}` as const;
}

export function useOperationError(): (code: OperationError | null) => string {
  const t = useTranslations('domain.operation');
  return (code) => t(operationErrorKey(code));
}
