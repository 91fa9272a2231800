// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { expect, it, vi } from 'vitest';
import pages from '../../locales/en/pages.json';
import StatusLines from './status-lines';

const session = vi.hoisted(() => ({ status: 'signed-in' }));
vi.mock('../session/session', () => ({ getSession: () => session }));
vi.mock('../live-events', () => ({ useOnline: () => true, useLiveStatus: () => 'down' }));
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
