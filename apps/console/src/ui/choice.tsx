import clsx from 'clsx';
import { type ReactNode, useId } from 'react';
import { boxClass } from './checkbox';
import { useFieldControl, useFieldLabelId } from './field';

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

interface ChoiceGroupProps<Value extends string> {
  /** Accessible name; inside a `Field` its label is used. */
  label?: string;
  options: readonly Choice<Value>[];
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  disabled?: boolean;
  className?: string;
}

/** What a group is called and, inside a `Field`, that one's hint, error and state. */
function useGroupProps(label: string | undefined) {
  const labelId = useFieldLabelId();
  const control = useFieldControl({});
  // No label can be for a group: it is named by it.
  return label
    ? { role: 'radiogroup', 'aria-label': label }
    : { role: 'radiogroup', ...control, id: undefined, 'aria-labelledby': labelId };
}

/** A few exclusive choices that each deserve a sentence. */
export function RadioCards<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  disabled,
  className,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  const group = useGroupProps(label);
  return (
    <div {...group} className={clsx('grid gap-2 sm:grid-cols-2', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'flex cursor-pointer items-start gap-3 rounded-control border border-line-strong bg-card p-3 transition-colors',
            'has-checked:border-primary has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary-ink',
            'has-disabled:cursor-not-allowed',
            // Why a single one cannot be chosen stands in it, and is to be read.
            !option.disabled && 'has-disabled:opacity-50',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={disabled || option.disabled}
            onChange={() => onValueChange(option.value)}
            className={clsx(
              boxClass,
              'mt-px rounded-full outline-none! checked:shadow-[inset_0_0_0_4px_var(--primary)] checked:bg-white',
            )}
          />
          <span className="min-w-0 flex-1">
            <span className={clsx('flex items-center gap-2 font-medium', option.disabled && 'text-muted')}>
              {option.icon}
              {option.label}
            </span>
            {option.description && <span className="mt-0.5 block text-sm text-muted">{option.description}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

/** A few short exclusive choices in one line; scrolls sideways when the screen is too small. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  disabled,
  className,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  const group = useGroupProps(label);
  return (
    <div
      {...group}
      className={clsx(
        'inline-flex max-w-full overflow-x-auto rounded-control bg-sunken p-1 [scrollbar-width:none]',
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'relative flex h-7 shrink-0 cursor-pointer items-center gap-1.5 rounded-[6px] px-3 text-sm font-medium text-muted touch:h-10',
            // The line carries the 3:1 of WCAG 1.4.11 in both themes: no fill but a loud one would.
            'has-checked:bg-soft has-checked:text-primary-ink has-checked:inset-ring has-checked:inset-ring-primary-ink not-has-checked:hover:text-ink',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-primary-ink has-disabled:opacity-50',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={disabled || option.disabled}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[6px] outline-none!"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
