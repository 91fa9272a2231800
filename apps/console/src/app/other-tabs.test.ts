// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from './intl-store';
import type { Tokens } from './session/openid';
import { accept, getSession, signOut } from './session/session';

const isUnsaved = vi.hoisted(() => vi.fn(() => false));
const notices = vi.hoisted(() => ({ notify: vi.fn(), dismissNotice: vi.fn() }));
const signInSilently = vi.hoisted(() => vi.fn());
vi.mock('../ui/unsaved-changes', () => ({ hasUnsavedChanges: isUnsaved }));
vi.mock('../ui/notices', () => notices);
vi.mock('./session/openid', async (original) => ({ ...(await original<object>()), signInSilently }));

const heard: unknown[] = [];
class Channel {
  onmessage?: (event: { data: unknown }) => void;
  constructor() {
    channel = this;
  }
  postMessage(message: unknown) {
    heard.push(message);
  }
}
let channel: Channel;
const hear = (data: unknown) => channel.onmessage?.({ data });

const jwt = (sub: string) => `.${btoa(JSON.stringify({ sub, email: `${sub}@example.com` }))}.`;
const tokensOf = (sub: string): Tokens => ({
  access_token: jwt(sub),
  id_token: jwt(sub),
  refresh_token: undefined,
  expiresAt: Date.now() + 300_000,
});
const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});

beforeAll(async () => {
  vi.stubGlobal('BroadcastChannel', Channel);
  await needCatalogs('pages', 'errors');
  (await import('./other-tabs')).listen();
});
beforeEach(() => {
  vi.useFakeTimers();
  isUnsaved.mockReturnValue(false);
  accept(tokensOf('a'));
  vi.clearAllMocks();
  heard.length = 0;
});
afterEach(() => vi.useRealTimers());

it('keeps nothing of one user in the storage of a tab for the next one', () => {
  sessionStorage.setItem('domains.operations', '[]');
  accept(tokensOf('a'));
  expect(sessionStorage.getItem('domains.operations')).toBe('[]');
  accept(tokensOf('b'));
  expect(sessionStorage.getItem('domains.operations')).toBeNull();
});

it('says who is signed in, and that the user signs out', async () => {
  accept(tokensOf('b'));
  await signOut();
  expect(leave).toHaveBeenCalledExactlyOnceWith('/');
  expect(heard).toEqual([{ sub: 'b' }, 'out']);
});

it('goes on while others are signed in as the same user, or nobody is in a new tab', () => {
  hear({ sub: 'a' });
  hear('nobody');
  expect(getSession().status).toBe('signed-in');
});

it('leaves at once for another user', () => {
  sessionStorage.setItem('domains.operations', '[]');
  hear({ sub: 'b' });
  expect(getSession()).toMatchObject({ status: 'signed-out', claims: null });
  expect(sessionStorage).toHaveLength(0);
  expect(leave).toHaveBeenCalledExactlyOnceWith('/');
});

it('with something unsaved stays when the user signs out elsewhere, says so, and goes on when the same user is back', async () => {
  isUnsaved.mockReturnValue(true);
  hear('out');
  expect(getSession()).toMatchObject({ status: 'ended', claims: null });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(leave).not.toHaveBeenCalled();
  expect(notices.notify).toHaveBeenCalledWith(
    expect.objectContaining({
      title: 'You are no longer signed in',
      description: expect.stringContaining('a@example.com'),
      durationMs: 0,
      action: expect.objectContaining({ label: 'Sign in' }),
    }),
  );
  signInSilently.mockResolvedValueOnce(tokensOf('b'));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(getSession().status).toBe('ended');
  signInSilently.mockResolvedValueOnce(tokensOf('a'));
  hear({ sub: 'a' });
  await vi.advanceTimersByTimeAsync(0);
  expect(getSession().status).toBe('signed-in');
  expect(notices.dismissNotice).toHaveBeenCalledOnce();
});

it('forgets the account when the user signs out elsewhere, and leaves once that has ended', () => {
  localStorage.setItem('recents', '{}');
  hear('out');
  expect(getSession().status).toBe('signed-out');
  expect(localStorage.getItem('recents')).toBeNull();
  expect(leave).not.toHaveBeenCalled();
  // Another that waits would take it for the end.
  expect(heard).toEqual([]);
  hear('nobody');
  expect(leave).toHaveBeenCalledExactlyOnceWith('/');
});
