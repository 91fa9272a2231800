import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { useFieldControl } from './field';

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'prefix'> {
  /** Icon at the start of the field. */
  icon?: ReactNode;
  /** Unit, button or key hint at the end of the field. */
  suffix?: ReactNode;
  /** Monospace, for names, addresses and keys. */
  mono?: boolean;
}

/** One line of text; takes `ref` and the props of `register()`. */
export function TextInput({ icon, suffix, mono, className, type = 'text', required, ...rest }: TextInputProps) {
  const control = useFieldControl({ ...rest, required });
  const input = (
    <input
      {...rest}
      {...control}
      type={type}
      className={clsx(
        'control',
        mono && 'font-mono',
        icon && '!pl-9',
        suffix && '!pr-11',
        !icon && !suffix && className,
      )}
    />
  );
  if (!icon && !suffix) return input;
  return (
    <span className={clsx('relative block', className)}>
      {icon && (
        <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted">{icon}</span>
      )}
      {input}
      {suffix && <span className="absolute inset-y-0 right-1 flex items-center text-sm text-muted">{suffix}</span>}
    </span>
  );
}

/** Several lines of text. */
export function Textarea({
  mono,
  className,
  rows = 4,
  required,
  ...rest
}: ComponentProps<'textarea'> & { mono?: boolean }) {
  const control = useFieldControl({ ...rest, required });
  return (
    <textarea
      {...rest}
      {...control}
      rows={rows}
      className={clsx('control resize-y', mono && 'font-mono text-sm touch:text-lg', className)}
    />
  );
}
