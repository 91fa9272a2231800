import type { Executor } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { changedPaths, EMPTY_CONFIG, type RouteRow } from '../routes/service.ts';
import { draftsSince } from './draft-repository.ts';

/** Throws STALE_REVISION that says which settings others changed since, and who did. */
export async function requireRevision(db: Executor, route: RouteRow, revision: number): Promise<void> {
  if (route.draft_revision === revision) return;
  const drafts = await draftsSince(db, route.id, revision);
  const base = drafts[0]?.revision === revision ? drafts[0].config : EMPTY_CONFIG;
  const by = [...new Set(drafts.filter((draft) => draft.revision > revision).map((draft) => draft.created_by ?? ''))];
  throw new AppError('STALE_REVISION', {
    params: {
      STALE_REVISION: {
        revision: route.draft_revision,
        // Remarks are no part of the drafts that are kept.
        changed: changedPaths(base, route.draft).join(', ') || 'remarks',
        changed_by: by.join(', ').slice(0, 500),
      },
    },
  });
}
