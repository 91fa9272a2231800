import type { publishingOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { ReadRoute } from '../routes/service.ts';
import type { DeployService } from './deploy-service.ts';
import type { DraftService } from './draft-service.ts';
import type { PauseService } from './pause-service.ts';
import type { ReceiptService } from './receipt-service.ts';
import type { VersionService } from './version-service.ts';

export interface PublishingHandlerParts {
  readonly deploys: DeployService;
  readonly drafts: DraftService;
  readonly receipts: ReceiptService;
  readonly versions: VersionService;
  readonly pauses: PauseService;
  readonly readRoute: ReadRoute;
}

export function createPublishingHandlers({
  deploys,
  drafts,
  receipts,
  versions,
  pauses,
  readRoute,
}: PublishingHandlerParts): Handlers<typeof publishingOperations> {
  return {
    deployRoute: async ({ actor, params, body, ifMatch }) => {
      await deploys.deploy(actor, params.id, ifMatch, body.note);
      return readRoute(actor.accountId, params.id);
    },
    discardDraft: async ({ actor, params, ifMatch }) => {
      await drafts.discard(actor, params.id, ifMatch);
      return readRoute(actor.accountId, params.id);
    },
    deactivateRoute: async ({ actor, params }) => {
      await deploys.deactivate(actor, params.id);
      return readRoute(actor.accountId, params.id);
    },
    resumeRoute: async ({ actor, params }) => {
      await deploys.resume(actor, params.id);
      return readRoute(actor.accountId, params.id);
    },
    getReceipt: ({ actor, params }) => receipts.getReceipt(actor.accountId, params.id),
    listVersions: ({ actor, params, page }) => versions.list(actor.accountId, params.id, page),
    getVersion: ({ actor, params }) => versions.get(actor.accountId, params.id, params.version),
    checkRollback: ({ actor, params }) => versions.checkRollback(actor.accountId, params.id, params.version),
    rollBack: async ({ actor, params, body, ifMatch }) => {
      await versions.rollBack(actor, params.id, params.version, ifMatch, body);
      return readRoute(actor.accountId, params.id);
    },
    pauseRoute: async ({ actor, params, body }) => {
      await pauses.pause(actor, params.id, body.minutes);
      return readRoute(actor.accountId, params.id);
    },
    endPause: async ({ actor, params }) => {
      await pauses.end(actor, params.id);
      return readRoute(actor.accountId, params.id);
    },
  };
}
