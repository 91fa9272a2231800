// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { dashboardSearch, domainImportSearch } from './domain-search';

/** What a screen reads of an address. */
async function searchAt(validateSearch: (search: Record<string, unknown>) => object, address: string) {
  const root = createRootRoute();
  const routeTree = root.addChildren([createRoute({ getParentRoute: () => root, path: '/screen', validateSearch })]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [`/screen${address}`] }) });
  await router.load();
  return router.state.matches.at(-1)?.search as Record<string, unknown>;
}

test.each([
  [dashboardSearch, 'range', '7d', 'zzz'],
  [dashboardSearch, 'domain', '0190f7a2-0000-7000-8000-000000000001', 'zzz'],
  [domainImportSearch, 'batch', '0190f7a2-0000-7000-8000-000000000001', 'zzz'],
])(
  'what an address asks for and there is not falls back to what is shown without it',
  async (read, name, good, bad) => {
    expect((await searchAt(read, `?${name}=${good}`))[name]).toBe(good);
    expect((await searchAt(read, `?${name}=${bad}`))[name]).toBeUndefined();
  },
);
