import { publishingOperations } from '@cordon/contract';
import { runInTransaction } from '../../platform/database.ts';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { AccountService } from '../accounts/service.ts';
import type { BatchService } from '../batches/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import type { ReadRoute } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { createDeletion, type DeletionParts } from './deletion.ts';
import { type CheckConfig, createDeployService, type DeployService, type NameFault } from './deploy-service.ts';
import { createDraftService } from './draft-service.ts';
import { createPublishingHandlers } from './handlers.ts';
import { createPauseService } from './pause-service.ts';
import { createPayloadRenewal, RENEW_JOB } from './payload-renewal.ts';
import { purgeResolutions } from './plugin-resolution-repository.ts';
import { createPublication, type Publication, type PublicationParts, REPUBLISH_JOB } from './publication.ts';
import { type AfterDeploys, createReceiptService, type ReceiptService } from './receipt-service.ts';
import { createRestoreKind, type RestoreAlso } from './restore-kind.ts';
import { createVersionService } from './version-service.ts';

export interface PublishingModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  readonly subscriptions: SubscriptionService;
  readonly batches: BatchService;
  readonly secrets: PluginSecrets;
  readonly nameFault: NameFault;
  readonly checkConfig: CheckConfig;
  readonly findOriginSeeds: PublicationParts['findOriginSeeds'];
  readonly freeNames: DeletionParts['freeNames'];
  readonly leaveTasks: DeletionParts['leaveTasks'];
  readonly readRoute: ReadRoute;
  readonly restoreAlso: RestoreAlso;
  readonly afterDeploys: AfterDeploys;
}

export interface PublishingModule extends ApiModule {
  readonly publication: Publication;
  readonly deploys: DeployService;
  readonly receipts: ReceiptService;
}

export function createPublishingModule(options: PublishingModuleOptions): PublishingModule {
  const { db, log } = options.platform;
  const { accounts, subscriptions, batches, secrets, nameFault, checkConfig, findOriginSeeds, readRoute } = options;
  const { freeNames, leaveTasks } = options;
  const publication = createPublication({ accounts, subscriptions, secrets, findOriginSeeds });
  const deletion = createDeletion({ publication, freeNames, leaveTasks });
  const deploys = createDeployService({ db, subscriptions, publication, deletion, nameFault, checkConfig });
  const receipts = createReceiptService({ db, publication, deletion, afterDeploys: options.afterDeploys });
  const versions = createVersionService({ db, subscriptions, checkConfig, deploys, publication });
  const drafts = createDraftService({ db, deploys, publication });
  batches.register(createRestoreKind({ deploys, publication, versions, restoreAlso: options.restoreAlso }));
  const pauses = createPauseService({ db, publication });
  const renewal = createPayloadRenewal(db, log);
  const handlers = createPublishingHandlers({ deploys, drafts, receipts, versions, pauses, readRoute });
  return {
    publication,
    deploys,
    receipts,
    mount: (_app, mount) => mount(publishingOperations, handlers),
    jobs: {
      'look-at-operation': (payload: { operation_id: string; look: number }) =>
        receipts.lookAtOperation(payload.operation_id, payload.look),
      'purge-resolutions': () => purgeResolutions(db),
      [REPUBLISH_JOB]: async ({ route_id }: { route_id: string }) =>
        void (await runInTransaction(db, (trx) => publication.republish(trx, route_id))),
      [RENEW_JOB]: (payload: { schemas: string }) => renewal.renew(payload.schemas),
      'end-pause': (payload: { route_id: string }) => pauses.endWhenOver(payload.route_id),
    },
    recurring: [{ name: 'purge-resolutions', pattern: '29 3 * * *' }],
    start: () => renewal.begin(),
  };
}
