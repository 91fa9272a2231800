import clsx from 'clsx';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** Looks of a button: one `primary` per screen, `danger` only for what destroys. */
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover border-transparent',
  secondary: 'bg-card text-ink border-line-strong hover:bg-sunken',
  ghost: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-danger-fill text-white border-transparent hover:brightness-110',
};
const sizes: Record<ButtonSize, string> = {
  sm: 'h-8 px-2.5 text-sm gap-1.5 touch:h-10 touch:px-3',
  md: 'h-9 px-3.5 gap-2 touch:h-10',
  lg: 'h-11 px-5 gap-2 text-lg',
};

/** Classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', className?: string): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-control border font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 no-underline disabled:opacity-55 aria-disabled:opacity-55',
    variants[variant],
    sizes[size],
    className,
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Icon element before the text. */
  icon?: ReactNode;
  /** Shows a spinner, keeps the width and refuses presses, without losing focus. */
  loading?: boolean;
}

/** A button; `type` defaults to `button`. */
export function Button({
  variant,
  size,
  icon,
  loading,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={loading ? 'button' : type}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled'] || undefined}
      onClick={loading ? undefined : onClick}
      className={buttonClass(variant, size, className)}
    >
      {loading ? <LoaderCircle size={16} className="animate-[spin_1s_linear_infinite]" aria-hidden /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Accessible name, also shown as the title. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  size?: 'sm' | 'md';
}

/** A square button with an icon only. */
export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'md',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={buttonClass(
        variant,
        size,
        clsx('!px-0 touch:!size-10', size === 'sm' ? '!size-8' : '!size-9', className),
      )}
    >
      {icon}
    </button>
  );
}
