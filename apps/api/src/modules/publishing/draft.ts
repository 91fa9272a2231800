import { type Actor, type RouteConfig, targetAddress, type UpstreamTarget } from '@cordon/contract';
import { changesOf } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import { inTurn } from '../../platform/turns.ts';
import {
  auditRoute,
  changedPaths,
  type RouteRow,
  settingsChanged,
  updateRoute,
  upstreamSummary,
  visitorTargets,
} from '../routes/service.ts';
import type { DeployService } from './deploy-service.ts';
import { keepDraft } from './draft-repository.ts';
import type { Publication } from './publication.ts';

export interface DraftParts {
  readonly deploys: Pick<DeployService, 'deployIn'>;
  readonly publication: Pick<Publication, 'announce'>;
}

interface SaveHow {
  readonly deploy: boolean;
  readonly note: string;
  readonly remarks?: string | undefined;
  /** The earlier version that the draft brings back. */
  readonly rolledBackTo?: number;
  /** The draft is given up for what is live. */
  readonly isDiscard?: true;
}

/** `192.0.2.1:8443`, with what is unusual about it. */
const targetText = (target: UpstreamTarget): string =>
  [
    targetAddress(target),
    ...(target.backup ? ['backup'] : []),
    ...(target.weight === 1 ? [] : [`weight ${target.weight}`]),
  ].join(' ');

/** What of a configuration is shown in the audit log as it is; configurations of plugins may hold secrets. */
const shownSettings = (config: RouteConfig) => {
  const { traffic_action, wildcard_levels, upstreams } = config;
  return {
    traffic_action,
    redirects_to: traffic_action === 'redirect' ? (visitorTargets(config)[0]?.url ?? null) : null,
    wildcard_levels: wildcard_levels ?? 'one',
    'upstreams.protocol': upstreams.protocol,
    'upstreams.targets': upstreams.targets.map(targetText),
    'upstreams.connection_limit': upstreams.connection_limit,
    'upstreams.tls_verification': upstreams.tls_verification,
  };
};

/** A deploy has a line of its own, which also says that it brings a version back. */
async function auditDraft(
  executor: Executor,
  actor: Actor,
  route: RouteRow,
  draft: RouteConfig,
  changed: string[],
  { deploy, remarks, rolledBackTo, isDiscard }: SaveHow,
): Promise<void> {
  if (deploy && rolledBackTo !== undefined) return;
  const changes = [
    ...changesOf(shownSettings(route.draft), shownSettings(draft)),
    ...changesOf({ remarks: route.remarks }, { remarks }),
  ];
  if (rolledBackTo !== undefined)
    await auditRoute(executor, actor, 'route.roll_back', route, { rolled_back_to: rolledBackTo, changed }, changes);
  else if (changed.length + changes.length > 0)
    await auditRoute(
      executor,
      actor,
      isDiscard ? 'route.draft_discard' : 'route.update',
      route,
      changed.length > 0 ? { changed } : {},
      changes,
    );
}

/** What a save has made. */
interface Saved {
  readonly revision: number;
  /** Of the deploy. */
  readonly operationId: string | undefined;
}

/**
 * Writes a checked draft of the locked route and deploys it if asked. A draft that is the same keeps its revision, unless
 * the remarks are others: whoever read the earlier ones must not replace them unseen.
 */
export async function saveDraft(
  parts: DraftParts,
  executor: Executor,
  actor: Actor,
  route: RouteRow,
  draft: RouteConfig,
  how: SaveHow,
): Promise<Saved> {
  const changed = await inTurn(() => changedPaths(route.draft, draft));
  const hasChanged = changed.length > 0;
  const isRevised = hasChanged || (how.remarks !== undefined && how.remarks !== route.remarks);
  const revision = route.draft_revision + (isRevised ? 1 : 0);
  const by = actor.label;
  const pending = hasChanged ? await inTurn(() => settingsChanged(route.live, draft)) : [];
  await updateRoute(
    executor,
    route.id,
    {
      ...(how.remarks === undefined ? {} : { remarks: how.remarks }),
      ...(isRevised ? { draft_revision: revision } : {}),
      ...(hasChanged
        ? {
            draft,
            draft_updated_by: by,
            pending_changes: pending.length,
            pending_settings: pending,
            upstream_summary: upstreamSummary(draft),
          }
        : {}),
    },
    { draft: hasChanged },
  );
  if (isRevised) await keepDraft(executor, route.id, by);
  await auditDraft(executor, actor, route, draft, changed, how);
  if (how.deploy) return { revision, operationId: await parts.deploys.deployIn(executor, actor, route, how) };
  await parts.publication.announce(executor, [{ routeId: route.id }]);
  return { revision, operationId: undefined };
}
