// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { api } from '../api-client';
import { getBrand } from '../brand';
import { TopBar } from './top-bar';

it('says that the plan could not be read, and asks again', async () => {
  window.localStorage.clear();
  Object.assign(getBrand(), { support_email: 'support@cordon.test' });
  const list = vi.spyOn(api, 'listSubscriptions').mockRejectedValueOnce(new Error('no network'));
  renderWithWords(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TopBar onToggleSidebar={() => {}} onOpenDrawer={() => {}} />
    </QueryClientProvider>,
  );
  const plan = {
    ...{ id: '1', cname: 'c.example', czone: 'free01', plan_name: 'Free', tier: 'free', usage: { domains: 3 } },
    ...{ additional_domain_number: 0, features: { domains: 5 } },
  };
  list.mockResolvedValue({ success: true, results: [plan as never], count: 1, page: 1, perpage: 100 });
  fireEvent.click(await screen.findByRole('button', { name: 'Load plan again' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Subscription Free/ }));
  expect(await screen.findByText('3 of 5 domains used, aliases included', { exact: false })).toBeTruthy();
  // What is used of it, and how to get more.
  const upgrade = screen.getByRole<HTMLAnchorElement>('menuitem', { name: 'Upgrade support@cordon.test' });
  expect(upgrade.href).toBe('mailto:support@cordon.test');
});
