// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../domain/testing/render-domains';
import { cacheSummaryOf } from '../domain/testing/sample-cache';
import { sampleConfig, sampleRoute } from '../domain/testing/sample-route';
import { DomainOverview } from './domain-overview';

const TOTALS = {
  ...{ requests: 1200, bytes: 3_400_000, blocked: 0, challenged: 0, passed: 0 },
  ...{ status_2xx: 1200, status_3xx: 0, status_4xx: 0, status_5xx: 0 },
};
const api = vi.hoisted(() => {
  const known: Record<string, (...given: unknown[]) => unknown> = {};
  // What the test does not answer is waited for.
  const waiting = () => new Promise(() => {});
  return { known, calls: new Proxy({}, { get: (_, name) => known[String(name)] ?? waiting }) };
});
vi.mock('../app/api-client', () => ({ api: api.calls, queryClient: {} }));

const DAY = { range: '24h', from: '2026-11-19T10:15:00Z', to: '2026-11-20T10:20:00Z', bucket_seconds: 900 };
const cache = (config: object = {}) => ({
  live: { ...sampleConfig(), plugins: [{ name: 'proxy-cache', enabled: true, config: { ...config } }] },
});

it.each([
  ['a cache is on', cache(), ['91.2%']],
  ['its cache keeps nothing', cache({ global_disable_cache_completely: true }), []],
  ['no cache is on', {}, []],
] as [string, Partial<Route>, string[]][])(
  'has the hit ratio among the numbers of a domain where %s',
  async (_where, change, ratios) => {
    api.known.getTrafficOverview = async () => ({
      result: {
        ...{ ...DAY, totals: TOTALS, previous: TOTALS, series: [], plugins: [], stopped_by_reason: [] },
        cache: cacheSummaryOf({ hit: 912, miss: 88 }),
      },
    });
    const nothing = () => {};
    await renderDomains(
      <DomainOverview
        route={sampleRoute(change)}
        match={undefined}
        onMatchRemove={nothing}
        onAsk={nothing}
        onPause={nothing}
      />,
    );
    await screen.findByText('1,200', undefined, { timeout: 10_000 });
    await waitFor(() => expect(screen.queryAllByText('91.2%').map(({ textContent }) => textContent)).toEqual(ratios));
  },
);
