// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import {
  ApiError,
  type CacheOverview,
  type CacheTotals,
  COUNTED_OUTCOMES,
  type CostlyPath,
  type CountedOutcome,
  type PluginEntry,
  type Route,
} from '@cordon/contract';
import { CACHE_BYPASSES, NODE_UNSTORED_REASONS, UNSTORED_REASONS } from '@cordon/plugin-kit/shared-cache';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import enCatalog from '../locales/en.json';
import zhCatalog from '../locales/zh.json';
import { CacheFigures, TONES } from './cache-figures';
import { CostlyPaths } from './costly-paths';

const { cacheFigures: en } = enCatalog;
const { cacheFigures: zh } = zhCatalog;

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  getCacheOverview: vi.fn(),
  listCostlyPaths: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));
// It draws on a canvas, which is not here.
vi.mock('../../../ui/charts/time-series-plot', () => ({ default: () => null }));
const user = userEvent.setup({ delay: null });

const SAVED: readonly CountedOutcome[] = ['hit', 'stale', 'revalidated'];
function totalsOf(requests: Partial<Record<CountedOutcome, number>> = {}): CacheTotals {
  const outcomes = Object.fromEntries(
    COUNTED_OUTCOMES.map((id) => [id, { requests: requests[id] ?? 0, bytes: (requests[id] ?? 0) * 1_000 }]),
  ) as CacheTotals['outcomes'];
  const sum = (ids: readonly CountedOutcome[]) => ids.reduce((all, id) => all + outcomes[id].requests, 0);
  const all = sum(COUNTED_OUTCOMES);
  return {
    requests: all,
    bytes: all * 1_000,
    hit_ratio: all === 0 ? null : sum(SAVED) / all,
    saved_bytes: sum(SAVED) * 1_000,
    outcomes,
  };
}
function overviewOf(totals: CacheTotals, previous = totalsOf()): CacheOverview {
  const from = Date.parse('2026-11-20T12:00:00Z');
  return {
    range: '24h',
    from: new Date(from).toISOString(),
    to: new Date(from + 86_400_000 - 1).toISOString(),
    bucket_seconds: 900,
    totals,
    previous,
    series: Array.from({ length: 96 }, (_, index) => ({
      ...(index === 90 ? totals : totalsOf()),
      time: new Date(from + index * 900_000).toISOString(),
    })),
  };
}
const costOf = (change: Partial<CostlyPath> = {}): CostlyPath => ({
  path: '/img/logo.x',
  requests: 4,
  bytes: 4_000,
  origin_ms: 1_280,
  cache: 'bypass',
  cache_reason: 'path',
  status: 200,
  ...change,
});
const strategy = (enabled: boolean, config: object = {}): PluginEntry => ({
  name: 'proxy-cache',
  enabled,
  config: { ...config },
});
const on = { ...sampleConfig(), plugins: [strategy(true)] };
const cachedRoute = (change: Partial<Route> = {}) => sampleRoute({ draft: on, live: on, ...change });
const show = (route: Route, locale: 'en' | 'zh' = 'en', onSetUp = () => {}) =>
  renderDomains(<CacheFigures route={route} range="24h" onRangeChange={() => {}} onSetUp={onSetUp} />, locale);
const onPropose = vi.fn();
const onTry = vi.fn();
const showCosts = (costs: readonly CostlyPath[], route = cachedRoute(), locale: 'en' | 'zh' = 'en') => {
  const { from, to } = overviewOf(totalsOf());
  api.listCostlyPaths.mockResolvedValue({ result: { from, to, paths: costs } });
  return renderDomains(<CostlyPaths route={route} range="24h" onPropose={onPropose} onTry={onTry} />, locale);
};

beforeEach(async () => {
  window.localStorage.clear();
  for (const mock of [...Object.values(api), onPropose, onTry]) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [], count: 0 });
  await needCatalogs('traffic', 'caching');
});

