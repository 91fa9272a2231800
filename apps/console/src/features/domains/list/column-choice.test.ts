// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  window.localStorage.clear();
  vi.resetModules();
});

it.each([
  ['a table', false, ['origin', 'requests', 'blocked', 'tls', 'dns']],
  ['the cards of a phone, in three lines', true, ['requests', 'blocked', 'tls', 'dns']],
])('what is usual for %s', async (_what, matches, usual) => {
  vi.stubGlobal('matchMedia', () => ({ matches }));
  const { useChosenColumns } = await import('./column-choice');
  expect(renderHook(() => useChosenColumns()).result.current).toEqual(usual);
});
