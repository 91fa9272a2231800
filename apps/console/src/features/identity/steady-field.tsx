import { Field, type FieldProps } from '../../ui/field';

/** A field that keeps a line free for its error: the form stands in the middle of the page, and would move with it. */
export function SteadyField(props: Omit<FieldProps, 'hint'>) {
  return <Field {...props} hint={!props.error && <span aria-hidden>{'\u00A0'}</span>} />;
}
