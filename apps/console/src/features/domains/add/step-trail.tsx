import clsx from 'clsx';
import { Check, CircleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ADD_STEPS, type AddStep } from './add-domain-values';

interface StepTrailProps {
  step: AddStep;
  /** A step that was left although what was entered could not be checked. */
  unchecked: AddStep | undefined;
  onStep: (step: AddStep) => void;
}

/** Where one is in the wizard; a step before can be gone back to. The way on is Continue's, which judges what was typed. */
export function StepTrail({ step, unchecked, onStep }: StepTrailProps) {
  const t = useTranslations('domain.add');
  const current = ADD_STEPS.indexOf(step);
  return (
    <ol aria-label={t('steps')} className="flex gap-2">
      {ADD_STEPS.map((one, index) => {
        const isDone = index < current;
        return (
          <li key={one} className="min-w-0 flex-1">
            <button
              type="button"
              disabled={index > current}
              aria-current={one === step ? 'step' : undefined}
              onClick={() => onStep(one)}
              className={clsx(
                'flex w-full items-center gap-2 border-t-2 pt-2 text-left text-sm touch:min-h-10',
                index <= current ? 'border-primary-ink' : 'border-line',
                one === step ? 'font-medium text-ink' : 'text-muted enabled:hover:text-ink',
              )}
            >
              <span className="tabular grid w-3.5 place-items-center">
                {!isDone ? (
                  index + 1
                ) : one === unchecked ? (
                  <CircleAlert size={14} className="text-warning" aria-hidden />
                ) : (
                  <Check size={14} className="text-success" aria-hidden />
                )}
              </span>
              <span className="truncate">{t(`${one}.step`)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
