import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldControl } from './field';

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label?: ReactNode;
  hint?: ReactNode;
  /** Puts the switch after its text, at the far end. */
  end?: boolean;
}

/** On or off, effective at once or with the form it is in. Without `label` give it `aria-label`. */
export function Switch({ label, hint, end, className, ...rest }: SwitchProps) {
  const control = useFieldControl(rest);
  const ownId = useId();
  const id = label ? (rest.id ?? ownId) : control.id;
  const toggle = (
    <input
      {...rest}
      {...control}
      id={id}
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a native check box exposes its own state
      role="switch"
      className={clsx(
        'reach relative h-[22px] w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-line-strong transition-colors',
        'checked:border-primary checked:bg-primary disabled:opacity-50',
        'after:absolute after:top-px after:left-px after:size-[18px] after:rounded-full after:bg-white after:shadow-sm',
        'after:transition-transform checked:after:translate-x-[18px]',
        !label && className,
      )}
    />
  );
  if (!label) return toggle;
  return (
    <label
      htmlFor={id}
      className={clsx(
        'flex cursor-pointer items-start gap-3 touch:min-h-10 touch:py-2',
        end && 'justify-between',
        className,
      )}
    >
      {!end && toggle}
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
      {end && toggle}
    </label>
  );
}
