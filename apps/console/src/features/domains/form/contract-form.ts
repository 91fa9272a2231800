import { type ApiError, fieldErrorsOf } from '@cordon/contract';
import { toNestErrors } from '@hookform/resolvers';
import type { FieldError, FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

/** Errors of one check, by field path: a code of the contract. */
export type FieldCodes = Readonly<Record<string, string>>;

const fieldError = (code: string, params?: Readonly<Record<string, string | number>>): FieldError => ({
  type: code,
  message: code,
  // react-hook-form has no place for parameters but this; they are read back by `errorParams`.
  ...(params && { types: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])) }),
});

/**
 * Checks a form by the very schema the API uses, so that a rule is written once. `further` adds what the schema cannot
 * know (the plan); an error of the schema wins.
 */
export function contractResolver<Values extends FieldValues>(
  schema: z.ZodType,
  toBody: (values: Values) => unknown,
  further: (values: Values) => FieldCodes = () => ({}),
): Resolver<Values> {
  return async (values, _context, options) => {
    const parsed = schema.safeParse(toBody(values));
    const { fields, params } = parsed.success ? { fields: {}, params: {} } : fieldErrorsOf(parsed.error);
    const all: Record<string, string> = { ...further(values), ...fields };
    if (Object.keys(all).length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(
      Object.entries(all).map(([path, code]) => [
        path,
        fieldError(code, (params as Record<string, Record<string, string | number>>)[path]),
      ]),
    );
    return { values: {}, errors: toNestErrors(errors as never, options) };
  };
}

/**
 * Puts the field errors of a failed call at their fields. Answers the paths that the form has, and what is left over,
 * which the form must show by itself.
 */
export function placeApiErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: ApiError,
  hasField: (path: string) => boolean,
): { placed: string[]; unplaced: [path: string, code: string][] } {
  const placed: string[] = [];
  const unplaced: [string, string][] = [];
  for (const [path, code] of Object.entries(error.fields)) {
    if (hasField(path)) {
      form.setError(path as FieldPath<Values>, fieldError(code, error.body?.params?.[path]));
      placed.push(path);
    } else unplaced.push([path, code]);
  }
  return { placed, unplaced };
}
