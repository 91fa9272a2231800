import type { RouteConfig } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { useTakeRoute } from '../data/queries';

/** Makes the draft what is live, and saves it anew if that was a mistake. */
export function useDiscardDraft(id: string) {
  const take = useTakeRoute();
  const restore = useMutation({
    mutationFn: async ({ draft, revision }: { draft: RouteConfig; revision: number }) => {
      // What a change leaves out stays as it is, and there it is what is live.
      const body = { ...draft, wildcard_levels: draft.wildcard_levels ?? 'one' };
      return (await api.updateRoute({ params: { id }, ifMatch: revision, body })).result;
    },
    onSuccess: (route) => take(route, false),
    meta: { isSilent: true },
  });
  const discard = useMutation({
    mutationFn: async (revision: number) => (await api.discardDraft({ params: { id }, ifMatch: revision })).result,
    onSuccess: (route) => take(route, false),
    meta: { isSilent: true },
  });
  return { discard, restore };
}
