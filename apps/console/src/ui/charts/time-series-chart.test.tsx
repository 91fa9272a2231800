// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { TimeSeriesChart } from './time-series-chart';

const chart = (times: readonly number[] | undefined, isLastPartial: boolean, marked: readonly number[]) => (
  <TimeSeriesChart
    label="Traffic"
    times={times}
    series={[{ id: 'requests', label: 'Requests', values: times?.map(() => 4) ?? [] }]}
    formatValue={String}
    buckets={{ seconds: 900, isLastPartial }}
    marks={{ label: 'Deploys', times: marked }}
    foot="One point: 15 min"
  />
);
const words = () => ['One point: 15 min', /still being counted/, 'Deploys'].map((text) => screen.getByText(text));
const isSeen = (element: Element) => element.closest('.invisible') === null;

it('keeps the room of its caption before its data is there, and where nothing is partial or marked', () => {
  const { unmount } = renderWithWords(chart(undefined, false, []));
  expect(words().map(isSeen)).toEqual([false, false, false]);
  unmount();
  const whole = renderWithWords(chart([1_700_000_000, 1_700_000_900], false, []));
  expect(words().map(isSeen)).toEqual([true, false, false]);
  whole.unmount();
  renderWithWords(chart([1_700_000_000, 1_700_000_900], true, [1_700_000_100]));
  expect(words().map(isSeen)).toEqual([true, true, true]);
});

it.each([
  ['has just begun', 100, [4, 4], false],
  ['has come far enough to be drawn', 300, [4, 4], true],
  ['is the only one with anything', 100, [0, 4], true],
])(
  'says that the last point is still being counted only where it is drawn: it %s',
  (_what, counted, values, isSaid) => {
    renderWithWords(
      <TimeSeriesChart
        label="Traffic"
        times={[1_700_000_000, 1_700_000_900]}
        series={[{ id: 'requests', label: 'Requests', values }]}
        formatValue={String}
        buckets={{ seconds: 900, isLastPartial: true, until: 1_700_000_900 + counted }}
        foot="One point: 15 min"
      />,
    );
    expect(isSeen(screen.getByText(/still being counted/))).toBe(isSaid);
  },
);

it('names the marks right after the lines, before the room of lines that may come', () => {
  renderWithWords(
    <TimeSeriesChart
      label="Traffic"
      times={[1_700_000_000, 1_700_000_900]}
      series={[{ id: 'requests', label: 'Requests', values: [4, 4] }]}
      formatValue={String}
      marks={{ label: 'Deploys', times: [1_700_000_100] }}
      laterLabels={['Challenged']}
    />,
  );
  const names = [...(screen.getByText('Deploys').closest('ul')?.children ?? [])].map((one) => one.textContent);
  expect(names).toEqual(['Requests', '┆Deploys', 'Challenged']);
});
