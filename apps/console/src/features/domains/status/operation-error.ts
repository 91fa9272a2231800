import { useTranslations } from 'use-intl';

/** Why an operation failed, and what to do; a reason without words of its own is ours to mend. */
export const OPERATION_ERRORS = ['NO_NODE_LIVE', 'NODES_NOT_REACHED'] as const;

export function operationErrorKey(code: string | null) {
  const known = OPERATION_ERRORS.find((one) => one === code);
  return `error.${known ?? ('INTERNAL' as const)}` as const;
}

export function useOperationError(): (code: string | null) => string {
  const t = useTranslations('domains.operation');
  return (code) => t(operationErrorKey(code));
}