describe('the figures', () => {
  it.each([
    ['en', 'Hit ratio', '80%', '+30 points', 'Cache, stale', 'Origin, cache bypassed'],
    ['zh', '命中率', '80%', '+30 个百分点', '缓存（已过期）', '源站（不走缓存）'],
  ] as const)(
    'say in %s how much came from the cache, and from where the rest',
    async (locale, label, ratio, change, stale, bypass) => {
      const overview = overviewOf(totalsOf({ hit: 7, stale: 1, bypass: 2 }), totalsOf({ hit: 5, miss: 5 }));
      api.getCacheOverview.mockResolvedValue({ result: overview });
      await show(cachedRoute(), locale);
      const card = (await screen.findByRole('heading', { name: label })).closest('section') as HTMLElement;
      await waitFor(() => expect(card.textContent).toContain(ratio));
      expect(card.textContent).toContain(change);
      const list = screen.getByRole('list', { name: locale === 'en' ? en.outcomes.title : zh.outcomes.title });
      expect(within(list).getByText(stale)).toBeTruthy();
      expect(within(list).getByText(bypass)).toBeTruthy();
      expect(within(list).getAllByRole('listitem')).toHaveLength(4);
      expect(within(list).queryAllByRole('link')).toEqual([]);
      expect(screen.getByText('8 kB')).toBeTruthy();
      expect(screen.getByText('2 kB')).toBeTruthy();
      expect(api.getCacheOverview).toHaveBeenCalledWith(
        expect.objectContaining({ params: { id: ROUTE_ID }, query: { range: '24h' } }),
      );
    },
  );

  it('invite to wait where no request has come, and have no ratio there', async () => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf()) });
    await show(cachedRoute());
    expect(await screen.findByText('No requests yet')).toBeTruthy();
    expect(screen.queryByText('Hit ratio')).toBeNull();
  });

  it('say that caching is off, with the way to switch it on', async () => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf({ uncached: 3 })) });
    const onSetUp = vi.fn();
    await show(sampleRoute(), 'en', onSetUp);
    expect(await screen.findByText('Caching is off: every request goes to your origin.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Set up “Cache strategy”' }));
    expect(onSetUp).toHaveBeenCalledWith('proxy-cache');
  });

  it.each([
    ['en', { uncached: 3 }, 'No cache was on in this range', 'Bytes'],
    ['zh', { uncached: 3 }, '该时间范围内未开启缓存', '流量'],
    ['en', {}, 'No requests in this range', 'Bytes'],
  ] as const)('say in %s why there is no hit ratio over time, of %j', async (locale, requests, said, bytes) => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf(requests), totalsOf({ hit: 1 })) });
    await show(cachedRoute(), locale);
    expect(await screen.findByText(said)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: bytes }));
    expect(screen.queryByText(said)).toBeNull();
  });

  it('say nothing of that where all requests pass by the cache for a while', async () => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf({ uncached: 3 })) });
    await renderDomains(
      <CacheFigures
        route={sampleRoute()}
        range="24h"
        onRangeChange={() => undefined}
        isPassedBy
        onSetUp={() => undefined}
      />,
    );
    expect(await screen.findByRole('heading', { name: 'Hit ratio' })).toBeTruthy();
    expect(screen.queryByText(/^Caching is off/)).toBeNull();
  });

  it('say that caching waits in the draft where it does', async () => {
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf({ uncached: 3 })) });
    await show(sampleRoute({ draft: on }));
    expect(await screen.findByText(/Caching is on in your draft/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Set up “Cache strategy”' })).toBeNull();
  });

  it('say why they could not be read, and are read again', async () => {
    api.getCacheOverview.mockRejectedValueOnce(
      new ApiError(503, 'TRAFFIC_UNAVAILABLE', undefined, ['Traffic is away']),
    );
    await show(cachedRoute());
    const retry = await screen.findByRole('button', { name: 'Retry' });
    api.getCacheOverview.mockResolvedValue({ result: overviewOf(totalsOf({ hit: 1 })) });
    await user.click(retry);
    expect(await screen.findByText('100%')).toBeTruthy();
  });
});

it.each(['light', 'dark'] as const)(
  'have outcomes that touch in the bar told apart by colour, in the %s theme',
  (theme) => {
    const css = readFileSync('apps/console/src/ui/tokens.css', 'utf8');
    const colors = Object.values(TONES).map((tone) => {
      const name = typeof tone === 'number' ? `chart-${tone}` : tone;
      const values = [...css.matchAll(new RegExp(`--${name}: #(..)(..)(..);`, 'g'))];
      return (theme === 'light' ? values[0] : values[1])?.slice(1).map((hex) => Number.parseInt(hex, 16)) ?? [];
    });
    for (const [place, color] of colors.entries())
      for (const other of colors.slice(0, place))
        expect(Math.hypot(...color.map((value, index) => value - (other[index] ?? 0)))).toBeGreaterThan(45);
  },
);

