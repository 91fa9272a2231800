// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { cacheSummaryOf } from '../../../domain/testing/sample-cache';
import { sampleRoute } from '../../../domain/testing/sample-route';
import LastDay from './last-day';

const api = vi.hoisted(() => ({ getTrafficOverview: vi.fn(), listVersions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

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
const pointAt = (time: string, requests: number) => ({ ...totals, time: `2026-11-20T${time}:00Z`, requests });

const day = {
  range: '24h',
  from: '2026-11-19T10:15:00Z',
  to: '2026-11-20T10:20:00Z',
  bucket_seconds: 900,
  totals,
  previous: { ...totals, requests: 0, bytes: 0, blocked: 0 },
  series: [pointAt('10:00', 0), pointAt('10:15', 1200)],
  cache: cacheSummaryOf({ hit: 9, miss: 1 }),
  plugins: [],
  stopped_by_reason: [],
  countries: [],
  top_domains: [],
};

it('counts a young domain over the day, as what its plugins did, and draws it by the minute', async () => {
  await needCatalogs('traffic');
  const series = [pointAt('10:16', 0), pointAt('10:17', 1150)];
  const hour = { ...day, range: '1h', bucket_seconds: 60, series, totals: { ...totals, requests: 1150 } };
  api.getTrafficOverview.mockImplementation(async ({ query }) => ({ result: query.range === '1h' ? hour : day }));
  api.listVersions.mockResolvedValue({ results: [], count: 0 });
  await renderDomains(
    <LastDay route={sampleRoute()} outline={null}>
      requests
    </LastDay>,
  );
  expect(await screen.findByText(/^Since .*10:17.* · One point: 1\smin/)).toBeTruthy();
  screen.getByText('Requests · 24 h');
  screen.getByText('1,200');
  expect(screen.queryByText(/· 1 h$/)).toBeNull();
});

it('has the hits of a cache behind the requests, by their name and range', async () => {
  await needCatalogs('traffic');
  // Without a large chart, which has no canvas here.
  api.getTrafficOverview.mockResolvedValue({ result: { ...day, series: [] } });
  api.listVersions.mockResolvedValue({ results: [], count: 0 });
  const media = vi.spyOn(window, 'matchMedia');
  media.mockImplementation(
    (query) =>
      ({ matches: query.includes('min-width: 1200px'), addEventListener() {}, removeEventListener() {} }) as never,
  );
  await renderDomains(
    <LastDay route={sampleRoute()} outline={null} hasHits>
      requests
    </LastDay>,
  );
  await screen.findByText('90%');
  const labels = screen
    .getAllByRole('heading')
    .flatMap(({ textContent }) => (/· 24 h$/.test(textContent) ? textContent : []));
  expect(labels).toEqual([
    'Requests · 24 h',
    'Hit ratio · 24 h',
    'Blocked · 24 h',
    'Server errors · 24 h',
    'Bandwidth · 24 h',
  ]);
  media.mockRestore();
});

const pending = { ...sampleRoute().ownership, state: 'pending' } as const;
const now = new Date().toISOString();

it.each([
  ['of a domain that nobody is led to', { ownership: pending, created_at: '2026-01-01T00:00:00Z' }, 0, false],
  ['of a new domain', { created_at: now }, 0, false],
  ['of a new domain that had a request', { created_at: now }, 1, true],
  ['of a domain that had days to be asked for', { created_at: '2026-01-01T00:00:00Z' }, 0, true],
])('shows numbers only where something has come, or should have: %s', async (_what, change, requests, isShown) => {
  await needCatalogs('traffic');
  api.getTrafficOverview.mockResolvedValue({ result: { ...day, series: [], totals: { ...totals, requests } } });
  api.listVersions.mockResolvedValue({ results: [], count: 0 });
  await renderDomains(
    <LastDay route={sampleRoute(change)} outline="outline">
      requests
    </LastDay>,
  );
  await screen.findByText('requests');
  expect(screen.queryAllByText(/^Requests · 24 h$/)).toHaveLength(isShown ? 1 : 0);
});
