import type { CostlySort, CostlyPaths as Costs, Route, TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { staleOf } from '../../../app/stale-data';
import type { PluginProposal } from '../../../domain/plugins/plugin-proposal';
import { usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { SegmentedControl } from '../../../ui/choice';
import { useFormat } from '../../../ui/format';
import { momentText } from '../../../ui/moment-text';
import { ErrorState, StaleLine } from '../../../ui/states';
import { CostsSkeleton } from './costs-skeleton';
import { CostsTable } from './costs-table';
import { costlyPathsOptions } from './queries';

const SECONDS: Record<TrafficRange, number> = { '15m': 900, '1h': 3_600, '24h': 86_400, '7d': 604_800 };
/** At first: below them stands what is urgent. */
const ROWS_MAX = 5;

interface CostlyPathsProps {
  route: Route;
  range: TrafficRange;
  /** Opens the form of a plugin with a change. */
  onPropose: (proposal: PluginProposal) => void;
  /** Shows what the cache does with a path. */
  onTry: (path: string) => void;
}

/** Whether only the newest of more requests than are read are counted: then they begin later than the range, by more than a point. */
const isCut = ({ from, to }: Costs, range: TrafficRange): boolean =>
  (Date.parse(to) - Date.parse(from)) / 1000 < SECONDS[range] * 0.95;

/** The paths for which the origins of a domain are asked most, why each is not cached, and what to do. Nothing is deployed from here. */
export function CostlyPaths({ route, range, onPropose, onTry }: CostlyPathsProps) {
  const t = useTranslations('caching.cacheFigures.costly');
  const format = useFormat();
  const words = usePluginWords();
  const [sort, setSort] = useState<CostlySort>('bytes');
  const query = useQuery(costlyPathsOptions(route.id, range, sort));
  const stale = staleOf(query);
  const paths = query.data?.paths;
  const [isWhole, setWhole] = useState(false);
  const card = useRef<HTMLElement>(null);
  const showAll = () => {
    flushSync(() => setWhole(true));
    // The button is gone: the focus goes on to the first of those that it has shown.
    card.current?.querySelectorAll<HTMLElement>('tbody th')[ROWS_MAX]?.focus({ preventScroll: true });
  };
  const more = isWhole ? 0 : (paths?.length ?? 0) - ROWS_MAX;
  return (
    <Card
      ref={card}
      title={t('title')}
      description={t('description')}
      aria-label={t('title')}
      flush
      actions={
        <SegmentedControl
          label={t('sort')}
          value={sort}
          onValueChange={setSort}
          options={[
            { value: 'bytes', label: t('bytes') },
            { value: 'requests', label: t('requests') },
          ]}
        />
      }
    >
      {query.isLoadingError ? (
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
          className="py-4!"
        />
      ) : paths === undefined || words === undefined ? (
        <CostsSkeleton rows={ROWS_MAX} />
      ) : paths.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{t('empty')}</p>
      ) : (
        <>
          <CostsTable
            route={route}
            paths={isWhole ? paths : paths.slice(0, ROWS_MAX)}
            words={words}
            onPropose={onPropose}
            onTry={onTry}
          />
          {more > 0 && (
            <div className="border-t border-line px-4 py-2">
              <Button size="sm" onClick={showAll}>
                {t('more', { count: more })}
              </Button>
            </div>
          )}
        </>
      )}
      {paths && query.data && isCut(query.data, range) && (
        <p className="px-4 py-2 text-sm text-muted">{t('since', { time: momentText(format, query.data.from) })}</p>
      )}
      {stale && <StaleLine {...stale} />}
    </Card>
  );
}
