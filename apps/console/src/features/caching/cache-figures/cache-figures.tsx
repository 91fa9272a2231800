import type { CacheOverview, CountedOutcome, Route, TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { staleOf } from '../../../app/stale-data';
import { Callout } from '../../../domain/form/callout';
import { entryOf } from '../../../domain/model/plugin-state';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { StackedBar, type StackedBarPart } from '../../../ui/charts/stacked-bar';
import { SegmentedControl } from '../../../ui/choice';
import { useFormat } from '../../../ui/format';
import { EmptyState, ErrorState, StaleLine } from '../../../ui/states';
import { cachingPlugins } from './caching-plugins';
import { FigureCards } from './figure-cards';
import { FiguresChart } from './figures-chart';
import { cacheOverviewOptions } from './queries';

const RANGES: readonly TrafficRange[] = ['15m', '1h', '24h', '7d'];
/** In the order of the bar. Any two may touch in it, so that no two are alike in one of the themes. */
export const TONES = {
  hit: 'success',
  stale: 3,
  revalidated: 4,
  miss: 2,
  expired: 5,
  bypass: 1,
  uncached: 6,
} as const satisfies Record<CountedOutcome, StackedBarPart['tone']>;
const OUTCOMES = Object.keys(TONES) as CountedOutcome[];
/** These stand there without a request, too. */
const ALWAYS: ReadonlySet<CountedOutcome> = new Set(['hit', 'miss']);

/** Where responses came from, those first that say how well the cache does. */
function Outcomes({ overview }: { overview: CacheOverview | undefined }) {
  const t = useTranslations('caching.cacheFigures.outcomes');
  const format = useFormat();
  const outcomes = overview?.totals.outcomes;
  return (
    <Card title={t('title')}>
      <StackedBar
        label={t('title')}
        formatValue={format.compact}
        parts={
          outcomes &&
          OUTCOMES.filter((id) => outcomes[id].requests > 0 || ALWAYS.has(id)).map((id) => ({
            id,
            label: t(id),
            value: outcomes[id].requests,
            tone: TONES[id],
          }))
        }
      />
    </Card>
  );
}

/** That nothing is cached, and the way to change it. */
function OffLine({ route, onSetUp }: { route: Route; onSetUp: (plugin: string) => void }) {
  const t = useTranslations('caching.cacheFigures.off');
  const words = usePluginWords();
  const isOn = (config: Route['draft'] | null) => cachingPlugins.some((one) => entryOf(config, one).enabled);
  const [first] = cachingPlugins;
  if (isOn(route.live) || !first || !words) return null;
  const isDrafted = isOn(route.draft);
  return (
    <Callout
      tone="info"
      actions={
        !isDrafted && (
          <Button size="sm" onClick={() => onSetUp(first.name)}>
            {t('turnOn', { plugin: pluginName(words(first.name), first.name) })}
          </Button>
        )
      }
    >
      {t(isDrafted ? 'textDraft' : 'text')}
    </Callout>
  );
}

export interface CacheFiguresProps {
  route: Route;
  range: TrafficRange;
  onRangeChange: (range: TrafficRange) => void;
  /** All requests pass by the cache for a while, whether or not it is on. */
  isPassedBy?: boolean;
  /** Opens the form of a plugin. */
  onSetUp: (plugin: string) => void;
}

const isEmpty = ({ totals, previous }: CacheOverview) => totals.requests === 0 && previous.requests === 0;

/** How well the cache of a domain does, in a range: now, over time, and what became of requests. */
export function CacheFigures({ route, range, onRangeChange, isPassedBy = false, onSetUp }: CacheFiguresProps) {
  const t = useTranslations('caching.cacheFigures');
  const tRange = useTranslations('traffic.range');
  const query = useQuery(cacheOverviewOptions(route.id, range));
  const overview = query.data;
  const stale = staleOf(query);
  return (
    <section aria-label={t('title')} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold" title={t('hint')}>
          {t('title')}
        </h2>
        <SegmentedControl
          label={tRange('label')}
          value={range}
          onValueChange={onRangeChange}
          options={RANGES.map((value) => ({ value, label: tRange(value) }))}
        />
      </div>
      {query.isLoadingError ? (
        <Card>
          <ErrorState
            {...describeFailure(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
            className="py-4!"
          />
        </Card>
      ) : (
        <>
          {!isPassedBy && <OffLine route={route} onSetUp={onSetUp} />}
          {overview && isEmpty(overview) ? (
            <Card>
              <EmptyState
                icon={<ChartColumn size={22} aria-hidden />}
                title={t('empty.title')}
                description={t('empty.description')}
                className="py-4!"
              />
            </Card>
          ) : (
            <>
              <FigureCards overview={overview} />
              <div className="grid gap-4 lg:grid-cols-3">
                <FiguresChart overview={overview} className="lg:col-span-2" />
                <Outcomes overview={overview} />
              </div>
            </>
          )}
        </>
      )}
      {stale && <StaleLine {...stale} />}
    </section>
  );
}
