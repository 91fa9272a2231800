// @vitest-environment happy-dom
import { type AccountHealth, ApiError, type TrafficOverview } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import combobox from '../../domain/combobox/locales/en.json';
import health from '../../domain/health/locales/en.json';
import { cacheSummaryOf } from '../../domain/testing/sample-cache';
import ui from '../../locales/en/ui.json';
import { DashboardScreen, type DashboardScreenProps } from './dashboard-screen';
import traffic from './locales/en.json';
import { trafficKeys } from './queries';

const { getTrafficOverview, listTopDomains, listRecentRequests, getAccountHealth, getMe, getRoute } = vi.hoisted(
  () => ({
    getTrafficOverview: vi.fn(),
    listTopDomains: vi.fn(),
    listRecentRequests: vi.fn(),
    getAccountHealth: vi.fn(),
    getMe: vi.fn(),
    getRoute: vi.fn(),
  }),
);
const live = vi.hoisted(() => ({ handlers: new Map<string, (event: object) => void>() }));
vi.mock('../../app/live-events', () => ({
  useLiveEvents: (slot: string, handler: (event: object) => void) => void live.handlers.set(slot, handler),
}));
vi.mock('../../app/api-client', () => ({
  api: {
    getTrafficOverview,
    listTopDomains,
    listRecentRequests,
    getAccountHealth,
    listRoutes: () => new Promise(() => {}),
    getRoute,
    getMe,
  },
}));

const well: AccountHealth = { counts: { error: 0, warning: 0, off: 0, ok: 3 }, worst: [] };
const worst: AccountHealth = {
  counts: { error: 1, warning: 1, off: 2, ok: 124 },
  worst: [
    {
      route_id: '0190f3a0-0000-7000-8000-000000000002',
      domain_name: 'checkout.example.com',
      domain_name_unicode: 'checkout.example.com',
      health: {
        state: 'error',
        findings: [
          {
            check: 'upstream',
            state: 'error',
            finding: 'none_answers',
            params: { asked: 1 },
            advice: 'check_origin',
            since: null,
          },
        ],
        looked_at: null,
      },
    },
  ],
};

/** The sign that all is well. */
const wellSign = () => screen.getByRole('region', { name: 'Health of your domains' }).querySelector('.text-success');
const totals = {
  requests: 1200,
  bytes: 3_400_000,
  blocked: 30,
  challenged: 0,
  passed: 0,
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
  cache: cacheSummaryOf({ hit: 600, uncached: 200, bypass: 200 }, { hit: 500, miss: 500 }),
  plugins: [],
  stopped_by_reason: [{ plugin: 'some-plugin', reason: 'some_reason', action: 'block', requests: 30 }],
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
      challenged: 0,
      passed: 0,
    },
  ],
};

/** The dashboard whose range can be chosen. */
function Ranges() {
  const [search, setSearch] = useState<DashboardScreenProps['search']>({
    range: '15m',
    domain: undefined,
    match: undefined,
  });
  return (
    <DashboardScreen
      search={search}
      onSearchChange={(change) => setSearch((before) => ({ ...before, ...change }))}
      reasonText={(plugin, reason) => ({ plugin, reason })}
      AddressDialog={({ action, address }) => <p data-testid="asked">{`${action} ${address}`}</p>}
      firstSteps={null}
      attackButton={null}
      attackBanner={null}
      isAttackKnown
    />
  );
}

