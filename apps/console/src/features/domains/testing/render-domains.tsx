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
import errorsEn from '../../../locales/en/errors.json';
import uiEn from '../../../locales/en/ui.json';
import errorsZh from '../../../locales/zh/errors.json';
import uiZh from '../../../locales/zh/ui.json';
import { NoticesProvider } from '../../../ui/notices';
import domainsEn from '../locales/en.json';
import domainsZh from '../locales/zh.json';

const messages = {
  en: { ui: uiEn, errors: errorsEn, domains: domainsEn },
  zh: { ui: uiZh, errors: errorsZh, domains: domainsZh },
};

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
  const router = createRouter({
    routeTree: root.addChildren([shell, page]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <IntlProvider locale={locale} timeZone="UTC" messages={messages[locale] as never}>
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
