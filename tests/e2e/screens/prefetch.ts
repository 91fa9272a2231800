import type { Page } from 'playwright-core';
import { domain, named, type Screen, type Words } from './screen.ts';

const panel = (page: Page, words: Words) =>
  page.getByRole('region', { name: words('caching.prefetch.title'), exact: true });
const ID = '00000000-0000-4000-8000-0000000000f1';
const URL =
  'https://www.live.example/downloads/a-rather-long-name-of-a-release-1.42.0-linux-x86_64.AppImage?mirror=fra';
const node = (name: string, state: string, kept: number, fresh: number, unkept: number, failed: number) => ({
  ...{ name, state, kept, fresh, unkept, failed },
});
const nodes = [
  node('fra-1', 'running', 410, 31, 4, 1),
  node('hkg-1', 'waiting', 0, 0, 0, 0),
  node('lax-1', 'silent', 12, 0, 0, 0),
];
const running = {
  ...{
    id: ID,
    state: 'running',
    first_urls: [URL, '/news/', '/'],
    url_count: 250,
    refresh: true,
    visits: 1_500,
    left_out: 2,
    nodes,
  },
  ...{
    cause: 'deploy',
    version: 12,
    created_at: new Date().toISOString(),
    created_by: 'ann@example.com',
    ended_at: null,
  },
};
const done = {
  ...running,
  ...{
    id: ID.replace(/1$/, '2'),
    state: 'done',
    first_urls: ['/'],
    url_count: 1,
    refresh: false,
    visits: 2,
    left_out: 0,
  },
  ...{ cause: 'call', version: null, ended_at: running.created_at, nodes: [node('fra-1', 'done', 2, 0, 0, 0)] },
};
const problem = { node: 'fra-1', url: URL, device: 'mobile', language: 'zh-CN', status: 200, reason: 'set_cookie' };
const problems = [
  problem,
  { ...problem, node: 'lax-1' },
  { ...problem, url: 'http://www.live.example/', status: 503, reason: '' },
];

/** The demo's domain caches nothing, so that none of its own runs. */
async function showRuns(page: Page) {
  await page.route(/\/prefetch\/\?/, (route) =>
    route.fulfill({ json: { success: true, results: [running, done], count: 2, page: 1, perpage: 5 } }),
  );
  await page.route(/\/prefetch\/[0-9a-f-]{36}\//, (route) =>
    route.fulfill({ json: { success: true, result: { ...running, urls: running.first_urls, problems } } }),
  );
}

export const prefetch: readonly Screen[] = [
  {
    name: 'prefetches with each node and what was not kept, and a list with faults',
    account: 'full',
    hash: domain('live', 'caching'),
    prepare: showRuns,
    async open(page, words) {
      await named(panel(page, words), 'button', words('caching.prefetch.showDetails')).first().click();
      await panel(page, words).getByText(URL, { exact: true }).last().waitFor();
      await panel(page, words).getByRole('textbox').last().fill('/css/site.css\nhttps://www.other.example/\n/a#b');
      await named(panel(page, words), 'button', words('caching.prefetch.list.save')).click();
      await panel(page, words).locator('[aria-invalid=true]').waitFor();
      await panel(page, words).getByRole('list').last().scrollIntoViewIfNeeded();
    },
  },
];
