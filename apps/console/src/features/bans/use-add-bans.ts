import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { settleUndo } from '../../ui/undo-notice';
import { banKeys, type NewBans } from './queries';
import { banCause } from './undo/causes';
import { liftCauses } from './undo/lift-causes';

/** Bans addresses. Its dialog shows the errors. */
export function useAddBans() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewBans) => (await api.addBans({ body })).result,
    onSuccess(result, asked) {
      settleUndo(() => [...liftCauses(asked), ...result.replaced_ids.map(banCause)]);
      return client.invalidateQueries({ queryKey: banKeys.all });
    },
    meta: { isSilent: true },
  });
}