async function show(change: Partial<DashboardScreenProps> = {}, Screen?: () => ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = createRootRoute({
    component:
      Screen ??
      (() => (
        <DashboardScreen
          search={{ range: '15m', domain: undefined, match: undefined }}
          onSearchChange={() => {}}
          reasonText={(plugin, reason) => ({ plugin, reason })}
          AddressDialog={({ action, address }) => <p data-testid="asked">{`${action} ${address}`}</p>}
          firstSteps={<p>First steps</p>}
          attackButton={<button type="button">Attack</button>}
          attackBanner={null}
          isAttackKnown
          {...change}
        />
      )),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <IntlProvider locale="en" messages={{ traffic, ui, health, combobox } as never} timeZone="UTC">
      <QueryClientProvider client={client}>
        <main>
          <RouterProvider router={router as never} />
        </main>
      </QueryClientProvider>
    </IntlProvider>,
  );
  await screen.findByRole('heading', { name: 'Dashboard', hidden: true });
  return client;
}

beforeAll(() => needCatalogs('errors', 'ui'));

const AWAY_BODY = { success: false, code: 'TRAFFIC_UNAVAILABLE', message: '', request_id: 'r' } as const;
const TRAFFIC_AWAY = new ApiError(503, 'TRAFFIC_UNAVAILABLE', AWAY_BODY, ['code.TRAFFIC_UNAVAILABLE']);
const accountOf = (created_at: string) => ({
  success: true,
  result: { user: { locale: null }, account: { time_zone: 'UTC', created_at } },
});
beforeEach(() => {
  getAccountHealth.mockResolvedValue({ success: true, result: well });
  getMe.mockResolvedValue(accountOf('2026-01-01T00:00:00Z'));
  getRoute.mockReturnValue(new Promise(() => {}));
  listRecentRequests.mockResolvedValue({ success: true, result: [] });
});
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
  it('compares with nothing before the account was there, and calls what was next to nothing no multiple', async () => {
    const result = { ...overview, previous: { ...totals, requests: 1, bytes: 3_000_000 } };
    getTrafficOverview.mockResolvedValue({ success: true, result });
    await show();
    expect(await screen.findByText('>999%')).toBeTruthy();
    expect(screen.getByText('+13.3%')).toBeTruthy();
    cleanup();
    getMe.mockResolvedValue(accountOf('2026-11-20T09:50:00Z'));
    await show();
    await screen.findByText('1,200', { selector: 'p > span' });
    expect(screen.queryByText('>999%')).toBeNull();
    expect(screen.queryByText('+13.3%')).toBeNull();
  });
  it('draws by the minute a day whose data came within an hour, and says since when', async () => {
    const before = { ...totals, requests: 0, bytes: 0, blocked: 0 };
    const pointAt = (time: string, requests: number) => ({ time, ...totals, requests });
    const day: TrafficOverview = {
      ...overview,
      range: '24h',
      bucket_seconds: 900,
      previous: before,
      series: [pointAt('2026-11-20T10:00:00Z', 0), pointAt('2026-11-20T10:15:00Z', 1200)],
      to: '2026-11-20T10:20:00Z',
    };
    const minutes = [pointAt('2026-11-20T10:16:00Z', 0), pointAt('2026-11-20T10:17:00Z', 1200)];
    const hour: TrafficOverview = { ...day, range: '1h', bucket_seconds: 60, series: minutes };
    getTrafficOverview.mockImplementation(async ({ query }) => ({ result: query.range === '1h' ? hour : day }));
    await show({ search: { range: '24h', domain: undefined, match: undefined } });
    expect(await screen.findByText(/^Since .*10:17.* · One point: 1\smin/)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Requests' })).toBeTruthy();
    cleanup();
    getTrafficOverview.mockResolvedValue({ result: { ...day, previous: totals } });
    await show({ search: { range: '24h', domain: undefined, match: undefined } });
    expect(await screen.findByText(/^One point: 15\smin/)).toBeTruthy();
  });
  it('draws no map where of no request the country is known', async () => {
    const maps = () => document.querySelectorAll('[class*="aspect-"]').length;
    getTrafficOverview.mockResolvedValue({ result: overview });
    await show();
    await screen.findByText('Germany');
    expect(maps()).toBe(1);
    cleanup();
    getTrafficOverview.mockResolvedValue({ result: { ...overview, countries: overview.countries.slice(1) } });
    await show();
    await screen.findByText('Unknown');
    expect(maps()).toBe(0);
  });
  it('says what to do when there is no traffic yet', async () => {
    const none = Object.fromEntries(Object.keys(totals).map((measure) => [measure, 0]));
    getTrafficOverview.mockResolvedValue({
      success: true,
      result: { ...overview, totals: none, previous: none, countries: [], top_domains: [], stopped_by_reason: [] },
    });
    await show();
    expect(await screen.findByText('No traffic yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to domains' })).toBeTruthy();
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
    getTrafficOverview.mockRejectedValue(TRAFFIC_AWAY);
    await client.refetchQueries({ queryKey: trafficKeys.all });
    expect(
      await screen.findByText(/^Showing data as of .*; refresh failed: Traffic data is not available/),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
    expect(wellSign()).toBeNull();
    expect(screen.getByText(/^As of .*: All 3 domains are healthy$/)).toBeTruthy();
    expect(screen.getByText('shop.example.com')).toBeTruthy();
  });
  it('keeps the numbers of the range before where the next cannot be read, and names it', async () => {
    getTrafficOverview.mockImplementation(async ({ query }) => {
      if (query.range === '15m') return { success: true, result: overview };
      throw TRAFFIC_AWAY;
    });
    await show({}, Ranges);
    await screen.findByText('shop.example.com');
    await userEvent.click(screen.getByRole('radio', { name: '1 h' }));
    expect(await screen.findByText(/Showing data for the last 15 min\./)).toBeTruthy();
    expect(screen.getByText('shop.example.com')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
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
    const onSearchChange = vi.fn();
    await show({ onSearchChange });
    await userEvent.click(screen.getByRole('radio', { name: '24 h' }));
    expect(onSearchChange).toHaveBeenCalledWith({ range: '24h' });
  });
  it('names first the domains that need fixing, with the way to the cure', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    getAccountHealth.mockResolvedValue({ success: true, result: worst });
    await show();
    expect(await screen.findByText('2 need fixing')).toBeTruthy();
    expect(screen.getByRole('link', { name: '2 need fixing' }).getAttribute('href')).toBe(
      '#/domain/list?health=attention',
    );
    expect(screen.getByRole('link', { name: '124 of 128 domains are healthy' }).getAttribute('href')).toBe(
      '#/domain/list?health=attention',
    );
    expect(screen.getByText('Origin down')).toBeTruthy();
    const page = '#/domain/list/0190f3a0-0000-7000-8000-000000000002';
    expect(screen.getByRole('link', { name: 'checkout.example.com' }).getAttribute('href')).toBe(page);
    expect(screen.getByRole('link', { name: 'Open origin' }).getAttribute('href')).toBe(`${page}?tab=upstreams`);
  });
  it('tells one cause of many domains in one line, and never offers less protection as its cure', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const [down] = worst.worst as [AccountHealth['worst'][number]];
    const unmet = (name: string) => ({
      route_id: name,
      domain_name: name,
      domain_name_unicode: name,
      health: {
        state: 'warning' as const,
        looked_at: null,
        findings: [
          {
            check: 'traffic' as const,
            state: 'warning' as const,
            finding: 'challenges_unmet',
            params: { challenged: 700, minutes: 15 },
            advice: 'check_challenge' as const,
            since: null,
          },
        ],
      },
    });
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    const counts = { error: 1, warning: 4, off: 0, ok: 0 };
    getAccountHealth.mockResolvedValue({ result: { counts, worst: [down, ...names.map(unmet)] } });
    await show();
    const many = within((await screen.findByText('4 domains')).closest('li') as HTMLElement);
    many.getByText('2,800 challenged, none passed · a.example, b.example, c.example …');
    expect(many.getByRole('link', { name: 'Show' }).getAttribute('href')).toBe('#/domain/list?health=attention');
    expect(screen.getAllByText('No visitor passes')).toHaveLength(1);
    expect(many.queryByRole('button')).toBeNull();
    // All of them are there: nothing more to show.
    expect(screen.queryByText('Show all 5')).toBeNull();
    cleanup();
    // Two have more to say by themselves.
    getAccountHealth.mockResolvedValue({ result: { counts, worst: names.slice(2).map(unmet) } });
    await show();
    expect(await screen.findAllByText('No visitor passes')).toHaveLength(2);
    expect(screen.getAllByRole('link', { name: 'Trace a request' })[0]?.getAttribute('href')).toBe(
      '#/domain/list/c.example?tab=diagnosis&view=trace',
    );
  });
  it('leaves no empty place above why nothing could be read', async () => {
    window.localStorage.setItem('list-sizes', JSON.stringify({ health: 108 }));
    const failure = new ApiError(500, 'INTERNAL', undefined, ['code.INTERNAL']);
    getTrafficOverview.mockRejectedValue(failure);
    getAccountHealth.mockRejectedValue(failure);
    await show();
    const card = (await screen.findByRole('alert')).closest('section');
    expect(card?.previousElementSibling).toBeNull();
    getAccountHealth.mockResolvedValue({ result: well });
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('All 3 domains are healthy')).toBeTruthy();
    expect(wellSign()).not.toBeNull();
    expect(await screen.findByText('shop.example.com')).toBeTruthy();
  });
  it('says of the one domain that is shown how it is, with the cure', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const [checkout] = worst.worst;
    const id = checkout?.route_id ?? '';
    const search = { range: '15m', domain: id, match: undefined } as const;
    getRoute.mockResolvedValue({ result: { ...checkout, id, created_at: '2026-01-01T00:00:00Z' } });
    await show({ search });
    const card = within(await screen.findByRole('region', { name: 'Health of checkout.example.com' }));
    card.getByText('Origin down');
    expect(card.getByRole('link', { name: 'Open origin' }).getAttribute('href')).toBe(
      `#/domain/list/${id}?tab=upstreams`,
    );
    cleanup();
    // An origin that answers with a certificate that is refused is not down.
    const [down] = checkout?.health.findings ?? [];
    const refused = { ...checkout?.health, findings: [{ ...down, advice: 'fix_origin_certificate' }] };
    getRoute.mockResolvedValue({ result: { ...checkout, id, health: refused, created_at: '2026-01-01T00:00:00Z' } });
    await show({ search });
    expect(await screen.findByText('Origin TLS refused')).toBeTruthy();
    cleanup();
    const health = { state: 'ok', findings: [], looked_at: null };
    getRoute.mockResolvedValue({ result: { ...checkout, id, health, created_at: '2026-01-01T00:00:00Z' } });
    await show({ search });
    const well = within(await screen.findByRole('region', { name: 'Health of checkout.example.com' }));
    well.getByText('checkout.example.com is healthy');
    expect(well.getByRole('link', { name: 'Open the domain' }).getAttribute('href')).toBe(`#/domain/list/${id}`);
  });
  it('leads from every number and line to the only domain with traffic', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await show();
    await screen.findByText('1,200', { selector: 'p > span' });
    const page = '#/domain/list/0190f3a0-0000-7000-8000-000000000001';
    const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf(/^Requests$/)).toBe(`${page}?by=requests`);
    expect(hrefOf(/^Bandwidth/)).toBe(page);
    expect(hrefOf(/^Blocked/)).toBe(`${page}?blocked=true`);
    expect(hrefOf(/^Server errors/)).toBe(`${page}?status=5xx`);
    expect(hrefOf(/^4xx/)).toBe(`${page}?status=4xx`);
    expect(hrefOf(/^some_reason/)).toBe(`${page}?plugin=some-plugin&reason=some_reason`);
    expect(hrefOf(/^Germany/)).toBe(`${page}?country=DE`);
    expect(hrefOf(/^shop\. ?example\. ?com/)).toBe('#/dashboard?range=15m&domain=0190f3a0-0000-7000-8000-000000000001');
  });
  it('leads from what is told of several domains to a list of them', async () => {
    const ban = { plugin: 'ban', reason: 'banned', action: 'block', requests: 3 };
    const other = { ...overview.top_domains[0], route_id: '0190f3a0-0000-7000-8000-000000000003', blocked: 90 };
    const several = {
      ...overview,
      stopped_by_reason: [...overview.stopped_by_reason, ban],
      top_domains: [...overview.top_domains, { ...other, domain_name: 'api.example.com' }],
    };
    getTrafficOverview.mockResolvedValue({ success: true, result: several });
    await show();
    await screen.findByText('1,200', { selector: 'p > span' });
    const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf(/^Blocked/)).toBe('#/dashboard?range=15m&blocked=true');
    expect(hrefOf(/^some_reason/)).toBe('#/dashboard?range=15m&plugin=some-plugin&reason=some_reason');
    expect(hrefOf(/^Germany/)).toBe('#/dashboard?range=15m&country=DE');
    expect(hrefOf(/^Unknown/)).toBe('#/dashboard?range=15m&country=');
    expect(hrefOf(/^banned/)).toBe('#/dashboard?range=15m&plugin=ban&reason=banned');
    expect(hrefOf(/^Requests$/)).toBe('#/dashboard?range=15m&by=requests');
    expect(hrefOf(/^Bandwidth/)).toBe('#/dashboard?range=15m&by=bytes');
    expect(hrefOf(/^Server errors/)).toBe('#/dashboard?range=15m&status=5xx');
    expect(hrefOf(/^5xx/)).toBe('#/dashboard?range=15m&status=5xx');
    expect(hrefOf(/^api\. ?example\. ?com/)).toBe(`#/dashboard?range=15m&domain=${other.route_id}`);
  });
  it('tells challenged requests apart from blocked ones, and how many challenges were passed', async () => {
    const challenge = { plugin: 'challenge', reason: 'proof_required', action: 'challenge', requests: 90 } as const;
    const challenged = { ...totals, challenged: 90, passed: 12 };
    const result = {
      ...overview,
      totals: challenged,
      previous: { ...totals, challenged: 30, passed: 12 },
      stopped_by_reason: [challenge, ...overview.stopped_by_reason],
      series: [{ time: '2026-11-20T10:00:00Z', ...challenged }],
    };
    getTrafficOverview.mockResolvedValue({ success: true, result });
    await show();
    const link = await screen.findByRole('link', { name: '12/90 challenges passed' });
    expect(link.title).toBe('90 challenged · 12 passed');
    const blocked = screen.getByRole('heading', { name: /^Blocked/ }).closest('section') as HTMLElement;
    expect(within(blocked).getByText('30')).toBeTruthy();
    expect(blocked.contains(link)).toBe(true);
    // As many cards as before the numbers were known: nothing below them moves.
    expect(blocked.parentElement?.children).toHaveLength(5);
    const page = '#/domain/list/0190f3a0-0000-7000-8000-000000000001';
    const hrefOf = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(link.getAttribute('href')).toBe(`${page}?challenged=true`);
    const reason = /^proof_required/;
    expect(hrefOf(reason)).toBe(`${page}?plugin=challenge&reason=proof_required&challenged=true`);
    // Of all that was stopped: 90 of 120.
    expect(screen.getByRole('link', { name: reason }).textContent).toContain('75.0%');
  });
  it('has a reason to wait among what was stopped, and counts it as no challenge', async () => {
    const wait = { plugin: 'seclink', reason: 'wait_required', action: 'challenge', requests: 90 } as const;
    const result = { ...overview, stopped_by_reason: [wait, ...overview.stopped_by_reason] };
    getTrafficOverview.mockResolvedValue({ success: true, result });
    await show();
    const link = await screen.findByRole('link', { name: /^wait_required/ });
    // Of all that was stopped: 90 of 120.
    expect(link.textContent).toContain('75.0%');
    expect(link.closest('section')?.textContent).toContain('Stopped requests by reason');
    expect(screen.queryByRole('link', { name: /challenged/ })).toBeNull();
  });
  it('has no number of challenges where there are none', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await show();
    await screen.findByText('1,200', { selector: 'p > span' });
    expect(screen.queryByText(/challenges passed/)).toBeNull();
  });
  it('lists the domains behind a number, each leading to its requests of that kind', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const id = '0190f3a0-0000-7000-8000-000000000003';
    const row = { route_id: id, domain_name: 'api.example.com', requests: 500, blocked: 20, value: 500 };
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [row], count: 3 } });
    const onSearchChange = vi.fn();
    await show({ search: { range: '24h', domain: undefined, match: { country: '' } }, onSearchChange });
    const line = await screen.findByRole('link', { name: /^api\. ?example\. ?com/ });
    expect(line.getAttribute('href')).toBe(`#/domain/list/${id}?country=`);
    expect(line.textContent).toBe('api.example.com 20 blocked500');
    expect(listTopDomains.mock.calls[0]?.[0].query).toEqual({ range: '24h', country: '' });
    expect(screen.getByRole('heading', { name: 'Unknown' })).toBeTruthy();
    expect(screen.getByText('And 2 more domains.')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(onSearchChange).toHaveBeenCalledWith({ match: undefined });
  });
  it.each([
    [{ status: '5xx' }, '5xx server error', 'api.example.com of 500 requests40100.0%', '?status=5xx'],
    [{ by: 'bytes' }, 'Bandwidth', 'api.example.com40\u00a0B100.0%', 'range=24h&domain='],
  ] as const)('lists the domains behind %o in its own measure', async (match, title, text, href) => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const row = { route_id: 'some-id', domain_name: 'api.example.com', requests: 500, blocked: 20, value: 40 };
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [row], count: 1 } });
    await show({ search: { range: '24h', domain: undefined, match } });
    const line = await screen.findByRole('link', { name: /^api\. ?example\. ?com/ });
    expect(line.textContent).toBe(text);
    expect(line.getAttribute('href')).toContain(href);
    expect(listTopDomains.mock.calls[0]?.[0].query).toEqual({ range: '24h', ...match });
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  });
  it.each([
    ['challenge', 'proof_required', 'Challenged requests by domain, last 24 h'],
    ['seclink', 'wait_required', 'Requests by domain, last 24 h'],
  ])('says of what %s stopped by a challenge that it was one, of waits not', async (plugin, reason, said) => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const row = { route_id: 'some-id', domain_name: 'api.example.com', requests: 40, blocked: 0, value: 40 };
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [row], count: 1 } });
    await show({ search: { range: '24h', domain: undefined, match: { plugin, reason, challenged: true } } });
    expect(await screen.findByText(said)).toBeTruthy();
  });
  it('names the addresses and paths of the last requests behind a number, most frequent first', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const row = { route_id: 'some-id', domain_name: 'api.example.com', requests: 500, blocked: 40, value: 40 };
    const other = { ...row, route_id: 'other-id', domain_name: 'www.example.com', blocked: 10, value: 10 };
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [row, other], count: 2 } });
    const logged = (client_address: string, path: string) => ({
      ...{ client_address, path, country: 'DE', domain_name: 'api.example.com' },
    });
    listRecentRequests.mockResolvedValue({
      success: true,
      result: [logged('198.51.100.7', '/login'), logged('81.2.69.9', '/login'), logged('81.2.69.9', '/')],
    });
    await show({ search: { range: '24h', domain: undefined, match: { blocked: true } } });
    const line = await screen.findByRole('link', { name: /^api\. ?example\. ?com/ });
    expect(line.textContent).toBe('api.example.com of 500 requests4080.0%');
    const linesOf = async (name: string) =>
      within(await screen.findByRole('list', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    expect(await linesOf('Client addresses')).toEqual([
      '81.2.69.9 Germany266.7%BanAllow',
      // A special address, which lists ignore.
      '198.51.100.7 Germany133.3%',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Ban 81.2.69.9' }));
    expect(screen.getByTestId('asked').textContent).toBe('ban 81.2.69.9');
    fireEvent.click(screen.getByRole('button', { name: 'Add 81.2.69.9 to the allow list' }));
    expect(screen.getByTestId('asked').textContent).toBe('allow 81.2.69.9');
    expect(await linesOf('Paths')).toEqual(['/login api.example.com266.7%', '/ api.example.com133.3%']);
    expect(screen.getAllByText('Sample: the last 3 requests of this kind')).toHaveLength(2);
    expect(listRecentRequests.mock.calls[0]?.[0].query).toMatchObject({ action: 'block', limit: 100 });
  });
  it('offers to unban the address that a ban refused last, in place of another ban', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [], count: 0 } });
    const refused = { path: '/', country: 'DE', domain_name: 'api.example.com', reason: 'banned', action: 'block' };
    listRecentRequests.mockResolvedValue({ success: true, result: [{ ...refused, client_address: '2001:db8::7' }] });
    await show({ search: { range: '24h', domain: undefined, match: { plugin: 'ban', reason: 'banned' } } });
    const unban = await screen.findByRole('link', { name: 'Unban 2001:db8::7' });
    expect(unban.getAttribute('href')).toBe('#/manage-ip?q=2001%3Adb8%3A%3A7');
    expect(screen.queryByRole('button', { name: /^Ban / })).toBeNull();
  });
  it('says that nothing was blocked, and why the domains could not be read', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    listTopDomains.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Please check your network']));
    await show({ search: { range: '24h', domain: undefined, match: { blocked: true } } });
    expect(await screen.findByRole('alert')).toBeTruthy();
    listTopDomains.mockResolvedValue({ success: true, result: { domains: [], count: 0 } });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nothing was stopped in this range.')).toBeTruthy();
  });
  it('shows one domain where the address asks for it, and not the health of the others', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const domain = '0190f3a0-0000-7000-8000-000000000001';
    await show({ search: { range: '24h', domain, match: undefined } });
    await screen.findByText('1,200', { selector: 'p > span' });
    expect(getTrafficOverview.mock.calls[0]?.[0].query).toEqual({ range: '24h', route_id: domain });
    expect(screen.queryByText('All 3 domains are healthy')).toBeNull();
    expect(screen.getByRole('link', { name: /^Requests$/ }).getAttribute('href')).toBe(
      `#/domain/list/${domain}?by=requests`,
    );
  });
  it('shows at once what a diagnosis has found meanwhile', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await show();
    const well = await screen.findByRole('link', { name: 'All 3 domains are healthy' });
    expect(well.getAttribute('href')).toBe('#/domain/list');
    getAccountHealth.mockResolvedValue({ result: worst });
    act(() => live.handlers.get('domain')?.({ id: worst.worst[0]?.route_id }));
    expect(await screen.findByText('124 of 128 domains are healthy')).toBeTruthy();
  });

  it('keeps what is below the findings where it is while their number changes, until more are asked for', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const [first] = worst.worst as [AccountHealth['worst'][number]];
    const answer = (count: number) => {
      const judged = Array.from({ length: count }, (_, place) => ({ ...first, route_id: `${place}` }));
      const counts = { error: count, warning: 0, off: 0, ok: 9 - count };
      getAccountHealth.mockResolvedValue({ result: { counts, worst: judged } });
    };
    const found = async (count: number) => {
      answer(count);
      act(() => live.handlers.get('domain')?.({ id: first.route_id }));
      await screen.findByText(count === 0 ? 'All 9 domains are healthy' : `${9 - count} of 9 domains are healthy`);
    };
    const heights = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(45);
    answer(1);
    await show();
    const list = (await screen.findByText('Origin down')).closest('ul') as HTMLElement;
    const rows = () => list.querySelectorAll('li').length;
    await found(2);
    expect(rows()).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Show 1 more' }));
    expect(rows()).toBe(2);
    expect(screen.queryByRole('button', { name: 'Show 1 more' })).toBeNull();
    // The focus went with the button: the keyboard goes on from the heading.
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    await found(0);
    // Its room stays, also for what comes again.
    expect([list.isConnected, rows(), list.style.minHeight]).toEqual([true, 0, '45px']);
    await found(2);
    expect(rows()).toBe(2);
    await found(0);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(list.isConnected).toBe(false);
    heights.mockRestore();
  });

  it('says for how long a domain has been so, and how much is left of its pause', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 5_000).toISOString();
    const [domain] = worst.worst as [AccountHealth['worst'][number]];
    const [down] = domain.health.findings as [(typeof domain.health.findings)[number]];
    const paused = { ...down, check: 'service', finding: 'paused_until', params: { until_at: at(14) } } as const;
    const judged = (route_id: string, finding: typeof down) => ({
      ...domain,
      route_id,
      health: { ...domain.health, findings: [{ ...finding, since: at(-11) }] },
    });
    getAccountHealth.mockResolvedValue({ result: { ...worst, worst: [judged('a', down), judged('b', paused)] } });
    await show();
    expect(await screen.findByText('for 10 min')).toBeTruthy();
    expect(screen.getByText('14 min left')).toBeTruthy();
  });
  it('names the plugin of a reason only where another has one of the same words', async () => {
    const row = (plugin: string, reason: string) => ({ plugin, reason, action: 'block' as const, requests: 10 });
    const stopped_by_reason = [row('ban', 'banned'), row('request-limit', 'too_many'), row('captcha', 'too_many')];
    getTrafficOverview.mockResolvedValue({ success: true, result: { ...overview, stopped_by_reason } });
    await show();
    expect((await screen.findByTitle('ban: banned')).textContent).toBe('banned');
    expect(screen.getByTitle('captcha: too_many').textContent).toBe('captcha too_many');
  });

  it('calls no domain healthy where all are off', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    getAccountHealth.mockResolvedValue({
      success: true,
      result: { ...well, counts: { error: 0, warning: 0, off: 1, ok: 0 } },
    });
    await show();
    expect(await screen.findByText('0 of 1 domain is healthy')).toBeTruthy();
    expect(wellSign()).toBeNull();
    expect(screen.getByText('1 not served')).toBeTruthy();
  });
  it('leaves the next press of an account without domains to its first steps', async () => {
    const none = Object.fromEntries(Object.keys(totals).map((measure) => [measure, 0]));
    getTrafficOverview.mockResolvedValue({ success: true, result: { ...overview, totals: none, previous: none } });
    getAccountHealth.mockResolvedValue({
      success: true,
      result: { ...well, counts: { error: 0, warning: 0, off: 0, ok: 0 } },
    });
    await show();
    expect(await screen.findByText('First steps')).toBeTruthy();
    // Nothing to choose, and nothing that says again that there is no traffic.
    expect(screen.queryByText('No traffic yet')).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
  });
  it('shows an account without domains its first steps', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    getAccountHealth.mockResolvedValue({
      success: true,
      result: { ...well, counts: { error: 0, warning: 0, off: 0, ok: 0 } },
    });
    await show();
    expect(await screen.findByText('First steps')).toBeTruthy();
  });
  it('has the hit ratio of all domains among its numbers, which leads to the cache of the only one, or to all with the least from the cache first', async () => {
    getTrafficOverview.mockResolvedValue({ success: true, result: overview });
    await show();
    const cardOf = async () => (await screen.findByText('60%')).closest('section') as HTMLElement;
    const [only] = overview.top_domains as [TrafficOverview['top_domains'][number]];
    expect((await cardOf()).textContent).toMatch(/^Hit ratio.*60%\+10 points.*600\skB saved$/);
    const hrefOf = (card: HTMLElement) => within(card).getByRole('link').getAttribute('href');
    expect(hrefOf(await cardOf())).toBe(`#/domain/list/${only.route_id}?tab=caching`);
    cleanup();
    getTrafficOverview.mockResolvedValue({
      result: { ...overview, top_domains: [only, { ...only, route_id: 'other', domain_name: 'www.example.com' }] },
    });
    await show();
    expect(hrefOf(await cardOf())).toBe('#/domain/list?sort=hit_ratio');
  });
  it('has no ratio where no domain has a cache, and says so', async () => {
    getTrafficOverview.mockResolvedValue({ result: { ...overview, cache: cacheSummaryOf({ uncached: 900 }) } });
    await show();
    const card = (await screen.findByText('No cache on', { exact: false })).closest('section');
    expect(card?.textContent).toMatch(/^Hit ratio.*–No cache on All from origin$/);
    expect(card?.textContent).not.toContain('0%');
  });
  it('keeps the place of the hit ratio while nothing is known yet', async () => {
    getTrafficOverview.mockReturnValue(new Promise(() => {}));
    await show();
    const card = (await screen.findByText('Hit ratio')).closest('section');
    expect(card?.querySelector('.skeleton')).toBeTruthy();
  });
});
