import clsx from 'clsx';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const tones = {
  info: { className: 'bg-soft text-primary-ink', icon: <Info size={16} /> },
  warning: { className: 'bg-warning-soft text-warning', icon: <TriangleAlert size={16} /> },
  danger: { className: 'bg-danger-soft text-danger', icon: <CircleAlert size={16} /> },
};

interface CalloutProps {
  tone: keyof typeof tones;
  icon?: ReactNode;
  /** Buttons or links below the words. */
  actions?: ReactNode;
  role?: 'alert' | 'status';
  className?: string;
  children: ReactNode;
}

/** A sentence that must not be missed, where it belongs. */
export function Callout({ tone, icon, actions, role, className, children }: CalloutProps) {
  return (
    <div
      role={role}
      className={clsx('flex items-start gap-2.5 rounded-control px-3.5 py-2.5', tones[tone].className, className)}
    >
      <span className="mt-0.5 shrink-0" aria-hidden>
        {icon ?? tones[tone].icon}
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        {children}
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
