// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { networkReturns } from '../../domain/testing/network-returns';
import { renderDomains } from '../../domain/testing/render-domains';
import GroupsDialog from './groups-dialog';

const api = vi.hoisted(() => ({ listGroups: vi.fn(), createGroup: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api }));

it('says why there are no groups, and asks again', async () => {
  api.listGroups
    .mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']))
    .mockResolvedValue({
      results: [{ id: '1', name: 'Shops', default_group: false, domain_count: 0 }],
    });
  await renderDomains(<GroupsDialog open onOpenChange={vi.fn()} />);
  expect(await screen.findByText('Please check your network')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Shops')).toBeTruthy();
});

it('says of a new group that there was no network until there is one again, or another name', async () => {
  api.listGroups.mockResolvedValue({ results: [] });
  api.createGroup.mockImplementation(() =>
    Promise.reject(new ApiError(0, undefined, undefined, ['Please check your network'])),
  );
  const said = /^Please check your network/;
  await renderDomains(<GroupsDialog open onOpenChange={vi.fn()} />);
  const name = await screen.findByRole('textbox', { name: 'New group' });
  await userEvent.type(name, 'Shops{Enter}');
  expect(await screen.findByText(said)).toBeTruthy();
  networkReturns();
  expect(screen.queryByText(said)).toBeNull();
  await userEvent.type(name, '{Enter}');
  expect(await screen.findByText(said)).toBeTruthy();
  await userEvent.type(name, '2');
  expect(screen.queryByText(said)).toBeNull();
});
