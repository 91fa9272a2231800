// @vitest-environment happy-dom
import { ApiError, type CacheTotals, COUNTED_OUTCOMES } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID } from '../../../domain/testing/sample-route';
import CacheHitsCard from './cache-hits-card';

const api = vi.hoisted(() => ({ getCacheOverview: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const totalsOf = (hit_ratio: number | null): CacheTotals => ({
  ...{ requests: hit_ratio === null ? 0 : 100, bytes: 0, hit_ratio, saved_bytes: 0 },
  outcomes: Object.fromEntries(
    COUNTED_OUTCOMES.map((id) => [id, { requests: 0, bytes: 0 }]),
  ) as CacheTotals['outcomes'],
});
const overviewOf = (ratio: number | null, before: number | null) => ({
  ...{ range: '24h', from: '2026-11-20T12:00:00Z', to: '2026-11-21T12:00:00Z', bucket_seconds: 900, series: [] },
  ...{ totals: totalsOf(ratio), previous: totalsOf(before) },
});

beforeEach(async () => {
  api.getCacheOverview.mockReset();
  await needCatalogs('traffic', 'caching');
});

it.each([
  ['en', 0.912, 0.906, '91.2%', '+0.6 points'],
  ['zh', 0.912, 0.906, '91.2%', '+0.6 个百分点'],
  ['en', null, null, '–', ''],
] as const)(
  'has the hit ratio of the day and its change, and leads to the cache (%s: %s)',
  async (locale, now, before, ratio, change) => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(now, before) });
    await renderDomains(<CacheHitsCard routeId={ROUTE_ID} label="hits" />, locale);
    const link = await screen.findByRole('link', { name: 'hits' });
    expect(link.getAttribute('href')).toBe(`#/domain/list/${ROUTE_ID}?tab=caching`);
    await waitFor(() => expect(link.closest('section')?.textContent).toContain(ratio));
    expect(link.closest('section')?.textContent).toContain(change);
    expect(api.getCacheOverview.mock.calls[0]?.[0]).toMatchObject({
      params: { id: ROUTE_ID },
      query: { range: '24h' },
    });
  },
);

it('has no number, and waits for none, where it could not be read', async () => {
  api.getCacheOverview.mockRejectedValue(new ApiError(500, undefined, undefined, ['Request error']));
  await renderDomains(<CacheHitsCard routeId={ROUTE_ID} label="hits" />);
  expect(await screen.findByText('–')).toBeTruthy();
});
