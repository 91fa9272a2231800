// @vitest-environment happy-dom
import type { Locale } from '@cordon/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import type { CatalogName } from '../locales/catalogs';

const arrivals = new Map<string, () => void>();
vi.mock('../locales/catalogs', () => ({
  loadCatalog: (locale: Locale, name: CatalogName) =>
    new Promise((resolve) => {
      arrivals.set(`${locale} ${name}`, () => resolve({ words: `${locale} ${name}` }));
    }),
}));

let store: typeof import('./intl-store');

/** Lets a catalog arrive, once it has been asked for. */
async function arrive(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await vi.waitFor(() => expect(arrivals.has(file)).toBe(true));
    arrivals.get(file)?.();
    arrivals.delete(file);
  }
}

beforeEach(async () => {
  localStorage.clear();
  vi.resetModules();
  arrivals.clear();
  store = await import('./intl-store');
  const isReady = store.needCatalogs('shell');
  await arrive('en shell');
  await isReady;
});

it('has the words that were asked for while the language changed', async () => {
  const change = store.setLocale('zh');
  const more = store.needCatalogs('pages');
  await arrive('zh shell', 'en pages', 'zh pages');
  await Promise.all([change, more]);
  expect(store.getIntl()).toMatchObject({
    locale: 'zh',
    messages: { shell: { words: 'zh shell' }, pages: { words: 'zh pages' } },
  });
});

it('is the language that was chosen last, whichever arrives first', async () => {
  const [first, last] = [store.setLocale('zh'), store.setLocale('en')];
  await arrive('en shell', 'zh shell');
  await Promise.all([first, last]);
  expect(store.getIntl()).toMatchObject({ locale: 'en', messages: { shell: { words: 'en shell' } } });
});

it('gives words that arrive to what is being drawn with those of before', async () => {
  const drawn = store.getIntl().messages;
  const isReady = store.needCatalogs('pages');
  await arrive('en pages');
  await isReady;
  expect(drawn).toMatchObject({ shell: { words: 'en shell' }, pages: { words: 'en pages' } });
});
