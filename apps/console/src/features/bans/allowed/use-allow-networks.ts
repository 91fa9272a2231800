import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { settleUndo } from '../../../ui/undo-notice';
import { canonicalNetwork } from '../undo/canonical-network';
import { removalCause } from '../undo/causes';
import { allowListKeys, type NewNetworks } from './queries';

/** Adds addresses. Its dialog shows the errors. */
export function useAllowNetworks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewNetworks) => (await api.allowNetworks({ body })).result,
    onSuccess(_result, { networks }) {
      settleUndo(() => networks.map((network) => removalCause(canonicalNetwork(network))));
      return client.invalidateQueries({ queryKey: allowListKeys.all });
    },
    meta: { isSilent: true },
  });
}
