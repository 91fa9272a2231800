import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { useFormat } from '../../../ui/format';
import type { StepRun } from './fold-steps';
import { stepLooks, TraceStep } from './trace-step';

/** Steps that did nothing to the request, in a line that opens. */
export function FoldedSteps({ steps, routeId, isLast }: { steps: StepRun; routeId: string; isLast: boolean }) {
  const t = useTranslations('diagnosis.trace');
  const format = useFormat();
  const wordsOf = usePluginWords();
  const { outcome } = steps[0];
  const { Icon, className } = stepLooks[outcome];
  const plugins = steps.filter(({ plugin }) => plugin !== '').map(({ plugin }) => plugin);
  return (
    <li className="relative pb-4 last:pb-0">
      {!isLast && <span className="absolute top-7 bottom-0 left-[13px] w-px bg-line" aria-hidden />}
      <details className="group">
        <summary className="flex min-h-7 cursor-pointer list-none items-center gap-3 touch:min-h-10">
          <span className={clsx('z-10 grid size-7 shrink-0 place-items-center rounded-full border', className)}>
            <Icon size={14} aria-hidden />
          </span>
          <span className="min-w-0 text-sm">
            <span className="font-medium">
              {t(`folded.${outcome === 'pass' ? 'pass' : outcome === 'skipped' ? 'skipped' : 'not_reached'}`, {
                count: steps.length,
              })}
            </span>
            {wordsOf && plugins.length > 0 && (
              <span className="text-muted">
                {' · '}
                {format.list(plugins.map((plugin) => pluginName(wordsOf(plugin), plugin)))}
              </span>
            )}
          </span>
          <ChevronDown size={16} className="shrink-0 text-muted group-open:rotate-180" aria-hidden />
        </summary>
        <ol className="mt-3">
          {steps.map((step, index) => (
            <TraceStep
              key={`${step.step} ${step.plugin}`}
              step={step}
              routeId={routeId}
              isLast={index === steps.length - 1}
            />
          ))}
        </ol>
      </details>
    </li>
  );
}
