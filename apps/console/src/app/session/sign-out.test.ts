// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { rememberSize } from '../../ui/list-sizes';
import { signOut } from './session';

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
});

it('leaves nothing of the account in the browser', async () => {
  // What another file's tests have left.
  window.localStorage.clear();
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  window.localStorage.setItem('theme', 'dark');
  window.localStorage.setItem('subscriptions', '[]');
  window.localStorage.setItem('recents', '{}');
  window.localStorage.setItem('session_hint', '1');
  rememberSize('Domains', 7);
  await signOut();
  expect(Object.keys(window.localStorage)).toEqual(['theme']);
  expect(leave).toHaveBeenCalledOnce();
});
