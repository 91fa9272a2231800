import type { CallInput, Operations } from '@cordon/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { setLocale, setTimeZone } from '../../app/intl-store';
import { meOptions } from '../../app/me';

type PasswordChange = NonNullable<CallInput<Operations['changePassword']>>['body'];
type Profile = NonNullable<NonNullable<CallInput<Operations['updateMe']>>['body']>;

/** Saves the profile; the console speaks its language and shows its time zone from then on. Its form shows the errors. */
export function useUpdateMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Profile) => (await api.updateMe({ body })).result,
    async onSuccess(me, { locale }) {
      client.setQueryData(meOptions.queryKey, me);
      setTimeZone(me.account.time_zone);
      if (locale !== undefined) await setLocale(locale, 'profile');
    },
    meta: { isSilent: true },
  });
}

/** Changes the password; its form shows the errors. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: PasswordChange) => api.changePassword({ body }),
    meta: { isSilent: true },
  });
}
