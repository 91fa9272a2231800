import type { Page } from 'playwright-core';
import { domain, named, ofCard, type Screen, type Words } from './screen.ts';

const sheet = (page: Page) => page.getByRole('dialog');
/** Of the paths that cost the origin most; the demo's domain caches nothing, and has had requests. */
const costs = (page: Page) => page.getByRole('table').filter({ has: page.getByRole('rowheader', { name: /^\// }) });

const counted = (requests: number, bytes: number) => ({ requests, bytes });
const none = counted(0, 0);
const outcomes = {
  hit: counted(48_213, 2_810_000_000),
  stale: counted(312, 9_100_000),
  revalidated: counted(2_204, 88_000_000),
  miss: counted(9_120, 412_000_000),
  expired: counted(1_870, 61_000_000),
  bypass: counted(5_402, 33_000_000),
  uncached: none,
};
const nothing = Object.fromEntries(Object.keys(outcomes).map((outcome) => [outcome, none]));

/** A day of a domain that caches, with every kind of outcome and of reason. */
async function showBusyCache(page: Page) {
  const end = Math.floor(Date.now() / 900_000) * 900_000;
  const from = new Date(end - 86_400_000).toISOString();
  const to = new Date(end - 1).toISOString();
  const totals = { requests: 67_121, bytes: 3_413_100_000, hit_ratio: 0.756, saved_bytes: 2_907_100_000, outcomes };
  const series = Array.from({ length: 96 }, (_, index) => {
    const requests = 400 + ((index * 37) % 300);
    const hit_ratio = 0.6 + ((index * 13) % 35) / 100;
    return {
      ...{
        time: new Date(end - 86_400_000 + index * 900_000).toISOString(),
        requests,
        bytes: requests * 51_000,
        hit_ratio,
      },
      ...{ saved_bytes: requests * 40_000, outcomes: { ...nothing, hit: counted(requests, requests * 40_000) } },
    };
  });
  const overview = {
    range: '24h',
    from,
    to,
    bucket_seconds: 900,
    totals,
    previous: { ...totals, hit_ratio: 0.701 },
    series,
  };
  await page.route(/\/cache\/overview\//, (route) => route.fulfill({ json: { success: true, result: overview } }));
  const paths = [
    [
      '/downloads/a-rather-long-name-of-a-release-that-somebody-chose-1.42.0-linux-x86_64.AppImage',
      'bypass',
      'path',
      200,
    ],
    ['/api/products/search', 'miss', 'no_store', 200],
    ['/account/orders', 'miss', 'private', 200],
    ['/missing/image.x', 'miss', 'no_lifetime', 404],
    ['/', 'bypass', 'path', 200],
    ['/shop/checkout', 'bypass', 'method', 303],
    ['/news/today', 'expired', '', 200],
    ['/fonts/inter.woff2', 'revalidated', '', 304],
    ['/video/intro.mp4', 'miss', 'no_parts', 200],
  ].map(([path, cache, cache_reason, status], index) => ({
    ...{ path, cache, cache_reason, status, requests: 9_000 - index * 911, bytes: 240_000_000 / (index + 1) },
    origin_ms: 380_000,
  }));
  await page.route(/\/cache\/costly-paths\//, (route) =>
    route.fulfill({ json: { success: true, result: { from, to, paths } } }),
  );
}

/** A URL with a story to tell, on nodes that have it fresh, expired, in slices, not at all, or do not answer. */
async function showTriedUrl(page: Page) {
  const at = Math.floor(Date.now() / 1000);
  const copy = {
    ...{ status: 200, content_type: 'text/css', content_encoding: 'br', bytes: 48_213, is_sliced: false },
    ...{ made_at: at - 4_000, fresh_until: at + 3_200 },
    ...{ stale_while_revalidate_until: at + 3_260, stale_if_error_until: at + 89_600 },
    ...{ tags: ['front-page', 'product-17'], etag: '"a"', last_modified: '', vary: 'Accept-Encoding' },
  };
  const old = { ...copy, fresh_until: at - 100, stale_while_revalidate_until: at + 40, content_encoding: '', tags: [] };
  const nodes = [
    { name: 'fra-1', state: 'answered', objects: { br: copy, gzip: null, identity: old } },
    { name: 'hkg-1', state: 'answered', objects: { br: { ...copy, is_sliced: true }, gzip: null, identity: null } },
    { name: 'a-node-with-a-rather-long-name-in-sydney', state: 'silent', objects: null },
  ];
  const result = {
    ...{ version: 7, is_paused: false, plugin: 'advance-proxy-cache', bypass: null, nodes, at },
    request: { scheme: 'https', host: 'www.live.example', path: '/css/site.css', query: 'v=2&utm_source=mail' },
    before: {
      ...{ outcome: 'challenge', step: 'plugin', plugin: 'challenge', reason: 'proof_required', status: 403 },
      location: '',
    },
    key: {
      ...{ query: 'v=2', left_out: ['utm_source=mail'], device: 'mobile', language: 'de', languages: ['de', 'en'] },
      is_sliced: false,
    },
    policy: {
      ...{ default_seconds: 86_400, default_statuses: [200, 301, 404], default_types: ['text/css', 'image'] },
      ...{ is_default_forced: false, cache_control: '', overrides_cache_control: false, obeys_requests: false },
      ...{ stale_if_error_seconds: 86_400, stale_while_revalidate_seconds: 0 },
    },
  };
  await page.route(/\/cache\/try\/$/, (route) => route.fulfill({ json: { success: true, result } }));
  const fetched = {
    ...{ node: 'fra-1', status: 200, cache_control: 'private, max-age=0, must-revalidate', vary: 'Accept-Encoding' },
    cache: { is_hit: false, forward: 'uri-miss', forward_status: 200, is_stored: false, ttl: null, detail: 'private' },
    ...{ age: null, content_type: 'text/css; charset=utf-8', content_encoding: 'br', sets_cookie: false },
    ...{ bytes: 48_213, milliseconds: 41.7, nodes, at },
  };
  await page.route(/\/cache\/try\/fetch\/$/, (route) => route.fulfill({ json: { success: true, result: fetched } }));
}

const tryPanel = (page: Page, words: Words) =>
  page.getByRole('region', { name: words('caching.tryUrl.title'), exact: true });

async function openForm(page: Page, words: Words, index: number) {
  await ofCard(page, words('domain.plugin.setUp')).nth(index).click();
  await sheet(page).getByRole('textbox').first().waitFor();
}

export const caching: readonly Screen[] = [
  {
    name: 'domain, caching',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page) {
      await page.getByRole('article').nth(1).waitFor();
      await costs(page).getByRole('button').first().waitFor();
    },
  },
  {
    name: 'domain, caching, with every outcome',
    account: 'full',
    hash: domain('live', 'caching'),
    prepare: showBusyCache,
    async open(page) {
      await costs(page).getByRole('row').nth(5).waitFor();
      await page.locator('.uplot').first().waitFor();
    },
  },
  {
    name: 'domain, caching, paths with every reason',
    account: 'full',
    hash: domain('live', 'caching'),
    prepare: showBusyCache,
    async open(page, words) {
      await page.locator('.uplot').first().waitFor();
      const all = page.getByRole('region', { name: words('caching.cacheFigures.costly.title'), exact: true });
      await all.getByRole('button').last().click();
      await costs(page).getByRole('row').nth(9).waitFor();
      await costs(page).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'domain in development mode',
    account: 'full',
    hash: domain('live', 'caching'),
    prepare: (page) =>
      page.route(/\/development-mode\//, (route) =>
        route.fulfill({
          json: { success: true, result: { ends_at: new Date(Date.now() + 10_740_000).toISOString() } },
        }),
      ),
    async open(page, words) {
      const panel = page.getByRole('region', { name: words('caching.developmentMode.title'), exact: true });
      await named(panel, 'button', words('caching.developmentMode.end')).waitFor();
    },
  },
  {
    name: 'a URL is tried in the cache, and fetched',
    account: 'full',
    hash: domain('live', 'caching'),
    prepare: showTriedUrl,
    async open(page, words) {
      const panel = tryPanel(page, words);
      await panel.getByRole('textbox').fill('/css/site.css?v=2&utm_source=mail');
      await named(panel, 'button', words('caching.tryUrl.try')).click();
      await named(panel, 'button', words('caching.tryUrl.fetch.again')).click();
      await panel.getByRole('status').waitFor();
    },
  },
  {
    name: 'a URL of another name is tried in the cache',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      const panel = tryPanel(page, words);
      await panel.getByRole('textbox').fill('https://elsewhere.example/');
      await named(panel, 'button', words('caching.tryUrl.try')).click();
      await panel.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'a costly path is cached',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page) {
      await costs(page).getByRole('button').first().click();
      await sheet(page).getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'cache strategy',
    account: 'full',
    hash: domain('live', 'caching'),
    open: (page, words) => openForm(page, words, 0),
  },
  {
    name: 'cache strategy with rules and faults',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 0);
      const rule = sheet(page).locator('fieldset').getByRole('button').last();
      await rule.click();
      await rule.click();
      await named(page, 'button', words('domain.save.draft')).click();
      await sheet(page).locator('[aria-invalid=true]').nth(1).waitFor();
    },
  },
  {
    name: 'the key of cache strategy',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 0);
      await sheet(page).getByRole('radio').last().click();
      await sheet(page).getByRole('checkbox').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'advanced cache',
    account: 'full',
    hash: domain('live', 'caching'),
    async open(page, words) {
      await openForm(page, words, 1);
      await sheet(page).getByRole('radio').nth(1).click();
    },
  },
];
