import type { FieldError } from 'react-hook-form';

/** Parameters of a message, as `fieldError` kept them. */
export function errorParams(error: FieldError | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(error?.types ?? {}).map(([key, value]) => [key, String(value)]));
}
