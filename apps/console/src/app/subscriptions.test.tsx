// @vitest-environment happy-dom
import { SUBSCRIPTIONS_STORAGE_KEY, type Subscription } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from './api-client';
import { markRegistered } from './session/registered';
import { hadNoDomain, selectSubscription, useSubscriptions } from './subscriptions';

const subscriptions = [{ cname: 'first.example' }, { cname: 'second.example' }] as Subscription[];

beforeEach(() => {
  window.localStorage.clear();
  vi.spyOn(api, 'listSubscriptions').mockResolvedValue({
    success: true,
    results: subscriptions,
    count: 2,
    page: 1,
    perpage: 100,
  });
});

function render() {
  const client = new QueryClient();
  return renderHook(() => useSubscriptions(), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  }).result;
}

// Other files of the worker have the same storage.
afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

it('the first is selected until another is chosen, which is remembered', async () => {
  const result = render();
  await waitFor(() => expect(result.current.selected?.cname).toBe('first.example'));
  act(() => selectSubscription('second.example'));
  expect(result.current.selected?.cname).toBe('second.example');
  const later = render();
  await waitFor(() => expect(later.current.selected?.cname).toBe('second.example'));
});

it('are cached, and shown from there before the API has answered', async () => {
  const result = render();
  await waitFor(() => expect(result.current.subscriptions).toEqual(subscriptions));
  expect(SUBSCRIPTIONS_STORAGE_KEY).toBe('subscriptions');
  expect(JSON.parse(window.localStorage.getItem('subscriptions') ?? '')).toEqual(subscriptions);
  vi.spyOn(api, 'listSubscriptions').mockReturnValue(new Promise(() => undefined));
  expect(render().current.subscriptions).toEqual(subscriptions);
});

it('takes an account that was made in this tab to have no domain, until more is known', () => {
  expect(hadNoDomain()).toBe(false);
  markRegistered();
  expect(hadNoDomain()).toBe(true);
  window.localStorage.setItem(SUBSCRIPTIONS_STORAGE_KEY, JSON.stringify([{ usage: { domains: 2 } }]));
  expect(hadNoDomain()).toBe(false);
});
