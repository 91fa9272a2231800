import { ApiError, isSame, type Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useRef, useState } from 'react';
import { missingReason } from '../../app/failure';
import { type RouteChange, routeOptions } from '../data/queries';
import { type Update, useUpdateRoute } from '../data/use-update-route';

/**
 * Editing one part of the shared draft. `base` is the route as it was when editing began; what is saved carries its
 * revision (If-Match). While nothing is typed the form follows the route; once another user's change arrives, or the
 * API answers 409, `theirs` is that newer route, and the form decides with `rebase` when to build on it.
 */
export function useDraft(route: Route, isDirty: boolean) {
  const [base, setBase] = useState(route);
  const [isSaving, setSaving] = useState(false);
  // What nothing answered may have been done: the newer draft can be one's own, and the same save, sent again, is answered by it.
  const [isUnanswered, setUnanswered] = useState(false);
  const lost = useRef<Update[]>([]);
  /** What a save whose answer was lost has made of the draft: what is typed since is saved upon it. */
  const own = useRef<Route>(undefined);
  const update = useUpdateRoute(route.id);
  const client = useQueryClient();
  const isNewer = route.draft_revision > base.draft_revision;
  // A revision of other remarks leaves nothing to be merged.
  // Of other remarks alone the draft stays the one that is edited: a form begins anew only with another draft.
  if (isNewer && isSame(route.draft, base.draft)) setBase({ ...route, draft: base.draft });
  else if (isNewer && !isDirty) setBase(route);
  const theirs = isNewer && isDirty && !isSaving && !isUnanswered ? route : undefined;

  async function save(
    body: Omit<RouteChange, 'deploy' | 'note'>,
    deploy: boolean,
    note = '',
    signal?: AbortSignal,
  ): Promise<Route> {
    // The request goes out before the form is drawn anew.
    startTransition(() => setSaving(true));
    const content: RouteChange = { ...body, deploy, ...(note !== '' && { note }) };
    const saveUpon = (upon: Route) => {
      const isAgain = (one: Update) => one.upon.draft_revision === upon.draft_revision && isSame(one.body, content);
      const sent = lost.current.find(isAgain) ?? { upon, body: content, idempotencyKey: crypto.randomUUID() };
      return update.mutateAsync({ ...sent, ...(signal && { signal }) }).catch((error: unknown) => {
        if (isLost(error, signal) && !lost.current.includes(sent)) lost.current.push(sent);
        throw error;
      });
    };
    const saveOver = async (upon: Route): Promise<Route> => {
      try {
        return await saveUpon(upon);
      } catch (error) {
        if (!isStale(error)) throw error;
        // Upon a revision that is past, none of them is done any more: the one that was done is answered, others are refused.
        for (const one of lost.current.filter(({ upon: before }) => before.draft_revision <= upon.draft_revision)) {
          const done = await update.mutateAsync(one).catch(() => upon);
          if (done.draft_revision > upon.draft_revision) {
            own.current = done;
            return saveOver(done);
          }
        }
        // Fetching the newer draft shows who changed what; the form keeps what was typed.
        const newest = await client.fetchQuery({ ...routeOptions(route.id), staleTime: 0 }).catch(() => undefined);
        if (!newest || !isSame(newest.draft, upon.draft)) throw error;
        return saveUpon(newest);
      }
    };
    try {
      const saved = await saveOver(
        own.current && own.current.draft_revision > base.draft_revision ? own.current : base,
      );
      lost.current = [];
      setBase(saved);
      setUnanswered(false);
      return saved;
    } catch (error) {
      setUnanswered((was) => isLost(error, signal) || (was && !isStale(error)));
      throw error;
    } finally {
      // Together with the new base, so that one's own save never looks like another user's.
      setSaving(false);
    }
  }
  return { base, theirs, save, rebase: () => setBase(route), isSaving, error: update.error, reset: update.reset };
}

/** Nothing has answered, or the answer was not waited for. */
const isLost = (error: unknown, signal?: AbortSignal): boolean =>
  missingReason(error) !== undefined || signal?.aborted === true;

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'STALE_REVISION';
