import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

/**
 * As `useState`, for what is typed on the Caching tab of a domain: it is there again when one comes back from another tab, and gone with
 * the session, as all that was read in it.
 */
export function useKept<Value>(routeId: string, name: string, first: Value): [Value, (value: Value) => void] {
  const client = useQueryClient();
  const [value, setValue] = useState(() => {
    const kept = client.getQueryData<{ value: Value }>(['typed', routeId, name]);
    return kept ? kept.value : first;
  });
  const keep = useCallback(
    (next: Value) => {
      client.setQueryDefaults(['typed'], { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(['typed', routeId, name], { value: next });
      setValue(next);
    },
    [client, routeId, name],
  );
  return [value, keep];
}
