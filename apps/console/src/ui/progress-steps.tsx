import clsx from 'clsx';
import { Check, LoaderCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

export type StepState = 'waiting' | 'running' | 'done' | 'failed';

export interface ProgressStep {
  id: string;
  label: ReactNode;
  state: StepState;
  /** What is known: milliseconds, a node's version, why it failed. */
  detail?: ReactNode;
}

const marks: Record<StepState, { className: string; icon: ReactNode }> = {
  waiting: { className: 'border-line-strong text-muted', icon: null },
  running: {
    className: 'border-primary text-primary-ink',
    icon: <LoaderCircle size={14} className="animate-[spin_1s_linear_infinite]" />,
  },
  done: { className: 'border-success bg-success-soft text-success', icon: <Check size={14} /> },
  failed: { className: 'border-danger bg-danger-soft text-danger', icon: <X size={14} /> },
};

/** The course of something long, told as it happens. */
export function ProgressSteps({ label, steps }: { label: string; steps: readonly ProgressStep[] }) {
  const t = useTranslations('ui');
  return (
    <ol aria-label={label} aria-live="polite" className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={step.id}
          className="relative flex gap-3 pb-4 last:pb-0"
          aria-current={step.state === 'running' ? 'step' : undefined}
        >
          {index < steps.length - 1 && (
            <span aria-hidden className="absolute top-6 bottom-0 left-[11px] w-px bg-line" />
          )}
          <span
            aria-hidden
            className={clsx('grid size-6 shrink-0 place-items-center rounded-full border', marks[step.state].className)}
          >
            {marks[step.state].icon ?? <span className="tabular text-xs">{index + 1}</span>}
          </span>
          <span className="min-w-0 pt-0.5">
            <span className={clsx(step.state === 'waiting' ? 'text-muted' : 'font-medium')}>{step.label}</span>
            <span className="sr-only"> {t(`steps.${step.state}`)}</span>
            {step.detail && (
              <span
                className={clsx('block text-sm wrap-anywhere', step.state === 'failed' ? 'text-danger' : 'text-muted')}
              >
                {step.detail}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
