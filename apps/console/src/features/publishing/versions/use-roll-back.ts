import type { CallInput, Operations } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { useTakeRoute } from '../../../domain/data/queries';

type RollbackBody = CallInput<Operations['rollBack']>['body'];

/** Makes the draft what a version was, and deploys it if asked. Its dialog shows the errors. */
export function useRollBack(id: string) {
  const take = useTakeRoute();
  return useMutation({
    mutationFn: async ({ version, revision, body }: { version: number; revision: number; body: RollbackBody }) =>
      (await api.rollBack({ params: { id, version }, ifMatch: revision, body })).result,
    onSuccess: (route, { version, body }) => take(route, body.deploy === true, version),
    meta: { isSilent: true },
  });
}
