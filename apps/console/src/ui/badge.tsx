import clsx from 'clsx';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'danger';

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-muted',
  primary: 'bg-soft text-primary-ink',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
};

/** A short label; colour is decoration, the words carry the meaning. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/* Each tone has its own shape, for eyes that do not tell the colours apart. */
const shapes: Record<Tone, ReactNode> = {
  success: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  neutral: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  primary: <path d="M5 1 9 5 5 9 1 5Z" fill="currentColor" />,
  warning: <path d="M5 1 9.5 9H.5Z" fill="currentColor" />,
  danger: <path d="M1.5 1.5h7v7h-7z" fill="currentColor" />,
};

/** A status: words, colour and a shape; `busy` pulses while something runs. */
export function StatusBadge({
  tone,
  busy,
  className,
  children,
}: {
  tone: Tone;
  busy?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Badge
      tone={tone}
      className={className}
      icon={
        <svg viewBox="0 0 10 10" className={clsx('size-2.5 shrink-0', busy && 'animate-pulse')} aria-hidden>
          {shapes[tone]}
        </svg>
      }
    >
      {children}
    </Badge>
  );
}
