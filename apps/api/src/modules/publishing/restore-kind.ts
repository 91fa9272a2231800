import type { RouteConfig } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type BatchKind, type BatchUndo, type DoneItem, type Standing, standingsOf } from '../batches/service.ts';
import { findStandings, lockRoute, type RouteRow, type RouteStanding, requireChangeable } from '../routes/service.ts';
import type { DeployService } from './deploy-service.ts';
import { type DraftParts, saveDraft } from './draft.ts';
import { findDraft } from './draft-repository.ts';
import type { VersionService } from './version-service.ts';

export const RESTORE = 'restore';

/** What a batch notes of a domain whose draft it has changed or that it has deployed. */
export interface Restorable {
  /** Of the draft, after the batch. */
  readonly revision: number;
  readonly version_before: number | null;
  /** Whether the draft is another than before. */
  readonly changed: boolean;
  /** Whether it was served before. */
  readonly was_served: boolean;
  /** What the batch has changed besides, of which another module knows how it was. */
  readonly also?: object | undefined;
}

type Left = Partial<Pick<RouteStanding, 'draft_revision' | 'version_live' | 'operation_id'>>;

interface RestoreInput {
  readonly left: Left;
  /** Revision of the draft to bring back; null: it stays. */
  readonly draft: number | null;
  /** To bring back to the nodes; null: nothing was deployed, or the domain was not served. */
  readonly version: number | null;
  /** It was not served before. */
  readonly off: boolean;
  readonly also?: object | undefined;
}

const noted = ({ undo }: DoneItem): Partial<Restorable> => undo as Partial<Restorable>;

/** A deploy that was not this one, a switch or another draft came after what is to be undone. */
function leftBy(item: DoneItem): Left {
  const { revision, version_before } = noted(item);
  return {
    // Batches of before this was noted are never undone.
    draft_revision: revision ?? 0,
    ...(item.operationId === null ? { version_live: version_before ?? null } : { operation_id: item.operationId }),
  };
}

const isAsLeft = (route: RouteStanding, left: Left): boolean =>
  route.draft_revision === left.draft_revision &&
  (left.version_live === undefined || route.version_live === left.version_live) &&
  (left.operation_id === undefined || route.operation_id === left.operation_id);

function standingOf(route: RouteStanding, item: DoneItem): Standing | undefined {
  if (item.operationId === null && noted(item).changed === false) return 'as_before';
  return isAsLeft(route, leftBy(item)) ? 'as_left' : undefined;
}

/** Undoes a change of drafts, or a deploy, by bringing back the draft and the version of before. */
export const undoByRestore: BatchUndo = {
  kind: RESTORE,
  inputOf(item): RestoreInput {
    const { revision = 0, version_before = null, changed, was_served = false, also } = noted(item);
    const isDeployed = item.operationId !== null;
    return {
      left: leftBy(item),
      draft: changed ? revision - 1 : null,
      version: isDeployed && was_served ? version_before : null,
      off: isDeployed && !was_served,
      also,
    };
  },
  findStandings: async (executor, accountId, items) =>
    standingsOf(
      await findStandings(
        executor,
        accountId,
        items.map(({ routeId }) => routeId),
      ),
      items,
      standingOf,
    ),
};

/** Brings back what a batch has changed besides the draft and the version of a domain. */
export type RestoreAlso = (executor: Executor, accountId: string, routeId: string, also: object) => Promise<void>;

export interface RestoreParts extends DraftParts {
  readonly deploys: Pick<DeployService, 'deployIn' | 'deactivateMany'>;
  readonly versions: Pick<VersionService, 'readForToday'>;
  readonly restoreAlso: RestoreAlso;
}

/**
 * Brings a domain back to the draft and the version that it had, which is checked by the rules of today as a roll-back is; the draft is
 * not, as when it is discarded. One that was changed since fails with CHANGED_SINCE.
 */
export function createRestoreKind(parts: RestoreParts): BatchKind<RouteConfig | undefined> {
  return {
    name: RESTORE,
    async prepare({ actor }, item) {
      const { version } = item.input as RestoreInput;
      if (version === null) return undefined;
      return parts.versions.readForToday(actor.accountId, item.routeId ?? '', version);
    },
    async run({ executor, actor }, item, earlier) {
      const { left, draft, version, off, also } = item.input as RestoreInput;
      const lock = async (): Promise<RouteRow> => {
        const found = await lockRoute(executor, actor.accountId, item.routeId ?? '');
        if (!found) throw notFound();
        return found;
      };
      const route = await lock();
      if (!isAsLeft(route, left)) throw new AppError('CHANGED_SINCE');
      requireChangeable(route);
      const before = draft === null ? route.draft : (await findDraft(executor, route.id, draft))?.config;
      if (!before) throw new AppError('CHANGED_SINCE');
      if (also) await parts.restoreAlso(executor, actor.accountId, route.id, also);
      if (off) {
        const operation = (await parts.deploys.deactivateMany(executor, actor, [route])).get(route.id);
        return operation ? { operationId: operation.id } : {};
      }
      if (version === null || !earlier) {
        await saveDraft(parts, executor, actor, route, before, { deploy: false, note: '' });
        return {};
      }
      const how = { deploy: true, note: '', rolledBackTo: version };
      const { operationId } = await saveDraft(parts, executor, actor, route, earlier, how);
      // What waited before the batch waits again.
      await saveDraft(parts, executor, actor, await lock(), before, { deploy: false, note: '' });
      return operationId === undefined ? {} : { operationId };
    },
  };
}
