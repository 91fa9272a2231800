// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { rememberSize } from '../ui/list-sizes';
import { listen } from './other-tabs';
import { signOut } from './session/session';
import { selectSubscription } from './subscriptions';

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

it('leaves nothing of the account in the browser', async () => {
  // What another file's tests have left.
  window.localStorage.clear();
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  window.localStorage.setItem('theme', 'dark');
  window.localStorage.setItem('subscriptions', '[]');
  window.localStorage.setItem('recents', '{}');
  window.localStorage.setItem('session_hint', '1');
  window.sessionStorage.setItem('domains.operations', '[]');
  selectSubscription('zone.example');
  rememberSize('Domains', 7);
  listen();
  await signOut();
  expect(Object.keys(window.localStorage)).toEqual(['theme']);
  expect(window.sessionStorage).toHaveLength(0);
  expect(leave).toHaveBeenCalledOnce();
});
