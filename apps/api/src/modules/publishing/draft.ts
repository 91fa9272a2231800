import type { RouteConfig } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { changedPaths, countChanges, EMPTY_CONFIG, upstreamSummary } from '../routes/config.ts';
import * as repository from '../routes/repository.ts';
import type { Actor, DeployService } from './deploy-service.ts';
import type { Publication } from './publication.ts';

export interface DraftParts {
  readonly deploys: DeployService;
  readonly publication: Publication;
}

/** Throws STALE_REVISION that says which settings others changed since, and who did. */
export async function requireRevision(db: Executor, route: repository.RouteRow, revision: number): Promise<void> {
  if (route.draft_revision === revision) return;
  const drafts = await repository.draftsSince(db, route.id, revision);
  const base = drafts[0]?.revision === revision ? drafts[0].config : EMPTY_CONFIG;
  const by = [...new Set(drafts.filter((draft) => draft.revision > revision).map((draft) => draft.created_by ?? ''))];
  throw new AppError('STALE_REVISION', {
    params: {
      STALE_REVISION: {
        revision: route.draft_revision,
        changed: changedPaths(base, route.draft).join(', '),
        changed_by: by.join(', ').slice(0, 500),
      },
    },
  });
}

/** Writes a checked draft of the locked route and deploys it if asked. A draft that is the same keeps its revision. */
export async function saveDraft(
  parts: DraftParts,
  executor: Executor,
  actor: Actor,
  route: repository.RouteRow,
  draft: RouteConfig,
  how: {
    readonly deploy: boolean;
    readonly note: string;
    readonly remarks?: string | undefined;
    /** The earlier version that the draft brings back. */
    readonly rolledBackTo?: number;
  },
): Promise<void> {
  const hasChanged = changedPaths(route.draft, draft).length > 0;
  const revision = hasChanged ? route.draft_revision + 1 : route.draft_revision;
  await repository.updateRoute(
    executor,
    route.id,
    {
      ...(how.remarks === undefined ? {} : { remarks: how.remarks }),
      ...(hasChanged
        ? {
            draft,
            draft_revision: revision,
            draft_updated_by: actor.label,
            pending_changes: countChanges(route.live, draft),
            upstream_summary: upstreamSummary(draft),
          }
        : {}),
    },
    { draft: hasChanged },
  );
  if (hasChanged) await repository.insertDraft(executor, route.id, revision, draft, actor.label);
  if (how.deploy)
    await parts.deploys.deployIn(
      executor,
      { ...route, draft, draft_revision: revision },
      actor,
      how.note,
      how.rolledBackTo,
    );
  else await parts.publication.announce(executor, route.id);
}
