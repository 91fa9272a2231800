import type { StatusClass, TrafficOverview } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import { BarList } from '../../ui/charts/bar-list';
import { StackedBar } from '../../ui/charts/stacked-bar';
import { WorldMap } from '../../ui/charts/world-map';
import { DottedText } from '../../ui/dotted-text';
import { useFormat } from '../../ui/format';
import { labelled } from '../../ui/labelled';

const LISTED = 8;
/** Reasons that have a place beside the chart. */
const REASONS_RESERVED = 3;
/** Countries beside few domains are few as well: the cards end together. */
const COUNTRIES_MIN = 5;
const nothing = (text: string) => <p className="py-2 text-muted">{text}</p>;

interface StatusClassesProps {
  overview: TrafficOverview | undefined;
  hrefOf: (status: StatusClass) => string;
}

export function StatusClasses({ overview, hrefOf }: StatusClassesProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const totals = overview?.totals;
  return (
    <Card title={t('status.title')}>
      {totals && totals.requests === 0 ? (
        nothing(t('status.empty'))
      ) : (
        <StackedBar
          label={t('status.title')}
          formatValue={format.compact}
          hrefOf={hrefOf}
          parts={
            totals && [
              { id: '2xx', label: t('status.2xx'), value: totals.status_2xx, tone: 'success' },
              { id: '3xx', label: t('status.3xx'), value: totals.status_3xx, tone: 1 },
              { id: '4xx', label: t('status.4xx'), value: totals.status_4xx, tone: 'warning' },
              { id: '5xx', label: t('status.5xx'), value: totals.status_5xx, tone: 'danger' },
            ]
          }
        />
      )}
    </Card>
  );
}

export interface StoppedByReasonProps {
  overview: TrafficOverview | undefined;
  /** Words of a plugin and its reason, from the plugin's own catalog; no plugin when the edge itself refused. */
  reasonText: (plugin: string, reason: string) => { plugin?: string; reason: string };
  hrefOf: (stopped: TrafficOverview['stopped_by_reason'][number]) => string;
}

export function StoppedByReason({ overview, reasonText, hrefOf }: StoppedByReasonProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const rows = overview?.stopped_by_reason
    .slice(0, LISTED)
    .map((row) => ({ ...row, words: reasonText(row.plugin, row.reason) }));
  return (
    <Card title={t('reasons.title')} className="flex-1">
      <BarList
        label={t('reasons.title')}
        // What is below stands where it will be, however many reasons come.
        rows={REASONS_RESERVED}
        isReserved
        formatValue={format.compact}
        total={overview?.stopped_by_reason.reduce((sum, { requests }) => sum + requests, 0)}
        empty={nothing(t('reasons.empty'))}
        items={rows?.map(({ words, ...row }) => {
          const { plugin, reason: cause } = words;
          // "Banned IP" says it; the plugin is told where another has a reason of the same words.
          const isShared = rows.some((one) => one.plugin !== row.plugin && one.words.reason === cause);
          const isBoth = rows.some((one) => one.action !== row.action && one.words.reason === cause);
          const reason = isBoth && row.action === 'challenge' ? `${cause} · ${t('number.challenged')}` : cause;
          return {
            id: `${row.plugin}/${row.reason}/${row.action}`,
            label:
              plugin && isShared ? (
                <>
                  {plugin} <span className="text-sm text-muted">{reason}</span>
                </>
              ) : (
                reason
              ),
            title: plugin ? labelled(plugin, reason) : reason,
            value: row.requests,
            href: hrefOf(row),
          };
        })}
      />
    </Card>
  );
}

export interface CountriesProps {
  overview: TrafficOverview | undefined;
  hrefOf: (country: string) => string;
  className?: string;
}

export function Countries({ overview, hrefOf, className }: CountriesProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const listed = Math.min(LISTED, Math.max(COUNTRIES_MIN, overview?.top_domains.length ?? LISTED));
  const known = overview?.countries.filter((row) => row.country !== '');
  const hasMap = known?.length !== 0;
  const nameOf = (code: string) => (code === '' ? t('countries.unknown') : format.country(code));
  return (
    <Card title={t('countries.title')} className={className}>
      <div className={clsx('grid items-center gap-4', hasMap && 'md:grid-cols-2')}>
        {hasMap && (
          <WorldMap
            label={t('countries.map')}
            formatValue={(value) => t('countries.requests', { count: value })}
            values={known && Object.fromEntries(known.map((row) => [row.country, row.requests]))}
          />
        )}
        <BarList
          label={t('countries.title')}
          formatValue={format.compact}
          total={overview?.totals.requests}
          empty={nothing(t('countries.empty'))}
          items={overview?.countries.slice(0, listed).map((row) => ({
            id: row.country === '' ? 'unknown' : row.country,
            label: nameOf(row.country),
            value: row.requests,
            href: hrefOf(row.country),
          }))}
        />
      </div>
    </Card>
  );
}

interface TopDomainsProps {
  overview: TrafficOverview | undefined;
  hrefOf: (id: string) => string;
}

export function TopDomains({ overview, hrefOf }: TopDomainsProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  return (
    <Card title={t('domains.title')}>
      <BarList
        label={t('domains.title')}
        formatValue={format.compact}
        total={overview?.totals.requests}
        empty={nothing(t('domains.empty'))}
        items={overview?.top_domains.slice(0, LISTED).map((row) => ({
          id: row.route_id,
          label: <DottedText text={row.domain_name} />,
          title: row.domain_name,
          value: row.requests,
          href: hrefOf(row.route_id),
        }))}
      />
    </Card>
  );
}
