// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import ui from '../../locales/en/ui.json';
import { SummaryTable } from './summary-table';

it('tells an average without digits that say nothing', () => {
  const series = [{ id: 'requests', label: 'Requests', values: [100, 0, 100.6] }];
  render(
    <IntlProvider locale="en" messages={{ ui } as never} timeZone="UTC">
      <SummaryTable label="Traffic" times={[1, 2, 3]} series={series} formatValue={String} />
    </IntlProvider>,
  );
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toContain('67');
});
