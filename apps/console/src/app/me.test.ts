// @vitest-environment happy-dom
import { ApiError, type Locale } from '@cordon/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { getIntl, setLocale } from './intl-store';
import { chosenLocale, initialLocale } from './locale';
import { chooseLocale, meOptions } from './me';

const api = vi.hoisted(() => ({ getMe: vi.fn(), updateMe: vi.fn() }));
const session = vi.hoisted(() => ({ status: 'signed-in' }));
vi.mock('./api-client', () => ({ api, queryClient: { setQueryData: vi.fn() } }));
vi.mock('./session/session', () => ({ getSession: () => session }));
const failed = vi.hoisted(() => vi.fn());
vi.mock('./failure', () => ({ notifyFailure: failed }));

const me = (locale: Locale | null) => ({ result: { user: { locale }, account: { time_zone: 'UTC' } } });
const signIn = () => new QueryClient().fetchQuery(meOptions);

beforeEach(async () => {
  for (const mock of [api.getMe, api.updateMe, failed]) mock.mockReset();
  session.status = 'signed-in';
  await setLocale('en', 'profile');
  localStorage.clear();
});

it('speaks the language of the profile in a browser where none was chosen, and the next time from the start', async () => {
  api.getMe.mockResolvedValue(me('zh'));
  await signIn();
  await vi.waitFor(() => expect(getIntl().locale).toBe('zh'));
  expect([initialLocale(), chosenLocale()]).toEqual(['zh', undefined]);
});

it('stays with the language of the browser where the profile has none', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('zh-CN');
  await setLocale(initialLocale(), 'profile');
  localStorage.clear();
  api.getMe.mockResolvedValue(me(null));
  await signIn();
  expect([getIntl().locale, initialLocale()]).toEqual(['zh', 'zh']);
  vi.restoreAllMocks();
});

it('stays with what was chosen in the browser before signing in', async () => {
  await setLocale('en');
  api.getMe.mockResolvedValue(me('zh'));
  await signIn();
  expect([getIntl().locale, chosenLocale()]).toEqual(['en', 'en']);
});

it('saves what is chosen while signed in, which then follows the profile in all browsers', async () => {
  api.updateMe.mockResolvedValue(me('zh'));
  await chooseLocale('zh');
  expect(api.updateMe).toHaveBeenCalledWith({ body: { locale: 'zh' } });
  expect([getIntl().locale, initialLocale(), chosenLocale()]).toEqual(['zh', 'zh', undefined]);
  api.getMe.mockResolvedValue(me('en'));
  await signIn();
  await vi.waitFor(() => expect(getIntl().locale).toBe('en'));
});

it('keeps a choice that could not be saved in this browser, and says so', async () => {
  api.updateMe.mockRejectedValue(new ApiError(0, undefined, undefined, []));
  await chooseLocale('zh');
  expect([getIntl().locale, chosenLocale(), failed.mock.calls.length]).toEqual(['zh', 'zh', 1]);
});

it('saves nothing for a visitor who is not signed in', async () => {
  session.status = 'signed-out';
  await chooseLocale('zh');
  expect([api.updateMe.mock.calls.length, chosenLocale()]).toEqual([0, 'zh']);
});

it('says why a language is not there whose words did not come', async () => {
  const intl = await import('./intl-store');
  const lost = new Error('part');
  const set = vi.spyOn(intl, 'setLocale').mockRejectedValueOnce(lost);
  session.status = 'signed-out';
  await chooseLocale('zh');
  expect(failed).toHaveBeenCalledWith(lost, expect.any(Function));
  expect(api.updateMe).not.toHaveBeenCalled();
  set.mockRestore();
});
