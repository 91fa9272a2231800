import type { CallInput, Operations } from '@cordon/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';

export type NewToken = CallInput<Operations['createToken']>['body'];

const tokenKeys = { all: ['tokens'] as const };

/** API tokens of the signed-in user, the newest first. */
export const tokensOptions = queryOptions({
  queryKey: tokenKeys.all,
  queryFn: async ({ signal }) => (await api.listTokens({ signal })).results,
});

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: tokenKeys.all });
}

/** Makes a token, and answers its secret; the dialog shows the errors. */
export function useCreateToken() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: NewToken) => (await api.createToken({ body })).result,
    onSuccess: () => void refresh(),
    // The secret is kept no longer than it is shown.
    gcTime: 0,
    meta: { isSilent: true },
  });
}

/** Renames a token; the dialog shows the errors. */
export function useRenameToken() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) =>
      (await api.renameToken({ params: { id }, body: { name } })).result,
    onSuccess: refresh,
    meta: { isSilent: true },
  });
}

/** Revokes a token. */
export function useRevokeToken() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api.revokeToken({ params: { id } }),
    onSuccess: refresh,
  });
}