describe('the paths that cost the origin most', () => {
  it('have words in both languages for every reason that the edge gives', () => {
    const reasons = [...CACHE_BYPASSES, ...UNSTORED_REASONS, ...NODE_UNSTORED_REASONS];
    const outcomes = ['uncached', 'miss', 'expired', 'revalidated'];
    for (const words of [en, zh])
      for (const key of [...reasons, ...outcomes]) {
        expect(Object.keys(words.why), key).toContain(key);
        expect(Object.keys(words.advice), key).toContain(key);
      }
  });

  it.each([
    [
      'en',
      'Path not in the settings',
      'Cache /img and everything below it',
      'Origin sends private',
      /your origin must send Cache-Control: public/,
    ],
    ['zh', '设置中没有该路径', '缓存 /img 及其下的所有内容', '源站返回 private', /源站需要返回 Cache-Control: public/],
  ] as const)(
    'say in %s why, and what would keep them or what the origin has to send',
    async (locale, why, what, other, advice) => {
      await showCosts(
        [costOf(), costOf({ path: '/me', cache: 'miss', cache_reason: 'private' })],
        cachedRoute(),
        locale,
      );
      const row = (await screen.findByRole('rowheader', { name: '/img/logo.x' })).closest('tr') as HTMLElement;
      expect(within(row).getByText(why)).toBeTruthy();
      expect(within(row).getByText(what)).toBeTruthy();
      expect(within(row).getByText(locale === 'en' ? '320 ms' : '320 毫秒')).toBeTruthy();
      const second = screen.getByRole('rowheader', { name: '/me' }).closest('tr') as HTMLElement;
      expect(within(second).getByText(other)).toBeTruthy();
      expect(within(second).getByText(advice)).toBeTruthy();
      expect(within(second).queryByRole('button', { name: /^Cache it/ })).toBeNull();
    },
  );

  it('propose the change to the form of the plugin that is on, and save nothing by themselves', async () => {
    await showCosts([costOf()]);
    await user.click(
      await screen.findByRole('button', { name: 'Cache it: /img/logo.x. Cache /img and everything below it' }),
    );
    expect(onPropose).toHaveBeenCalledExactlyOnceWith({
      plugin: 'proxy-cache',
      config: expect.objectContaining({ cache_paths: ['/static', '/uploads', '/img'] }),
      focusAfter: expect.any(Function),
    });
  });

  const advanced = (config: object = {}) => ({
    ...sampleConfig(),
    plugins: [{ name: 'advance-proxy-cache', enabled: true, config: { ...config } }],
  });
  const untyped = costOf({ path: '/bytes/200000', cache: 'miss', cache_reason: 'no_lifetime' });

  it.each([
    ['en', 'Content types', /^Add its Content-Type to the list/],
    ['zh', '内容类型', /请在列表中添加其 Content-Type/],
  ] as const)('open in %s the list of %s where no log tells what is to be added to it', async (locale, label, what) => {
    const route = cachedRoute({ draft: advanced(), live: advanced() });
    await showCosts([untyped], route, locale);
    expect(await screen.findByText(what)).toBeTruthy();
    const button = screen.getByRole('button', { name: new RegExp(`^${label}.*/bytes/200000`) });
    expect(button.textContent).toBe(label);
    await user.click(button);
    const { open, config } = onPropose.mock.lastCall?.[0] ?? {};
    expect(open).toEqual({ field: 'content_type', hint: expect.stringContaining('/bytes/200000') });
    expect(config).toMatchObject({ content_type: ['css', 'image', 'javascript', 'audio'] });
  });

  it('say of a list that the draft has changed that a deploy shows it', async () => {
    const draft = advanced({ content_type: ['application/octet-stream'] });
    await showCosts([untyped], cachedRoute({ draft, live: advanced() }));
    expect(await screen.findByText(en.costly.changed)).toBeTruthy();
  });

  it('have the focus go on to the path where it was saved, since the button goes with what it was for', async () => {
    await showCosts([costOf()]);
    const button = await screen.findByRole('button', { name: /^Cache it: \/img/ });
    await user.click(button);
    const { focusAfter } = onPropose.mock.lastCall?.[0] ?? {};
    expect(focusAfter(true)).toBe(screen.getByRole('rowheader', { name: '/img/logo.x' }));
    expect(focusAfter(false)).toBe(button);
  });

  it('name the plugin that would be turned on where none is', async () => {
    await showCosts([costOf({ cache: '', cache_reason: '' })], sampleRoute());
    expect(await screen.findByText('Cache strategy: Cache /img and everything below it')).toBeTruthy();
    expect(screen.getByText('No cache is on')).toBeTruthy();
  });

  it.each([
    ['/wp-login.php', costOf({ path: '/wp-login.php' }), en.costly.personal],
    ['/shop/cart, without a cache', costOf({ path: '/shop/cart', cache: '', cache_reason: '' }), en.costly.personal],
    ['/account/me.x', costOf({ path: '/account/me.x' }), en.costly.personal],
    ['a path that fails', costOf({ status: 500 }), en.advice.status_failed],
    [
      'a path that fails, without a cache',
      costOf({ status: 500, cache: '', cache_reason: '' }),
      en.advice.status_failed,
    ],
    [
      'an error without a lifetime',
      costOf({ status: 503, cache: 'miss', cache_reason: 'no_lifetime' }),
      en.advice.status_failed,
    ],
  ])('propose nothing for %s, and say why', async (_, cost, words) => {
    await showCosts([cost], cost.cache === '' ? sampleRoute() : cachedRoute());
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Cache it/ })).toBeNull();
  });

  it.each([
    ['en', 'No cache lifetime · status 404'],
    ['zh', '没有缓存时间 · 状态码 404'],
  ] as const)('say in %s which error its origin answered', async (locale, why) => {
    await showCosts([costOf({ cache: 'miss', cache_reason: 'no_lifetime', status: 404 })], cachedRoute(), locale);
    expect(await screen.findByText(why)).toBeTruthy();
  });

  it.each([
    [404, 'Status 404 cannot be cached', /add 404 to the status codes/],
    [403, 'Status 403 cannot be cached', /origin refuses/],
    [502, 'Status 502 cannot be cached', /fails here, or does not answer/],
  ])('say of status %i what can be done, and the status once', async (status, why, advice) => {
    await showCosts([costOf({ cache: 'miss', cache_reason: 'status', status })]);
    expect(await screen.findByText(why)).toBeTruthy();
    expect(screen.getByText(advice)).toBeTruthy();
  });

  it.each(['/static/login-box.x', '/uploads/a'])('call %s covered, whatever its name', async (path) => {
    await showCosts([costOf({ path })]);
    expect(await screen.findByText(en.costly.covered)).toBeTruthy();
  });

  it.each([
    ['proxy-cache', 'that its origin must state one', en.advice.no_lifetime],
    ['advance-proxy-cache', 'the same of what it has to open', /^Add its Content-Type to the list.*max-age=3600$/],
  ])('say of what has no lifetime, by %s, %s', async (name, _, words) => {
    const kept = { ...sampleConfig(), plugins: [{ name, enabled: true, config: {} }] };
    const costs = [costOf({ path: '/page', cache: 'miss', cache_reason: 'no_lifetime' })];
    await showCosts(costs, cachedRoute({ draft: kept, live: kept }));
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each([
    ['en', 'Cached copy checked with your origin', /^A longer max-age from your origin means fewer checks/],
    ['zh', '缓存副本已向源站确认', /^源站返回更长的 max-age 可减少确认/],
  ] as const)(
    'do not say in %s of what is checked once it has expired that it always is',
    async (locale, why, advice) => {
      await showCosts([costOf({ cache: 'revalidated', cache_reason: '' })], cachedRoute(), locale);
      expect(await screen.findByText(why)).toBeTruthy();
      expect(screen.getByText(advice)).toBeTruthy();
    },
  );

  it('do not say of development mode that it is on yet', async () => {
    await showCosts([costOf({ cache_reason: 'development' })]);
    expect(await screen.findByText('Development mode was on')).toBeTruthy();
  });

  const wider = { ...sampleConfig(), plugins: [strategy(true, { cache_paths: ['/img'] })] };
  it.each([
    ['in the draft', on, 'In your draft: takes effect when deployed'],
    ['live', wider, 'Covered by your settings since'],
  ])('say of a change that is %s that there is nothing to press', async (_, live, words) => {
    await showCosts([costOf()], cachedRoute({ draft: wider, live }));
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Cache it/ })).toBeNull();
  });

  it.each([
    ['in the draft', null, 'No cache is on'],
    ['live since', on, 'No cache was on'],
  ])('promise nothing of the home page, which no list can have, where a cache is %s', async (_, live, why) => {
    await showCosts([costOf({ path: '/', cache: '', cache_reason: '' })], cachedRoute({ live }));
    expect(await screen.findByText(en.advice.path)).toBeTruthy();
    expect(screen.getByText(why)).toBeTruthy();
    expect(screen.queryByText(en.costly.drafted)).toBeNull();
  });

  it('say of a status that the draft keeps that it takes effect when deployed', async () => {
    const drafted = { ...sampleConfig(), plugins: [strategy(true, { response_code: [200, 404] })] };
    const costs = [costOf({ cache: 'miss', cache_reason: 'no_lifetime', status: 404 })];
    await showCosts(costs, cachedRoute({ draft: drafted }));
    expect(await screen.findByText(en.costly.drafted)).toBeTruthy();
  });

  it('show a reason of a newer release as it is', async () => {
    await showCosts([costOf({ cache_reason: 'other_reason' })]);
    expect(await screen.findByText('other_reason')).toBeTruthy();
  });

  it('lead to what the cache does with one', async () => {
    await showCosts([costOf({ path: '/a b' })]);
    await user.click(await screen.findByRole('button', { name: 'Try it: /a b' }));
    expect(onTry).toHaveBeenCalledExactlyOnceWith('/a b');
  });

  it('are ordered by requests where that is asked for', async () => {
    await showCosts([costOf()]);
    await user.click(await screen.findByRole('radio', { name: 'Requests' }));
    await waitFor(() =>
      expect(api.listCostlyPaths).toHaveBeenLastCalledWith(
        expect.objectContaining({ query: { range: '24h', sort: 'requests' } }),
      ),
    );
  });

  it('say since when they are counted where there were more than are read', async () => {
    api.listCostlyPaths.mockResolvedValue({
      result: { from: '2026-11-20T23:00:00.000Z', to: '2026-11-21T00:00:00.000Z', paths: [costOf()] },
    });
    await renderDomains(<CostlyPaths route={cachedRoute()} range="24h" onPropose={onPropose} onTry={onTry} />);
    expect(await screen.findByText(/^Since Nov 20, 2026.*: only the newest 200,000/)).toBeTruthy();
  });

  it.each([
    ['en', 'Show 1 more', 6],
    ['en', 'Show 15 more', 20],
    ['zh', '再显示 15 条', 20],
  ] as const)('are five at first in %s, then all (%s), where the focus goes on', async (locale, more, count) => {
    const costs = Array.from({ length: count }, (_, index) => costOf({ path: `/file-${index}` }));
    await showCosts(costs, cachedRoute(), locale);
    const button = await screen.findByRole('button', { name: more });
    expect(screen.getAllByRole('rowheader')).toHaveLength(5);
    button.focus();
    await user.keyboard('{Enter}');
    expect(screen.getAllByRole('rowheader')).toHaveLength(count);
    expect(screen.queryByRole('button', { name: more })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('rowheader', { name: '/file-5' }));
  });

  it('have as many lines before they are read', async () => {
    api.listCostlyPaths.mockReturnValue(new Promise(() => undefined));
    await renderDomains(<CostlyPaths route={cachedRoute()} range="24h" onPropose={onPropose} onTry={onTry} />);
    expect((await screen.findByTestId('costs-skeleton')).querySelectorAll(':scope > .border-b')).toHaveLength(5);
  });

  it('have no button for more where there are five', async () => {
    await showCosts(Array.from({ length: 5 }, (_, index) => costOf({ path: `/file-${index}` })));
    expect(await screen.findAllByRole('rowheader')).toHaveLength(5);
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  it('are none where everything came from the cache', async () => {
    await showCosts([]);
    expect(await screen.findByText('No request went to your origin in this range.')).toBeTruthy();
  });
});
