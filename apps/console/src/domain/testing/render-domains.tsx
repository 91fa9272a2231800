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
import { needCatalogs } from '../../app/intl-store';
import { messagesOf } from '../../testing/catalogs';
import NoticeList from '../../ui/notice-list';

/** Renders a part of the domains in a router, with real words, notices and a fresh query cache. */
export async function renderDomains(part: ReactNode, locale: 'en' | 'zh' = 'en') {
  await needCatalogs('ui', 'errors', 'fieldErrors', 'domain');
  const client = new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, staleTime: Number.POSITIVE_INFINITY },
      mutations: { networkMode: 'always' },
    },
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
  const list = createRoute({ getParentRoute: () => root, path: '/domain/list', component: () => null });
  const rules = createRoute({ getParentRoute: () => root, path: '/domain/rules', component: () => null });
  const bans = createRoute({ getParentRoute: () => root, path: '/manage-ip', component: () => <p>bans</p> });
  const router = createRouter({
    routeTree: root.addChildren([shell, list, page, rules, bans]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <IntlProvider locale={locale} timeZone="UTC" messages={messagesOf(locale)}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
        <NoticeList />
      </QueryClientProvider>
    </IntlProvider>,
  );
  await screen.findByTestId('here');
  return { client, router };
}
