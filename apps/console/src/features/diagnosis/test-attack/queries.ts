import { useMutation } from '@tanstack/react-query';
import { api } from '../../../app/api-client';

/** The dialog shows why it could not be done. */
export const useTestAttack = (id: string) =>
  useMutation({
    mutationFn: async () => (await api.sendTestAttack({ params: { id } })).result,
    meta: { isSilent: true },
  });
