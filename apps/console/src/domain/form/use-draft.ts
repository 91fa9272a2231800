import { isSame, type Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useState } from 'react';
import { type RouteChange, readNewestRoute } from '../data/queries';
import { isStale, useSaves } from '../data/use-saves';
import { isOwnSince, useUpdateRoute } from '../data/use-update-route';

/**
 * Editing one part of the shared draft. `base` is the route that what is typed is compared with; what is saved carries its
 * revision (If-Match). While nothing is typed `base`, and the form with it, follows the route; once another user's change
 * arrives, or the API answers 412, `theirs` is that newer route, and the form decides with `rebase` when to build on it.
 * `isUnsaved`: something is typed, or it is not known whether what was is saved.
 */
export function useDraft(route: Route, isDirty: boolean) {
  const [base, setBase] = useState(route);
  const [isSaving, setSaving] = useState(false);
  const update = useUpdateRoute(route.id);
  const client = useQueryClient();
  const readNewest = () => readNewestRoute(client, route.id);
  const saves = useSaves({
    send: update.mutateAsync,
    revisionOf: (one: Route) => one.draft_revision,
    readNewest,
  });
  const isUnsaved = isDirty || saves.isUnanswered;
  const isNewer = route.draft_revision > base.draft_revision;
  // Of other remarks alone the draft stays the one that is edited: a form begins anew only with another draft.
  if (isNewer && isSame(route.draft, base.draft)) setBase({ ...route, draft: base.draft });
  else if (isNewer && (!isUnsaved || (!isSaving && isOwnSince(client, route, base.draft_revision)))) setBase(route);
  const theirs = isNewer && isDirty && !isSaving && !saves.isUnanswered ? route : undefined;

  async function save(
    body: Omit<RouteChange, 'deploy' | 'note'>,
    deploy: boolean,
    note = '',
    signal?: AbortSignal,
  ): Promise<Route> {
    // The request goes out before the form is drawn anew.
    startTransition(() => setSaving(true));
    const content: RouteChange = { ...body, deploy, ...(note !== '' && { note }) };
    try {
      const saved = await saves.save(base, content, signal).catch(async (error: unknown) => {
        if (!isStale(error)) throw error;
        // Fetching the newer draft shows who changed what; the form keeps what was typed.
        const newest = await readNewest();
        if (!newest || !isSame(newest.draft, saves.latestOf(base).draft)) throw error;
        return saves.save(newest, content, signal);
      });
      setBase(saved);
      return saved;
    } catch (error) {
      // What is one's own is no change of theirs.
      setBase(saves.latestOf(base));
      throw error;
    } finally {
      // Together with the new base, so that one's own save never looks like another user's.
      setSaving(false);
    }
  }
  return {
    base,
    theirs,
    isUnsaved,
    save,
    rebase: () => setBase(route),
    isSaving,
    error: update.error,
    /** What was in doubt is given up, and what was refused is told no more. */
    reset() {
      update.reset();
      saves.forget();
    },
  };
}
