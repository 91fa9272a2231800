import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { settleUndo } from '../../ui/undo-notice';
import { banKeys, type NewBans } from './queries';
import { banCause } from './undo/causes';
import { liftCauses } from './undo/lift-causes';

interface AskedBans {
  readonly body: NewBans;
  readonly idempotencyKey: string;
}

/** Bans addresses. Its dialog shows the errors. */
export function useAddBans() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (asked: AskedBans) => (await api.addBans({ ...asked })).result,
    onSuccess(result, { body }) {
      settleUndo(() => [...liftCauses(body), ...result.replaced_ids.map(banCause)]);
      return client.invalidateQueries({ queryKey: banKeys.all });
    },
    meta: { isSilent: true },
  });
}
