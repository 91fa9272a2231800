// @vitest-environment happy-dom
import { ApiError, type CacheFetch, type CacheTry, type EdgeStoredObject, type Route } from '@cordon/contract';
import { CACHE_BYPASSES, NODE_UNSTORED_REASONS, UNSTORED_REASONS } from '@cordon/plugin-kit/shared-cache';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import enCatalog from '../locales/en.json';
import zhCatalog from '../locales/zh.json';
import { TryUrlPanel } from './try-url-panel';

const { cacheFigures: en } = enCatalog;
const { cacheFigures: zh } = zhCatalog;

const api = vi.hoisted(() => ({ tryCache: vi.fn(), fetchIntoCache: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const AT = 1_790_000_000;
const NOTHING = { br: null, gzip: null, identity: null };
const copyOf = (change: Partial<EdgeStoredObject> = {}): EdgeStoredObject => ({
  ...{ status: 200, content_type: 'text/css', content_encoding: 'br', bytes: 12_000, is_sliced: false },
  ...{ made_at: AT - 60, fresh_until: AT + 3_540 },
  ...{ stale_while_revalidate_until: AT + 3_540, stale_if_error_until: AT + 3_540 + 86_400 },
  ...{ tags: [], etag: '', last_modified: '', vary: 'Accept-Encoding' },
  ...change,
});
const answerOf = (change: Partial<CacheTry> = {}): CacheTry => ({
  ...{ version: 3, is_paused: false, plugin: 'advance-proxy-cache', bypass: null, at: AT },
  request: { scheme: 'https', host: 'www.example.com', path: '/a.css', query: 'utm=1&v=2' },
  before: { outcome: 'pass', step: '', plugin: '', reason: '', status: null, location: '' },
  asked: null,
  key: { query: 'v=2', left_out: ['utm=1'], device: 'mobile', language: null, languages: [], is_sliced: false },
  policy: {
    ...{ default_seconds: 7_200, default_statuses: [200, 301], default_types: [], is_default_forced: false },
    ...{ cache_control: '', overrides_cache_control: false, obeys_requests: false },
    ...{ stale_if_error_seconds: 86_400, stale_while_revalidate_seconds: 0 },
  },
  nodes: [
    { name: 'fra', state: 'answered', objects: { ...NOTHING, br: copyOf() } },
    { name: 'hkg', state: 'silent', objects: null },
  ],
  ...change,
});
const STORED: CacheFetch['cache'] = {
  ...{ is_hit: false, forward: 'uri-miss', forward_status: 200, is_stored: true, ttl: 3_600, detail: null },
};
const fetchOf = (change: Partial<CacheFetch> = {}): CacheFetch => ({
  ...{ node: 'fra', status: 200, cache: STORED, cache_control: 'max-age=3600', vary: '', age: null },
  ...{ content_type: 'text/css', content_encoding: 'br', sets_cookie: true, bytes: 12_000, milliseconds: 41.2 },
  ...{ nodes: [{ name: 'fra', state: 'answered', objects: { ...NOTHING, gzip: copyOf() } }], at: AT },
  ...change,
});

const plugin = (key: object) => ({ name: 'advance-proxy-cache', enabled: true, config: { key } });
const routeWith = (key: object = {}, change: Partial<Route> = {}) =>
  sampleRoute({ live: { ...sampleConfig(), plugins: [plugin(key)] }, ...change });
const user = userEvent.setup({ delay: null });

beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [], count: 0 });
  api.tryCache.mockResolvedValue({ result: answerOf() });
  await needCatalogs('caching', 'domain');
});

async function tryUrl(url = '/a.css?utm=1&v=2', locale: 'en' | 'zh' = 'en', route = routeWith()) {
  await renderDomains(<TryUrlPanel route={route} />, locale);
  const input = await screen.findByRole('textbox');
  await user.click(input);
  await user.paste(url);
  await user.keyboard('{Enter}');
}
const story = () => screen.findByRole('list', { name: /^(?:What happens|请求经过)/ });

