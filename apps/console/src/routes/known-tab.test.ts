// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useKnownTab } from './known-tab';

it.each([
  ['nonsense', 'profile', true],
  // The first tab has no word in the address.
  ['profile', 'profile', true],
  ['audit', 'audit', false],
  [undefined, 'profile', false],
])('takes a tab of the address that is not the one shown away: %s shows %s', (given, tab, isReplaced) => {
  const replace = vi.fn();
  renderHook(() => useKnownTab(given, tab, 'profile', replace));
  expect(replace).toHaveBeenCalledTimes(isReplaced ? 1 : 0);
  const [how] = replace.mock.calls[0] ?? [];
  expect(how?.replace ?? true).toBe(true);
  expect(how?.search({ q: 'typed', tab: given }) ?? { q: 'typed' }).toEqual({ q: 'typed' });
});
