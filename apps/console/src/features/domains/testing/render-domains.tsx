import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { needCatalogs } from '../../../app/intl-store';
import { NoticesProvider } from '../../../ui/notices';

type Catalog = Record<string, unknown>;
const ownCatalogs = import.meta.glob<Catalog>('../../../locales/*/{ui,errors}.json', {
  eager: true,
  import: 'default',
});
const featureCatalogs = import.meta.glob<Catalog>('../**/locales/*.json', { eager: true, import: 'default' });

/** Every catalog that a part of the domains may ask for, by its namespace. */
function messagesOf(locale: 'en' | 'zh'): Record<string, Catalog> {
  const messages: Record<string, Catalog> = {};
  for (const [path, catalog] of Object.entries(ownCatalogs)) {
    const [, language, name] = /locales\/(\w+)\/(\w+)\.json$/.exec(path) ?? [];
    if (language === locale && name) messages[name] = catalog;
  }
  for (const [path, catalog] of Object.entries(featureCatalogs)) {
    const [, folder = 'domains', language] = /^\.\.\/(?:([\w-]+)\/)?locales\/(\w+)\.json$/.exec(path) ?? [];
    const name = folder.replace(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase());
    if (language === locale) messages[name] = catalog;
  }
  return messages;
}

/** Renders a part of the domains in a router, with real words, notices and a fresh query cache. */
export async function renderDomains(part: ReactNode, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('ui', 'errors', 'domains');
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const root = createRootRoute();
  const shell = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <div data-testid="here">{part}</div>,
  });
  const page = createRoute({
    getParentRoute: () => root,
    path: '/domain/list/$id',
    component: () => <p>domain page</p>,
  });
  const templates = createRoute({ getParentRoute: () => root, path: '/domain/rules', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([shell, page, templates]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <IntlProvider locale={locale} timeZone="UTC" messages={messagesOf(locale) as never}>
      <QueryClientProvider client={client}>
        <NoticesProvider>
          <RouterProvider router={router as never} />
        </NoticesProvider>
      </QueryClientProvider>
    </IntlProvider>,
  );
  await screen.findByTestId('here');
  return { client, router };
}
