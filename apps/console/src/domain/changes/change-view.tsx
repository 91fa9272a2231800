import type { RouteConfig } from '@cordon/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { SegmentedControl } from '../../ui/choice';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import { ChangeList } from './lazy-change-list';

const JsonDiff = lazyPart(() => import('./json-diff'));

/** What `after` changes: in people's words, or as JSON with every key. */
export function ChangeView({ before, after }: { before: RouteConfig | null; after: RouteConfig }) {
  const t = useTranslations('domain.changes');
  const [view, setView] = useState<'words' | 'json'>('words');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <SegmentedControl
        label={t('view')}
        options={[
          { value: 'words', label: t('words') },
          { value: 'json', label: t('json') },
        ]}
        value={view}
        onValueChange={setView}
        className="self-start"
      />
      {view === 'words' ? (
        <ChangeList before={before} after={after} />
      ) : (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <JsonDiff before={before} after={after} />
        </Suspense>
      )}
    </div>
  );
}
