import type { TestAttackResult, TestAttackRun } from '@cordon/contract';
import clsx from 'clsx';
import { ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isStopped } from './attack-line';

interface RunStatusProps {
  run: TestAttackRun;
  /** Those that are shown. */
  results: readonly TestAttackResult[];
  /** How many more the draft stops. */
  drafted: number;
  /** Buttons. */
  children: ReactNode;
}

/** What came of all attacks together, and what to do about it. */
export function RunStatus({ run, results, drafted, children }: RunStatusProps) {
  const t = useTranslations('diagnosis.testAttack');
  const stopped = results.filter(isStopped).length;
  const failed = results.filter(({ verdict }) => verdict === 'failed').length;
  const reached = results.length - stopped - failed;
  const isSafe = stopped === results.length;
  const Icon = isSafe ? ShieldCheck : TriangleAlert;
  return (
    <div
      className={clsx(
        'flex items-start gap-2.5 rounded-control px-3.5 py-2.5',
        isSafe ? 'bg-success-soft text-success' : 'bg-warning-soft text-warning',
      )}
    >
      <span className="mt-0.5 shrink-0" aria-hidden>
        <Icon size={18} />
      </span>
      <div className="min-w-0 flex-1">
        <p role="status" className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-lg font-semibold">
            {t('summary', { stopped, count: results.length, reached, failed })}
          </span>
          <span className="text-sm">{t('where', { version: run.version, node: run.node })}</span>
        </p>
        {run.is_paused && <p className="text-sm">{t('paused')}</p>}
        {drafted > 0 && (
          <p role="status" className="text-sm">
            {t('remedy.saved', { count: drafted })}
          </p>
        )}
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">{children}</div>
      </div>
    </div>
  );
}
