// @vitest-environment happy-dom
import { ApiError, type TrafficOverview, type TrafficRange } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import ui from '../../locales/en/ui.json';
import { DashboardScreen } from './dashboard-screen';
import traffic from './locales/en.json';
import { trafficKeys } from './queries';

const { getTrafficOverview } = vi.hoisted(() => ({ getTrafficOverview: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api: { getTrafficOverview } }));

const totals = {
  requests: 1200,
  bytes: 3_400_000,
  blocked: 30,
  status_2xx: 1100,
  status_3xx: 40,
  status_4xx: 50,
  status_5xx: 10,
};
const overview: TrafficOverview = {
  range: '15m',
  from: '2026-11-20T10:00:00Z',
  to: '2026-11-20T10:15:00Z',
  bucket_seconds: 15,
  totals,
  previous: { ...totals, requests: 1000 },
  series: [],
  blocked_by_reason: [{ plugin: 'some-plugin', reason: 'some_reason', requests: 30 }],
  countries: [
    { country: 'DE', requests: 700, blocked: 0 },
    { country: '', requests: 500, blocked: 30 },
  ],
  top_domains: [
    {
      route_id: '0190f3a0-0000-7000-8000-000000000001',
      domain_name: 'shop.example.com',
      requests: 1200,
      bytes: 1,
      blocked: 30,
    },
  ],
};

async function show(onRangeChange: (range: TrafficRange) => void = () => {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = createRootRoute({
    component: () => (
      <DashboardScreen
        range="15m"
        onRangeChange={onRangeChange}
        reasonText={(plugin, reason) => ({ plugin, reason })}
      />
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <IntlProvider locale="en" messages={{ traffic, ui } as never} timeZone="UTC">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </IntlProvider>,
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
  return client;
}

beforeAll(() => needCatalogs('errors'));
afterEach(() => vi.clearAllMocks());

describe('dashboard', () => {
  it('shows the numbers of the range with their change', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await show();
    expect(await screen.findByText('1,200', { selector: 'p > span' })).toBeTruthy();
    expect(screen.getByText('+20%')).toBeTruthy();
    expect(screen.getByText('0.83%')).toBeTruthy();
    expect(screen.getByTitle('some-plugin: some_reason').textContent).toBe('some_reason');
    expect(screen.getByText('Germany')).toBeTruthy();
    expect(screen.getByText('Unknown')).toBeTruthy();
    expect(screen.getByText('shop.example.com')).toBeTruthy();
  });
  it('says what to do when there is no traffic yet', async () => {
    const none = { requests: 0, bytes: 0, blocked: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0 };
    getTrafficOverview.mockResolvedValue({
      success: true,
      result: { ...overview, totals: none, previous: none, countries: [], top_domains: [], blocked_by_reason: [] },
    });
    await show();
    expect(await screen.findByText('No traffic yet')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Go to domains' })).toBeTruthy();
  });
  it('says why it has no numbers and offers to try again', async () => {
    getTrafficOverview.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
    await show();
    expect(await screen.findByRole('alert')).toBeTruthy();
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('shop.example.com')).toBeTruthy();
  });
  it('keeps the last numbers, and says so, when a later reading fails', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const client = await show();
    await screen.findByText('shop.example.com');
    getTrafficOverview.mockRejectedValue(new ApiError(503, 'UNAVAILABLE', undefined, ['code.UNAVAILABLE']));
    await client.refetchQueries({ queryKey: trafficKeys.all });
    expect(await screen.findByText(/the last attempt to read newer ones failed/)).toBeTruthy();
    expect(screen.getByText('shop.example.com')).toBeTruthy();
  });
  it('reads the numbers of a short range again within 5 s, and shows them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      getTrafficOverview.mockResolvedValue({ success: true, result: overview });
      await show();
      await screen.findByText('1,200', { selector: 'p > span' });
      getTrafficOverview.mockResolvedValue({
        success: true,
        result: { ...overview, totals: { ...totals, requests: 1201 } },
      });
      await vi.advanceTimersByTimeAsync(5_000);
      expect(screen.getByText('1,201', { selector: 'p > span' })).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });
  it('asks for another range', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const onRangeChange = vi.fn();
    await show(onRangeChange);
    await userEvent.click(screen.getByRole('radio', { name: '24 h' }));
    expect(onRangeChange).toHaveBeenCalledWith('24h');
  });
});
