import clsx from 'clsx';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useFieldControl } from './field';

export interface NumberInputProps
  extends Omit<ComponentProps<'input'>, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max' | 'step'> {
  /** Null is an empty field. */
  value: number | null;
  onValueChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number;
  /** Shown inside the field's end: `s`, `GB`, `%`. */
  unit?: ReactNode;
}

/** A number typed as text: no wheel surprises, arrows step, and nothing is changed under the cursor. */
export function NumberInput({
  value,
  onValueChange,
  min,
  max,
  step = 1,
  unit,
  className,
  required,
  onBlur,
  ...rest
}: NumberInputProps) {
  const control = useFieldControl({ ...rest, required });
  const [draft, setDraft] = useState<string | null>(null);
  const clamp = (next: number) => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, next));

  function read(text: string) {
    setDraft(text);
    const trimmed = text.trim().replace(/[\s,，]/g, '');
    if (trimmed === '') onValueChange(null);
    else if (Number.isFinite(Number(trimmed))) onValueChange(Number(trimmed));
  }
  function stepBy(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    setDraft(null);
    const direction = event.key === 'ArrowUp' ? 1 : -1;
    onValueChange(clamp((value ?? 0) + direction * step * (event.shiftKey ? 10 : 1)));
  }
  return (
    <span className={clsx('relative block', className)}>
      <input
        {...rest}
        {...control}
        type="text"
        role="spinbutton"
        inputMode={Number.isInteger(step) ? 'numeric' : 'decimal'}
        autoComplete="off"
        aria-valuenow={value ?? undefined}
        aria-valuemin={min}
        aria-valuemax={max}
        value={draft ?? (value === null ? '' : String(value))}
        onChange={(event) => read(event.target.value)}
        onKeyDown={stepBy}
        onBlur={(event) => {
          setDraft(null);
          onBlur?.(event);
        }}
        className={clsx('control tabular', unit && '!pr-14')}
      />
      {unit && (
        <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-muted">
          {unit}
        </span>
      )}
    </span>
  );
}