it.each([
  [
    'en',
    ['passes', 'looked for (Advanced cache)', 'https://www.example.com/a.css?v=2', 'Ignored: utm=1.', 'Device: Phone.'],
    ['2 h for status 200 and 301', 'While your origin is down: 1 d longer', 'fresh for 59 min', '12 kB', 'no answer'],
  ],
  [
    'zh',
    ['可以通过', '会查找缓存副本（高级缓存）', 'https://www.example.com/a.css?v=2', '已忽略：utm=1。', '设备：手机。'],
    ['状态码 200、301 的响应保留 2 小时', '源站异常时：再保留', '有效期', '12', '无应答'],
  ],
] as const)('tells in %s what happens, by which key, for how long, and what nodes have', async (locale, told, kept) => {
  await tryUrl(undefined, locale);
  const list = await story();
  // Names of plugins have a catalog of their own.
  await waitFor(() => expect(list.textContent).toContain(told[1]));
  for (const part of told) expect(list.textContent).toContain(part);
  const all = screen.getByTestId('tried').textContent?.replaceAll(/\s/g, ' ') ?? '';
  for (const part of kept) expect(all).toContain(part);
  expect(api.tryCache).toHaveBeenCalledExactlyOnceWith({
    params: { id: ROUTE_ID },
    body: { url: '/a.css?utm=1&v=2', scheme: 'http' },
  });
});

