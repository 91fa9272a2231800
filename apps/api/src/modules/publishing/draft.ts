import type { Actor, RouteConfig } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { changedPaths, countChanges, type RouteRow, updateRoute, upstreamSummary } from '../routes/service.ts';
import type { DeployService } from './deploy-service.ts';
import { insertDraft } from './draft-repository.ts';
import type { Publication } from './publication.ts';

export interface DraftParts {
  readonly deploys: Pick<DeployService, 'deployIn'>;
  readonly publication: Pick<Publication, 'announce'>;
}

/**
 * Writes a checked draft of the locked route and deploys it if asked; answers the deploy's operation. A draft that is
 * the same keeps its revision.
 */
export async function saveDraft(
  parts: DraftParts,
  executor: Executor,
  actor: Actor,
  route: RouteRow,
  draft: RouteConfig,
  how: {
    readonly deploy: boolean;
    readonly note: string;
    readonly remarks?: string | undefined;
    /** The earlier version that the draft brings back. */
    readonly rolledBackTo?: number;
  },
): Promise<string | undefined> {
  const hasChanged = changedPaths(route.draft, draft).length > 0;
  const revision = hasChanged ? route.draft_revision + 1 : route.draft_revision;
  await updateRoute(
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
  if (hasChanged) await insertDraft(executor, route.id, revision, draft, actor.label);
  if (how.deploy) return parts.deploys.deployIn(executor, actor, route, how);
  await parts.publication.announce(executor, [{ routeId: route.id }]);
  return undefined;
}
