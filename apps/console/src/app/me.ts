import type { Locale } from '@cordon/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from './api-client';
import { notifyFailure } from './failure';
import { setLocale, setTimeZone } from './intl-store';
import { appKeys } from './keys';
import { chosenLocale, keepLocale } from './locale';
import { getSession } from './session/session';

/**
 * Who is signed in; dates are shown in the account's time zone from then on, and words in the language of the profile
 * where none was chosen in this browser.
 */
export const meOptions = queryOptions({
  queryKey: appKeys.me(),
  async queryFn({ signal }) {
    const { result } = await api.getMe({ signal });
    setTimeZone(result.account.time_zone);
    const { locale } = result.user;
    if (locale !== null && chosenLocale() === undefined) void setLocale(locale, 'profile');
    return result;
  },
  staleTime: 60_000,
});

/** Chooses the language: that of the profile of who is signed in, or else of this browser. */
export async function chooseLocale(locale: Locale): Promise<void> {
  try {
    await setLocale(locale);
    if (getSession().status !== 'signed-in') return;
    const { result } = await api.updateMe({ body: { locale } });
    queryClient.setQueryData(meOptions.queryKey, result);
    keepLocale(locale, 'profile');
  } catch (error) {
    notifyFailure(error, () => void chooseLocale(locale));
  }
}
