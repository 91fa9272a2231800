// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { useKept } from './use-kept';

function startPage() {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return (routeId: string, name = 'urls') => renderHook(() => useKept(routeId, name, ''), { wrapper });
}

it('has what was typed when one comes back to the tab, of each domain and field its own', () => {
  const open = startPage();
  const first = open('one');
  expect(first.result.current[0]).toBe('');
  act(() => first.result.current[1]('/index.html'));
  expect(first.result.current[0]).toBe('/index.html');
  first.unmount();
  expect(open('two').result.current[0]).toBe('');
  expect(open('one', 'tags').result.current[0]).toBe('');
  expect(open('one').result.current[0]).toBe('/index.html');
});

it('has nothing of another session', () => {
  const first = startPage()('one');
  act(() => first.result.current[1]('/index.html'));
  expect(startPage()('one').result.current[0]).toBe('');
});
