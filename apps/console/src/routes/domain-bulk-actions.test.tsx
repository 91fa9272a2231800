// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../domain/testing/render-domains';
import DomainBulkActions from './domain-bulk-actions';

vi.mock('../app/api-client', () => ({ api: {}, queryClient: {} }));

it('has all buttons at once, and last the one that deletes', async () => {
  await renderDomains(
    <DomainBulkActions
      picked={{ names: new Map([['x', 'x.example']]), isAllMatching: false }}
      rows={[]}
      filter={{}}
      all={1}
      matching={undefined}
      onSelectAllMatching={vi.fn()}
      onStarted={vi.fn()}
    />,
  );
  const buttons = within(screen.getByTestId('here')).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Deploy',
    'Resume',
    'Deactivate',
    'Move to group',
    'Clear cache',
    'More',
    'Apply template',
    'Delete',
  ]);
});
