import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

/** Looks again whether the name leads here. Its card shows the errors. */
export function useVerifyOwnership(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.verifyOwnership({ params: { id } })).result,
    onSuccess: (route) => {
      client.setQueryData(domainKeys.route(id), route);
      void client.invalidateQueries({ queryKey: domainKeys.lists() });
    },
    meta: { isSilent: true },
  });
}
