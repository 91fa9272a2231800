import { ApiError, type Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { domainKeys } from '../data/keys';
import { type RouteChange, useUpdateRoute } from '../data/queries';

/**
 * Editing one part of the shared draft. `base` is the route as it was when editing began; what is saved carries its
 * revision (If-Match). While nothing is typed the form follows the route; once another user's change arrives, or the
 * API answers 409, `theirs` is that newer route, and the form decides with `rebase` when to build on it.
 */
export function useDraft(route: Route, isDirty: boolean) {
  const [base, setBase] = useState(route);
  const [isSaving, setSaving] = useState(false);
  const update = useUpdateRoute(route.id);
  const client = useQueryClient();
  const isNewer = route.draft_revision > base.draft_revision;
  if (isNewer && !isDirty) setBase(route);
  const theirs = isNewer && isDirty && !isSaving ? route : undefined;

  async function save(body: Omit<RouteChange, 'deploy' | 'note'>, deploy: boolean, note = ''): Promise<Route> {
    setSaving(true);
    try {
      const noted = note === '' ? {} : { note };
      const saved = await update.mutateAsync({
        revision: base.draft_revision,
        body: { ...body, deploy, ...noted },
      });
      setBase(saved);
      return saved;
    } catch (error) {
      // Fetching the newer draft shows who changed what; the form keeps what was typed.
      if (error instanceof ApiError && error.code === 'STALE_REVISION')
        await client.refetchQueries({ queryKey: domainKeys.route(route.id) });
      throw error;
    } finally {
      // Together with the new base, so that one's own save never looks like another user's.
      setSaving(false);
    }
  }
  return { base, theirs, save, rebase: () => setBase(route), isSaving, error: update.error, reset: update.reset };
}

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'STALE_REVISION';
