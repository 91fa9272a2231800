import type { CostlySort, CostlyPaths as Costs, Route, TrafficRange } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { cachingPlugins } from '@cordon/plugins/cache-remedies';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { staleOf } from '../../../app/stale-data';
import type { PluginConfig } from '../../../domain/plugins/plugin-fields';
import { usePluginWords } from '../../../domain/words/plugin-words';
import { Card } from '../../../ui/card';
import { SegmentedControl } from '../../../ui/choice';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { momentText } from '../../../ui/moment-text';
import { ErrorState, Skeleton, StaleLine } from '../../../ui/states';
import { CostsTable } from './costs-table';
import { costlyPathsOptions } from './queries';
import type { KnownRemedy } from './remedy-of';

const PluginSheet = lazyPart(() => import('../../../domain/plugins/plugin-sheet'));

const SECONDS: Record<TrafficRange, number> = { '15m': 900, '1h': 3_600, '24h': 86_400, '7d': 604_800 };
const SKELETON_ROWS = ['a', 'b', 'c', 'd'];

interface Proposal {
  readonly definition: PluginDefinition;
  readonly config: PluginConfig;
  readonly opened: number;
  readonly isOpen: boolean;
}

/** Whether only the newest of more requests than are read are counted: then they begin later than the range, by more than a point. */
const isCut = ({ from, to }: Costs, range: TrafficRange): boolean =>
  (Date.parse(to) - Date.parse(from)) / 1000 < SECONDS[range] * 0.95;

/** The paths for which the origins of a domain are asked most, why each is not cached, and what to do. Nothing is deployed from here. */
export function CostlyPaths({ route, range }: { route: Route; range: TrafficRange }) {
  const t = useTranslations('cacheFigures.costly');
  const format = useFormat();
  const words = usePluginWords();
  const [sort, setSort] = useState<CostlySort>('bytes');
  const [proposal, setProposal] = useState<Proposal>();
  const query = useQuery(costlyPathsOptions(route.id, range, sort));
  const stale = staleOf(query);
  const paths = query.data?.paths;
  const propose = ({ definition, change: { config } }: KnownRemedy) =>
    setProposal((before) => ({ definition, config, opened: (before?.opened ?? 0) + 1, isOpen: true }));
  return (
    <Card
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
        <div aria-busy className="flex flex-col gap-3 px-4 pb-4">
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </div>
      ) : paths.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{t('empty')}</p>
      ) : (
        <CostsTable route={route} paths={paths} words={words} onPropose={propose} />
      )}
      {paths && query.data && isCut(query.data, range) && (
        <p className="px-4 py-2 text-sm text-muted">{t('since', { time: momentText(format, query.data.from) })}</p>
      )}
      {stale && <StaleLine {...stale} />}
      {proposal && words && (
        <Suspense fallback={null}>
          <PluginSheet
            key={proposal.opened}
            route={route}
            definition={proposal.definition}
            definitions={cachingPlugins}
            words={words(proposal.definition.name)}
            proposed={proposal.config}
            open={proposal.isOpen}
            onOpenChange={(isOpen) => setProposal({ ...proposal, isOpen })}
          />
        </Suspense>
      )}
    </Card>
  );
}
