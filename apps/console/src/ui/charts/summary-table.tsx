import { useTranslations } from 'use-intl';
import { useFormat } from '../format';
import type { TimeSeries } from './chart-types';

/** An average of whole numbers, without digits that say nothing: `67`, `6.7`. */
const rounded = (average: number) => (average >= 10 ? Math.round(average) : Math.round(average * 10) / 10);

/** What a chart shows, in words: lowest, highest, average and latest value of each series. */
export function SummaryTable({
  label,
  times,
  series,
  formatValue,
}: {
  label: string;
  times: readonly number[];
  series: readonly TimeSeries[];
  formatValue: (value: number) => string;
}) {
  const t = useTranslations('ui');
  const format = useFormat();
  return (
    // The wrapper hides it: a table itself never gets as narrow as one pixel.
    <div className="sr-only">
      <table>
        <caption>
          {t('chart.summary', {
            label,
            from: format.dateTime((times[0] ?? 0) * 1000),
            to: format.dateTime((times.at(-1) ?? 0) * 1000),
          })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('chart.series')}</th>
            <th scope="col">{t('chart.lowest')}</th>
            <th scope="col">{t('chart.highest')}</th>
            <th scope="col">{t('chart.average')}</th>
            <th scope="col">{t('chart.latest')}</th>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => {
            const values = one.values.filter((value) => value !== null);
            const show = (value: number | undefined) =>
              value === undefined || !Number.isFinite(value) ? '–' : formatValue(value);
            return (
              <tr key={one.id}>
                <th scope="row">{one.label}</th>
                <td>{show(values.reduce((a, b) => Math.min(a, b), Infinity))}</td>
                <td>{show(values.reduce((a, b) => Math.max(a, b), -Infinity))}</td>
                <td>{show(rounded(values.reduce((a, b) => a + b, 0) / values.length))}</td>
                <td>{show(values.at(-1))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
