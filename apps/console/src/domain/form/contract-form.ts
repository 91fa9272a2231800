import { type ApiError, fieldErrorsOf } from '@cordon/contract';
import { toNestErrors } from '@hookform/resolvers';
import type { FieldError, FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

/** Errors of one check, by field path: a code of the contract, or an error made by `partsError`. */
export type FieldCodes = Readonly<Record<string, string | FieldError>>;

const PARTS = 'parts';

/**
 * Error of a field whose value is an object with faults in it, as codes by path inside the object. One error, because
 * react-hook-form forgets errors below a field.
 */
export const partsError = (codes: Readonly<Record<string, string>>): FieldError => ({
  type: PARTS,
  types: { ...codes },
});

/** The errors inside a field's object: those of `partsError`, and those that `placeApiErrors` put below it. */
export function partErrors(error: unknown, prefix = ''): [path: string, error: FieldError][] {
  if (typeof error !== 'object' || error === null) return [];
  const { type, types, ...below } = error as Partial<FieldError> & Record<string, unknown>;
  if (typeof type === 'string' && type !== PARTS) return [[prefix.slice(0, -1), error as FieldError]];
  const parts = Object.entries(types ?? {}).map(
    ([path, code]) => [path, fieldError(String(code))] as [string, FieldError],
  );
  return [
    ...parts,
    ...Object.entries(below).flatMap(([key, one]) => (key === 'ref' ? [] : partErrors(one, `${prefix}${key}.`))),
  ];
}

/** Errors that a form's own check found. By the object: react-hook-form carries what else an error has over to the next. */
const found = new WeakSet<object>();

/** Paths of the errors that the form's own check found, among all that a form shows. */
export function foundErrorPaths(errors: unknown, prefix = ''): string[] {
  if (typeof errors !== 'object' || errors === null) return [];
  // The error of a whole list stands beside those of its rows.
  if (found.has(errors)) return [prefix.replace(/(\.root)?\.$/, '')];
  return Object.entries(errors).flatMap(([key, one]) =>
    key === 'ref' || key === 'types' ? [] : foundErrorPaths(one, `${prefix}${key}.`),
  );
}

type FieldErrorParams = Readonly<Record<string, string | number>>;

const fieldError = (code: string, params?: FieldErrorParams): FieldError => ({
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
    const all: Record<string, string | FieldError> = { ...further(values), ...fields };
    if (Object.keys(all).length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(
      Object.entries(all).map(([path, code]) => [
        path,
        typeof code === 'string' ? fieldError(code, (params as Record<string, FieldErrorParams>)[path]) : code,
      ]),
    );
    for (const error of Object.values(errors)) found.add(error);
    return { values: {}, errors: toNestErrors(errors as never, options) };
  };
}

/**
 * Puts the field errors of a failed call at their fields. `fieldOf` names the form's field for a path of the API.
 * Answers the fields that got one, and what is left over, which the form itself must show.
 */
export function placeApiErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: ApiError,
  fieldOf: (path: string) => string | undefined,
): { placed: string[]; unplaced: [path: string, code: string][] } {
  const placed: string[] = [];
  const unplaced: [string, string][] = [];
  for (const [path, code] of Object.entries(error.fields)) {
    const field = fieldOf(path);
    if (field !== undefined) {
      form.setError(field as FieldPath<Values>, fieldError(code, error.body?.params?.[path]));
      placed.push(field);
    } else unplaced.push([path, code]);
  }
  return { placed, unplaced };
}
