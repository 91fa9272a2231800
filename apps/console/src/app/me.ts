import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client';
import { setTimeZone } from './intl-store';
import { appKeys } from './keys';

/** Who is signed in; dates are shown in the account's time zone from then on. */
export const meOptions = queryOptions({
  queryKey: appKeys.me(),
  async queryFn({ signal }) {
    const { result } = await api.getMe({ signal });
    setTimeZone(result.account.time_zone);
    return result;
  },
  staleTime: 60_000,
});
