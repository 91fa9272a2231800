import { type PluginFormUi, withOrWithout } from '@cordon/plugin-kit/form';
import type { ComponentProps } from 'react';
import { useId } from 'react';
import { Checkbox } from '../../ui/checkbox';

/** A few things of which any can be chosen, beside each other. */
export default function ChecksInput(props: ComponentProps<PluginFormUi['Checks']>) {
  const { label, hint, error, value, options, onChange, disabled } = props;
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset className="min-w-0" aria-describedby={described || undefined}>
      <legend className="font-medium">{label}</legend>
      <div className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1.5">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={value.includes(option.value)}
            disabled={disabled}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange(withOrWithout(options, value, option.value))}
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
