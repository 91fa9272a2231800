// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import { DevelopmentBadge } from './development-badge';
import { DevelopmentPanel } from './development-panel';

const api = vi.hoisted(() => ({
  getDevelopmentMode: vi.fn(),
  startDevelopmentMode: vi.fn(),
  endDevelopmentMode: vi.fn(),
  listSubscriptions: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const user = userEvent.setup({ delay: null });
const params = { id: ROUTE_ID };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const mode = (ends_at: string | null) => ({ result: { ends_at } });
const onClear = vi.fn();
const caching = { ...sampleConfig(), plugins: [{ name: 'proxy-cache', enabled: true, config: {} }] };
const cachedRoute = () => sampleRoute({ live: caching });
const show = (route = cachedRoute(), locale: 'en' | 'zh' = 'en') =>
  renderDomains(<DevelopmentPanel route={route} onClear={onClear} />, locale);

beforeEach(async () => {
  for (const mock of [...Object.values(api), onClear]) mock.mockReset();
  api.getDevelopmentMode.mockResolvedValue(mode(null));
  api.listSubscriptions.mockResolvedValue({ results: [], count: 0 });
  await needCatalogs('caching');
});

it.each([
  ['en', 'Turn on', 'Turn off', '30 minutes', /^On for another 3\u00a0h, until/, 'Off: visitors get cached copies.'],
  ['zh', '开启', '关闭', '30 分钟', /^已开启，剩 3\u00a0小时，至/, '已关闭：访客获得缓存副本。'],
] as const)('in %s starts for three hours unless told otherwise, changes its end, and ends', async (...given) => {
  const [locale, start, end, half, on, off] = given;
  api.startDevelopmentMode.mockResolvedValue(mode(inMinutes(180)));
  api.endDevelopmentMode.mockResolvedValue({ result: { ended: true } });
  await show(cachedRoute(), locale);
  expect((await screen.findByRole('status')).textContent).toBe(off);
  await user.click(screen.getByRole('button', { name: start }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(on));
  expect(api.startDevelopmentMode).toHaveBeenLastCalledWith({ params, body: { seconds: 10_800 } });
  await user.click(screen.getByRole('radio', { name: half }));
  await user.click(screen.getByRole('button', { name: locale === 'en' ? 'Change end' : '修改结束时间' }));
  expect(api.startDevelopmentMode).toHaveBeenLastCalledWith({ params, body: { seconds: 1_800 } });
  await user.click(screen.getByRole('button', { name: end }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(off));
  expect(api.endDevelopmentMode).toHaveBeenCalledExactlyOnceWith({ params });
});

it('keeps the focus while it is switched, and leads it to what turns it on once the other button is gone', async () => {
  let answer: (result: unknown) => void = () => undefined;
  const later = () => new Promise((resolve) => (answer = resolve));
  const focused = () => document.activeElement?.textContent;
  api.startDevelopmentMode.mockImplementation(later);
  api.endDevelopmentMode.mockImplementation(later);
  await show();
  const start = await screen.findByRole('button', { name: 'Turn on' });
  await user.click(start);
  expect([start.getAttribute('aria-busy'), start.hasAttribute('disabled'), focused()]).toEqual([
    'true',
    false,
    'Turn on',
  ]);
  await user.click(start);
  expect(api.startDevelopmentMode).toHaveBeenCalledOnce();
  answer(mode(inMinutes(180)));
  const end = await screen.findByRole('button', { name: 'Turn off' });
  expect(focused()).toBe('Change end');
  await user.click(end);
  await user.click(screen.getByRole('button', { name: 'Change end' }));
  end.focus();
  expect(end.hasAttribute('disabled')).toBe(false);
  answer({ result: { ended: true } });
  await waitFor(() => expect(focused()).toBe('Turn on'));
  expect(api.startDevelopmentMode).toHaveBeenCalledOnce();
});

it('says beside the buttons why it was not switched, and leads to where the cache is cleared', async () => {
  api.startDevelopmentMode.mockRejectedValue(
    new ApiError(409, 'DOMAIN_NOT_DEPLOYED', undefined, ['code.DOMAIN_NOT_DEPLOYED']),
  );
  await show();
  await user.click(await screen.findByRole('button', { name: 'Turn on' }));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(screen.getByRole('status').textContent).toMatch(/^Off/);
  await user.click(screen.getByRole('button', { name: 'clear the cache' }));
  expect(onClear).toHaveBeenCalledOnce();
});

it.each([
  ['en', /afterwards visitors get the copies cached before, until those are stale\.$/],
  ['zh', /结束后访客获得之前的缓存副本，直至其过期。$/],
] as const)('in %s does not lead a free account to a clear that it cannot make', async (locale, words) => {
  const { subscription_cname: cname } = cachedRoute();
  api.listSubscriptions.mockResolvedValue({ results: [{ cname, tier: 'free' }], count: 1 });
  await show(cachedRoute(), locale);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('button', { name: locale === 'en' ? 'clear the cache' : '清除缓存' })).toBeNull();
});

it('says why it is not known, and asks again', async () => {
  api.getDevelopmentMode.mockRejectedValueOnce(new ApiError(503, undefined, undefined, []));
  await show();
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy();
});

it('has no switch for a domain that was never deployed or is suspended', async () => {
  await show(sampleRoute({ version_live: null }));
  expect(await screen.findByText('Nothing is cached before the domain is deployed.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull();
  expect(api.getDevelopmentMode).not.toHaveBeenCalled();
});

it('counts down at the top of the tab', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await renderDomains(<DevelopmentBadge routeId={ROUTE_ID} endsAt={inMinutes(30)} onEnd={onClear} />);
    expect(await screen.findByText('Development mode · 30 min left')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await screen.findByText('Development mode · 20 min left')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['no cache', sampleRoute()],
  [
    'a cache that is set to cache nothing',
    sampleRoute({
      live: {
        ...caching,
        plugins: [{ name: 'advance-proxy-cache', enabled: true, config: { global_disable_cache_completely: true } }],
      },
    }),
  ],
])('does not promise cached copies where there is %s', async (_, route) => {
  await show(route);
  expect((await screen.findByRole('status')).textContent).toBe(
    'Off, and caching is off too: every request goes to your origin.',
  );
});

it('ends at the top of the tab, which leads the focus on, and says there why it did not', async () => {
  const onEnd = vi.fn();
  api.endDevelopmentMode.mockRejectedValueOnce(new ApiError(503, undefined, undefined, []));
  await renderDomains(<DevelopmentBadge routeId={ROUTE_ID} endsAt={inMinutes(30)} onEnd={onEnd} />);
  const button = await screen.findByRole('button', { name: 'Turn off development mode' });
  await user.click(button);
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(onEnd).not.toHaveBeenCalled();
  let end = (_: unknown) => {};
  api.endDevelopmentMode.mockReturnValue(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  await user.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(document.activeElement).toBe(button);
  end({ result: { ended: true } });
  await waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
  expect(api.endDevelopmentMode).toHaveBeenLastCalledWith({ params });
});

it('says that there was no network until there is one again, or another length is chosen', async () => {
  const lost = () => Promise.reject(new ApiError(0, undefined, undefined, ['Please check your network']));
  for (const call of [api.startDevelopmentMode, api.endDevelopmentMode]) call.mockImplementation(lost);
  await show();
  const fail = async (name: string) => {
    await user.click(await screen.findByRole('button', { name }));
    expect((await screen.findByRole('alert')).textContent).toBe('Please check your network');
  };
  await fail('Turn on');
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
  await fail('Turn on');
  await user.click(screen.getByRole('radio', { name: '30 minutes' }));
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  await renderDomains(<DevelopmentBadge routeId={ROUTE_ID} endsAt={inMinutes(30)} onEnd={() => undefined} />);
  await fail('Turn off development mode');
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
});
