import type { Route } from '@cordon/contract';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { DialogAction } from '../../domain/model/dialog-action';
import { SegmentedControl } from '../../ui/choice';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import { Checks } from './checks';
import { TestAttackButton } from './test-attack/test-attack-button';

const TracePanel = lazyPart(() => import('./trace/trace-panel'), true);
const VIEWS = ['checks', 'trace'] as const;
export type DiagnosisView = (typeof VIEWS)[number];

/** What is wrong and what to do about it; and what would happen to a request. */
export default function DiagnosisTab({
  route,
  view,
  requestId,
  onViewChange,
  onAsk,
  preview,
}: {
  route: Route;
  view: DiagnosisView;
  /** Id of a logged request to trace. */
  requestId: string | undefined;
  onViewChange: (view: DiagnosisView) => void;
  /** Opens the question before an action. */
  onAsk: (action: DialogAction) => void;
  /** Card with a preview of the domain before its name points here. */
  preview: ReactNode;
}) {
  const t = useTranslations('diagnosis.view');
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label={t('label')}
          options={VIEWS.map((value) => ({ value, label: t(value) }))}
          value={view}
          onValueChange={onViewChange}
        />
        <TestAttackButton key={route.id} route={route} onDeploy={() => onAsk('deploy')} />
      </div>
      {view === 'checks' ? (
        <Checks route={route} preview={preview} onAsk={onAsk} />
      ) : (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <TracePanel key={requestId} route={route} requestId={requestId} onDeploy={() => onAsk('deploy')} />
        </Suspense>
      )}
    </>
  );
}