describe('the request', () => {
  it.each([
    [null, 'http'],
    ['2027-01-01T00:00:00.000Z', 'https'],
  ])('begins with the protocol that visitors come by: certificate until %s, %s', async (expiresAt, scheme) => {
    await renderDomains(<TryUrlPanel route={routeWith({}, { certificate_expires_at: expiresAt })} />);
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: scheme })).checked).toBe(true);
  });

  it('is of the device and language that are chosen, where these have copies of their own', async () => {
    const route = routeWith({ by_device: true, languages: ['en', 'de'] });
    await renderDomains(<TryUrlPanel route={route} />);
    await user.click(await screen.findByRole('radio', { name: 'Phone' }));
    await user.click(screen.getByRole('textbox'));
    await user.paste(`http://${route.domain_name}/`);
    expect(screen.queryByRole('radio', { name: 'https' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    await waitFor(() => expect(api.tryCache).toHaveBeenCalledOnce());
    expect(api.tryCache.mock.calls[0]?.[0].body).toEqual({
      ...{ url: `http://${route.domain_name}/`, device: 'mobile', language: 'en' },
    });
  });

  it.each([
    ['', 'Required'],
    ['https://other.example/', 'Not a name of this domain: other.example'],
    ['/a#b', /#/],
  ])('is not sent for %j, and says why beside it', async (url, said) => {
    await renderDomains(<TryUrlPanel route={routeWith()} />);
    const input = await screen.findByRole('textbox');
    await user.click(input);
    if (url !== '') await user.paste(url);
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    expect(await screen.findByText(said)).toBeTruthy();
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(api.tryCache).not.toHaveBeenCalled();
    await user.type(input, 'x');
    expect(input.getAttribute('aria-invalid')).toBeNull();
  });

  it('says beside the URL what only the API knows of it, and what failed otherwise below', async () => {
    const refusal = {
      ...{ success: false as const, message: '', request_id: '', url: 'CACHE_URL_FOREIGN' },
      params: { url: { name: 'lost.example' } },
    };
    api.tryCache.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', refusal, ['url.CACHE_URL_FOREIGN']));
    await tryUrl();
    expect(await screen.findByText('Not a name of this domain: lost.example')).toBeTruthy();
    const failure = { success: false as const, message: '', request_id: '', code: 'GATEWAY_CONNECTION_ERROR' };
    api.tryCache.mockRejectedValueOnce(
      new ApiError(502, 'GATEWAY_CONNECTION_ERROR', failure as never, ['code.GATEWAY_CONNECTION_ERROR']),
    );
    await user.type(screen.getByRole('textbox'), 'x{Enter}');
    expect(await screen.findByRole('alert')).toBeTruthy();
  });

  it('leaves no result below another device or URL than it is of', async () => {
    const route = routeWith({ by_device: true, languages: [] });
    const tryIt = async () => {
      await user.click(screen.getByRole('button', { name: 'Try it' }));
      await screen.findByTestId('tried');
    };
    await renderDomains(<TryUrlPanel route={route} />);
    await user.click(await screen.findByRole('textbox'));
    await user.paste('/a.css');
    await tryIt();
    await user.click(screen.getByRole('radio', { name: 'Phone' }));
    expect(screen.queryByTestId('tried')).toBeNull();
    await tryIt();
    await user.type(screen.getByRole('textbox'), 'x');
    expect(screen.queryByTestId('tried')).toBeNull();
  });

  it('leaves no result of an earlier one below what is wrong with it', async () => {
    const input = () => screen.getByRole('textbox');
    await tryUrl();
    await story();
    await user.type(input(), '#{Enter}');
    expect(await screen.findByText(/^Leave out #/)).toBeTruthy();
    expect(screen.queryByTestId('tried')).toBeNull();
    await user.type(input(), '{Backspace}{Enter}');
    await story();
    api.tryCache.mockRejectedValueOnce(new ApiError(500, undefined, undefined, ['Request error']));
    await user.type(input(), 'x{Enter}');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(screen.queryByTestId('tried')).toBeNull();
    // Nor what failed before below what is wrong now.
    await user.type(input(), '#{Enter}');
    expect(await screen.findByText(/^Leave out #/)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leads to a wrong URL, found here or by the API', async () => {
    const refusal = { success: false as const, message: '', request_id: '', url: 'TOO_LONG' };
    await renderDomains(<TryUrlPanel route={routeWith()} />);
    const input = await screen.findByRole('textbox');
    const button = screen.getByRole('button', { name: 'Try it' });
    await user.click(input);
    await user.paste('/a#b');
    await user.click(button);
    await waitFor(() => expect(document.activeElement).toBe(input));
    await user.clear(input);
    await user.paste('/a');
    api.tryCache.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', refusal, ['url.TOO_LONG']));
    await user.click(button);
    await waitFor(() => expect(document.activeElement).toBe(input));
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('is tried at once with the path that was chosen elsewhere', async () => {
    await renderDomains(<TryUrlPanel route={routeWith()} given={{ url: '/img/logo.x' }} />);
    expect(((await screen.findByRole('textbox')) as HTMLInputElement).value).toBe('/img/logo.x');
    await story();
    expect(api.tryCache.mock.calls.map(([{ body }]) => body?.url)).toEqual(['/img/logo.x']);
  });

  it('is none for a domain that is off', async () => {
    await renderDomains(<TryUrlPanel route={routeWith({}, { status: 'deactivated' })} />);
    expect(await screen.findByText('The domain is deactivated.')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('the story', () => {
  it.each([...CACHE_BYPASSES])('says why a request passes by the cache (%s)', async (bypass) => {
    api.tryCache.mockResolvedValue({ result: answerOf({ bypass }) });
    await tryUrl();
    const text = (await story()).textContent ?? '';
    expect(text).toContain(`Goes to your origin: ${en.why[bypass]}.`);
    expect(text).not.toContain('Cache key');
  });

  it('says that no cache is on', async () => {
    api.tryCache.mockResolvedValue({ result: answerOf({ plugin: null, key: null, policy: null }) });
    await tryUrl();
    expect((await story()).textContent).toContain('Goes to your origin: No cache is on.');
    expect(screen.getByTestId('tried').textContent).toContain('Nothing is kept of the response.');
  });

  it.each([
    ['challenge', 'challenge', '', 'challenges a visitor with your IP address first', 'Settings'],
    ['redirect', 'redirect', '', 'redirects to https://b.example/', 'Settings'],
    ['block', '', 'not_verified', 'does not point here yet', 'Diagnose'],
    ['block', '', 'of_a_newer_release', 'Nodes refuse this request.', 'Diagnose'],
  ] as const)('names what stops a visitor (%s by %j)', async (outcome, by, reason, said, link) => {
    const before = { outcome, step: 'plugin', plugin: by, reason, status: 403, location: 'https://b.example/' };
    api.tryCache.mockResolvedValue({ result: answerOf({ before }) });
    await tryUrl();
    const list = await story();
    expect(list.textContent).toContain(said);
    expect(within(list).getByRole('link', { name: link })).toBeTruthy();
  });

  it.each([
    [{ is_default_forced: true }, '2 h whatever your origin says, for status 200 and 301.'],
    [{ is_default_forced: true }, 'Anything else: as long as your origin says; with Last-Modified alone, a tenth'],
    [{ default_types: ['image'] }, 'for status 200 and 301 and image.'],
    [{ default_types: ['image'] }, 'Anything else with Last-Modified: a tenth of the time since then, a day at most.'],
    [{ default_seconds: 0 }, 'a tenth of the time since Last-Modified'],
    [{ cache_control: 'public' }, 'your settings add public.'],
    [{ cache_control: 'public', overrides_cache_control: true }, 'send Cache-Control: public in place of'],
    [{ obeys_requests: true }, 'Cache-Control in visitors’ requests is followed.'],
    [{ cache_control: 'public' }, 'Never what your origin marks private or no-store.'],
  ])('says what the settings make of answers: %j', async (change, said) => {
    api.tryCache.mockResolvedValue({ result: answerOf({ policy: { ...answerOf().policy, ...change } as never }) });
    await tryUrl();
    expect((await story()).textContent?.replaceAll('\u00a0', ' ')).toContain(said);
  });

  it('promises nothing of private answers where the settings take the place of what the origin says', async () => {
    const policy = { ...answerOf().policy, cache_control: 'public', overrides_cache_control: true } as never;
    api.tryCache.mockResolvedValue({ result: answerOf({ policy }) });
    await tryUrl();
    expect((await story()).textContent).not.toContain('private');
  });

  it('says what is stale, and for how long it serves yet', async () => {
    const stale = copyOf({
      fresh_until: AT - 10,
      stale_while_revalidate_until: AT + 20,
      stale_if_error_until: AT - 10,
    });
    const nodes: CacheTry['nodes'] = [{ name: 'fra', state: 'answered', objects: { ...NOTHING, identity: stale } }];
    api.tryCache.mockResolvedValue({ result: answerOf({ nodes }) });
    await tryUrl();
    const row = await screen.findByRole('row', { name: /^fra/ });
    expect(row.textContent?.replaceAll('\u00a0', ' ')).toMatch(/stale.*Served 20 s more while refreshed\./);
    expect(row.textContent).not.toContain('while your origin is down');
  });

  it('says that a node has copies for other values of headers', async () => {
    const nodes: CacheTry['nodes'] = [{ name: 'fra', state: 'answered', objects: NOTHING, varies_by: 'x-kind' }];
    api.tryCache.mockResolvedValue({ result: answerOf({ nodes }) });
    await tryUrl();
    const row = await screen.findByRole('row', { name: /^fra/ });
    expect(row.textContent).toContain('Copies vary by x-kind: there are some for other values');
    expect(screen.queryByText('The node has no cached copy.')).toBeNull();
  });

  it('says that no node has a copy, or that none answers', async () => {
    const nodes: CacheTry['nodes'] = [{ name: 'fra', state: 'answered', objects: NOTHING }];
    api.tryCache.mockResolvedValueOnce({ result: answerOf({ nodes }) });
    await tryUrl();
    expect(await screen.findByText('The node has no cached copy.')).toBeTruthy();
    api.tryCache.mockResolvedValueOnce({ result: answerOf({ nodes: [] }) });
    await user.type(screen.getByRole('textbox'), 'x{Enter}');
    expect(await screen.findByText('No node serves this domain')).toBeTruthy();
  });
});

describe('a fetch', () => {
  const fetchIt = async (fetch: CacheFetch) => {
    api.fetchIntoCache.mockResolvedValue({ result: fetch });
    await tryUrl();
    await user.click(await screen.findByRole('button', { name: 'Fetch it again from your origin' }));
    return (await screen.findByRole('status')).textContent?.replaceAll('\u00a0', ' ');
  };

  it('asks for what was tried, says what came and was decided, and what nodes have then', async () => {
    expect(await fetchIt(fetchOf())).toBe('fra: cached, fresh for 1 h. ');
    expect(api.fetchIntoCache).toHaveBeenCalledExactlyOnceWith({
      params: { id: ROUTE_ID },
      body: { url: '/a.css?utm=1&v=2', scheme: 'http', refresh: true },
    });
    const text = screen.getByTestId('tried').textContent ?? '';
    expect(text).toContain('Cache-Controlmax-age=3600');
    expect(text).toContain('Set-Cookieyes');
    expect(screen.getByRole('columnheader', { name: 'gzip' })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: 'Brotli' })).toBeNull();
  });

  it('asks only for what nobody has fetched where no node has a copy', async () => {
    api.tryCache.mockResolvedValue({
      result: answerOf({ nodes: [{ name: 'fra', state: 'answered', objects: NOTHING }] }),
    });
    api.fetchIntoCache.mockResolvedValue({ result: fetchOf() });
    await tryUrl();
    await user.click(await screen.findByRole('button', { name: 'Fetch it once' }));
    await waitFor(() => expect(api.fetchIntoCache.mock.calls[0]?.[0].body.refresh).toBe(false));
  });

  it.each([
    [{ is_hit: true, is_stored: false, ttl: 0.4 }, 'answered from the cache, fresh for 0 s.'],
    [{ is_hit: true, is_stored: false, ttl: 30 }, 'answered from the cache, fresh for 30 s.'],
    [{ is_hit: true, is_stored: false, ttl: -3 }, 'answered from the cache, stale.'],
    [{ ttl: 0 }, 'cached, and checked with your origin before each use.'],
    [{ is_stored: false, ttl: null }, 'not cached.'],
    [{ is_stored: false, ttl: null, forward: 'bypass', detail: 'rule' }, `went to your origin: ${en.why.rule}.`],
    [{ is_stored: false, ttl: null, forward: 'request' }, `went to your origin: ${en.why.request}.`],
    [
      { is_stored: false, ttl: -3, forward: 'stale', forward_status: 503, detail: 'stale_if_error' },
      'not cached: Origin failed, stale copy served.',
    ],
  ])('says what was decided: %j', async (change, said) => {
    expect(await fetchIt(fetchOf({ cache: { ...STORED, ...change } as never }))).toContain(said);
  });

  it('says that nothing complete came, or that no cache was asked', async () => {
    expect(await fetchIt(fetchOf({ status: null }))).toBe('fra: no complete response within 12 s. ');
    expect(screen.queryByText('Cache-Control')).toBeNull();
  });

  it.each([...UNSTORED_REASONS, ...NODE_UNSTORED_REASONS] as const)(
    'has words for %s in both languages',
    async (detail) => {
      const cache = { ...STORED, is_stored: false, ttl: null, detail } as never;
      const why = en.why[detail].replace('{status}', '200');
      expect(await fetchIt(fetchOf({ cache }))).toContain(`not cached: ${why}.`);
      expect(zh.why[detail]).toBeTruthy();
    },
  );

  it('says why it could not be done', async () => {
    const failure = { success: false as const, message: '', request_id: '', code: 'GATEWAY_CONNECTION_ERROR' };
    api.fetchIntoCache.mockRejectedValue(
      new ApiError(502, 'GATEWAY_CONNECTION_ERROR', failure as never, ['code.GATEWAY_CONNECTION_ERROR']),
    );
    await tryUrl();
    await user.click(await screen.findByRole('button', { name: 'Fetch it again from your origin' }));
    expect(await screen.findByRole('alert')).toBeTruthy();
  });
});

it('says that there was no network, of what is tried and of a fetch, until there is one again', async () => {
  const lost = new ApiError(0, undefined, undefined, ['Please check your network']);
  api.tryCache.mockRejectedValueOnce(lost);
  await tryUrl();
  expect((await screen.findByRole('alert')).textContent).toBe('Please check your network');
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  await story();
  api.fetchIntoCache.mockRejectedValue(lost);
  await user.click(screen.getByRole('button', { name: 'Fetch it again from your origin' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please check your network');
  networkReturns();
  expect(screen.queryByRole('alert')).toBeNull();
});
