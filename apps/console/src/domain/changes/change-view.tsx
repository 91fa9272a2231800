import { countChanged, diffConfigs, type RouteConfig } from '@cordon/contract';
import { Suspense, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { SegmentedControl } from '../../ui/choice';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import { ChangeList, ChangeListPart } from './lazy-change-list';
import { pluginDefaults } from './plugin-defaults';

const JsonDiff = lazyPart(() => import('./json-diff'));

interface ChangeViewProps {
  before: RouteConfig | null;
  after: RouteConfig;
  /** Beside how many changes there are. */
  about?: string;
  /** What is around it waits until it is loaded, so that nothing below moves. */
  isAwaited?: boolean;
}

/** What `after` changes, and how much: in people's words, or as JSON with every key. */
export function ChangeView({ before, after, about, isAwaited = false }: ChangeViewProps) {
  const List = isAwaited ? ChangeListPart : ChangeList;
  const t = useTranslations('domain.changes');
  const [view, setView] = useState<'words' | 'json'>('words');
  const count = useMemo(() => countChanged(diffConfigs(before, after, pluginDefaults)), [before, after]);
  // What is set for the first time changes nothing.
  const isCounted = before !== null && count > 0;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-muted wrap-anywhere">
          {isCounted && <span className="text-lg font-semibold text-ink">{t('count', { count })}</span>}
          {about !== undefined && <span className={isCounted ? 'block text-sm' : undefined}>{about}</span>}
        </p>
        {count > 0 && (
          <SegmentedControl
            label={t('view')}
            options={[
              { value: 'words', label: t('words') },
              { value: 'json', label: t('json') },
            ]}
            value={view}
            onValueChange={setView}
            className="shrink-0"
          />
        )}
      </div>
      {view === 'words' ? (
        <List before={before} after={after} />
      ) : (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <JsonDiff before={before} after={after} />
        </Suspense>
      )}
    </div>
  );
}
