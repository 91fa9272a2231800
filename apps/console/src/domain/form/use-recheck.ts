import { useEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { foundErrorPaths } from './contract-form';

/**
 * Lets an error leave when anything that it spoke of changes, not its own field only: what the form's own check found
 * is looked at anew after each change. What others found (the API, detection) stays until its field changes.
 */
export function useRecheck<Values extends FieldValues>(form: UseFormReturn<Values>) {
  useEffect(
    () =>
      form.watch((_, { name }) => {
        if (name === undefined) return;
        const found = foundErrorPaths(form.formState.errors) as FieldPath<Values>[];
        const open = found.filter((path) => form.getFieldState(path).error);
        if (open.length > 0) void form.trigger(open);
      }).unsubscribe,
    [form],
  );
}
