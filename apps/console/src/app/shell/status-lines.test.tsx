// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { expect, it, vi } from 'vitest';
import pages from '../../locales/en/pages.json';
import StatusLines from './status-lines';

const session = vi.hoisted(() => ({ status: 'signed-in', isOnline: true }));
vi.mock('../session/session', () => ({ getSession: () => session }));
vi.mock('../live-events', () => ({ useOnline: () => session.isOnline, useLiveStatus: () => 'down' }));
vi.mock('../deployment-config', () => ({
  deploymentConfigOptions: { queryKey: ['deployment'], queryFn: async () => ({ absent_parts: [] }) },
}));

it.each([
  ['signed-in', 1],
  // The screen itself says who has signed out.
  ['ended', 0],
])('where updates do not arrive, %s, says so %s times', (status, times) => {
  session.status = status;
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages } as never}>
      <QueryClientProvider client={new QueryClient()}>
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>,
  );
  expect(screen.queryAllByText('Live updates are interrupted.')).toHaveLength(times);
});

it('tells offline the time of the data, but where a part of the screen could not be read there is none', async () => {
  session.isOnline = false;
  const client = new QueryClient();
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages } as never}>
      <QueryClientProvider client={client}>
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>,
  );
  screen.getByText(/^Offline · data of \d/);
  const list = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => Promise.reject(new Error()),
    retry: false,
  });
  const leave = list.subscribe(() => {});
  await screen.findByText('Offline.');
  expect(screen.queryByText(/data of/)).toBeNull();
  leave();
  await screen.findByText(/^Offline · data of \d/);
  session.isOnline = true;
});
