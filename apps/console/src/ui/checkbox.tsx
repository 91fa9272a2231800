import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldControl } from './field';

/** Of checkboxes and radio buttons. */
export const boxClass =
  'relative block size-[18px] shrink-0 appearance-none border border-line-strong bg-card transition-colors ' +
  'checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary ' +
  'hover:border-muted disabled:opacity-50 aria-invalid:border-danger';
export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label?: ReactNode;
  hint?: ReactNode;
  /** Some, not all: shown as a bar. */
  indeterminate?: boolean;
}

/** A native checkbox in our look; takes `ref` and the props of `register()`. Without `label` give it `aria-label`. */
export function Checkbox({ label, hint, indeterminate = false, className, ...rest }: CheckboxProps) {
  const control = useFieldControl(rest);
  const ownId = useId();
  const id = label ? (rest.id ?? ownId) : control.id;
  const box = (
    <input
      {...rest}
      {...control}
      id={id}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
        if (typeof rest.ref === 'function') return rest.ref(element);
        if (rest.ref) rest.ref.current = element;
      }}
      className={clsx(boxClass, 'tick rounded-[5px]', !label && className)}
    />
  );
  if (!label) return box;
  return (
    <label
      htmlFor={id}
      className={clsx('flex cursor-pointer items-start gap-2.5 touch:min-h-10 touch:py-2', className)}
    >
      {box}
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}
