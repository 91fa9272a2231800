import type { Locator, Page } from 'playwright-core';
import { filled, NAMES, named, type Screen, type Words } from './screen.ts';

/** A batch over the list, as the API would return it: a real one ends before the page is read. */
async function showBatch(page: Page, state: 'running' | 'failed'): Promise<void> {
  const id = '00000000-0000-4000-8000-00000000000b';
  const at = '2026-11-20T10:00:00Z';
  const counts =
    state === 'running' ? { total: 1000, succeeded: 412, failed: 1 } : { total: 12, succeeded: 11, failed: 1 };
  const ended = {
    created_by: 'full@example.com',
    created_at: at,
    finished_at: state === 'running' ? null : at,
    is_undoable: false,
    is_resumable: state !== 'running',
    undoes: null,
    clear: null,
    scheduled_for: null,
  };
  const batch = { id, kind: 'deploy', state, ...counts, ...ended };
  const error = { code: 'QUOTA_REACHED', message: 'No', fields: {}, params: {} };
  const item = {
    position: 3,
    route_id: filled.ids.long,
    name: NAMES.long,
    name_unicode: NAMES.long,
    state: 'failed',
    error,
  };
  const items = [{ ...item, operation_id: null, deployed: null, result: null }];
  const listOf = (results: unknown[]) => ({ success: true, results, count: results.length, page: 1, perpage: 20 });
  // Kept from an earlier visit of this user, so that it is there once it has ended, too: what was there before a user's is cleared.
  await page.addInitScript(
    `const { setItem } = Storage.prototype;
     Storage.prototype.setItem = function (key, value) {
       setItem.call(this, key, value);
       if (key === 'owner') setItem.call(this, 'domains.batches', '["${id}"]');
     };`,
  );
  await page.route(/\/api\/v1\/domain\/batches\//, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/items/')) return route.fulfill({ json: listOf(items) });
    if (pathname.endsWith(`/${id}/`)) return route.fulfill({ json: { success: true, result: batch } });
    return route.fulfill({ json: listOf(state === 'running' ? [batch] : []) });
  });
}

/** The bar over the list, with everything on the page in it. */
async function selectAll(page: Page, words: Words): Promise<void> {
  await page.locator('[data-row]').first().waitFor();
  await page.getByRole('checkbox', { name: words('ui.table.selectAll') }).check();
  await named(page, 'button', words('bulk.move_group')).waitFor();
}

/** The question about what is to be done to all domains of the list. */
export async function askOfAll(page: Page, words: Words, action: 'deploy' | 'clear_cache'): Promise<Locator> {
  await selectAll(page, words);
  await named(page, 'button', words(`bulk.${action}`)).click();
  return page.getByRole('alertdialog');
}

export const batches: readonly Screen[] = [
  {
    name: 'domains, selected',
    account: 'full',
    hash: '#/domain/list',
    open: selectAll,
  },
  {
    name: 'domains, selected, while a batch runs',
    account: 'full',
    hash: '#/domain/list',
    prepare: (page) => showBatch(page, 'running'),
    async open(page, words) {
      await selectAll(page, words);
      await page.getByText(words('batches.failures')).waitFor();
    },
  },
  {
    name: 'domains, selected, after a batch that failed in part',
    account: 'full',
    hash: '#/domain/list',
    prepare: (page) => showBatch(page, 'failed'),
    async open(page, words) {
      await selectAll(page, words);
      await page.getByText(words('batches.failures')).waitFor();
    },
  },
  {
    name: 'domains, deploy all that are selected?',
    account: 'full',
    hash: '#/domain/list',
    async open(page, words) {
      await (await askOfAll(page, words, 'deploy')).waitFor();
    },
  },
];
