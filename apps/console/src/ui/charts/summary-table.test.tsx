// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { SummaryTable } from './summary-table';

it('tells an average without digits that say nothing', () => {
  const series = [{ id: 'requests', label: 'Requests', values: [100, 0, 100.6] }];
  renderWithWords(<SummaryTable label="Traffic" times={[1, 2, 3]} series={series} formatValue={String} />);
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toContain('67');
});
