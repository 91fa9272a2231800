import {
  batchOperations,
  bulkOperations,
  copyOperations,
  diagnosisOperations,
  domainOperations,
  domainPauseOperations,
  findDomainOperations,
  groupOperations,
  importOperations,
  originOperations,
  shadowDomainOperations,
  versionOperations,
} from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { AccountService } from '../accounts/service.ts';
import { createBatchHandlers } from '../batches/handlers.ts';
import { createBatchRunner } from '../batches/runner.ts';
import { type BatchService, createBatchService, purgeBatches, resumeBatches } from '../batches/service.ts';
import { createDiagnosisHandlers } from '../diagnosis/handlers.ts';
import { createDiagnosisService } from '../diagnosis/service.ts';
import { createTraceService } from '../diagnosis/trace-service.ts';
import { createGroupHandlers } from '../groups/handlers.ts';
import { createGroupService } from '../groups/service.ts';
import { createImportHandlers } from '../imports/handlers.ts';
import { createImportCheck } from '../imports/import-check.ts';
import { createImportKind } from '../imports/import-kind.ts';
import { createEviction } from '../names/eviction.ts';
import { createFindHandlers } from '../names/find-domains.ts';
import { createShadowDomainHandlers } from '../names/handlers.ts';
import { createNameClaims } from '../names/name-claims.ts';
import { createNameRules } from '../names/name-rules.ts';
import { createOwnershipProof } from '../names/ownership-proof.ts';
import { createOwnershipService, type OwnershipService } from '../names/ownership-service.ts';
import { createShadowDomainService } from '../names/shadow-domain-service.ts';
import { createShadowWatch } from '../names/shadow-domain-watch.ts';
import { createOriginHandlers } from '../origins/handlers.ts';
import { createOriginHealthService, type ReadOriginTraffic } from '../origins/health-service.ts';
import { createOriginLockService, ORIGIN_KEY_PURPOSE } from '../origins/lock-service.ts';
import { createDeployService, type DeployService } from '../publishing/deploy-service.ts';
import { createVersionHandlers } from '../publishing/handlers.ts';
import { createPauseHandlers } from '../publishing/pause-handlers.ts';
import { createPauseService } from '../publishing/pause-service.ts';
import { createPublication, type Publication } from '../publishing/publication.ts';
import { createVersionService } from '../publishing/version-service.ts';
import { createCloneKind, createCloneService } from '../rules/clone-service.ts';
import { createCopyHandlers } from '../rules/copy-handlers.ts';
import { createCopyPluginsKind, createCopyService } from '../rules/copy-service.ts';
import { createPluginChanges, type PluginChanges } from '../rules/plugin-changes.ts';
import { createBulkHandlers } from './bulk-handlers.ts';
import { createBulkKinds } from './bulk-kinds.ts';
import { createBulkService } from './bulk-service.ts';
import { createConfigCheck } from './config-check.ts';
import { createCreateService } from './create-service.ts';
import { createDomainHandlers, createWriteRate } from './handlers.ts';
import { createDomainService } from './service.ts';

export interface DomainModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  /** Names that the console answers to. */
  readonly consoleHostnames: ReadonlySet<string>;
  readonly previewKey: () => Promise<Buffer>;
  /** Our identifier in the CDN-Loop header field. */
  readonly cdnLoopId: () => Promise<string>;
  readonly readOriginTraffic: ReadOriginTraffic;
}

export interface DomainModule extends ApiModule {
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly ownership: OwnershipService;
  readonly batches: BatchService;
  readonly changes: PluginChanges;
}

export function createDomainsModule({
  platform,
  accounts,
  consoleHostnames,
  previewKey,
  cdnLoopId,
  readOriginTraffic,
}: DomainModuleOptions): DomainModule {
  const { db, pool, env, log, egress, resolver, secrets } = platform;
  const rules = createNameRules({ hostnames: consoleHostnames, edgeDomain: env.edgeDomain });
  const proof = createOwnershipProof(secrets.derive('name-proof'), resolver);
  const publication = createPublication(accounts);
  const deploys = createDeployService(db, accounts, publication, rules);
  const configCheck = createConfigCheck(db, egress, rules.isOwnHost);
  const ownership = createOwnershipService(db, accounts, proof, publication);
  const claims = createNameClaims(db, accounts, proof, createEviction(accounts, publication));
  const shadowWatch = createShadowWatch(db, accounts, proof, publication);
  const shadows = createShadowDomainService({
    db,
    isDemo: env.isDemo,
    accounts,
    rules,
    proof,
    claims,
    watch: shadowWatch,
    publication,
  });
  const pauses = createPauseService(db, publication);
  const domains = createDomainService({
    db,
    pool,
    env,
    accounts,
    configCheck,
    deploys,
    publication,
    proof,
    previewKey,
  });
  const changes = createPluginChanges({ db, pool, accounts, configCheck, deploys, publication });
  const creates = createCreateService({
    db,
    env,
    accounts,
    rules,
    configCheck,
    claims,
    deploys,
    publication,
    watch: ownership.watch,
    watchAliases: shadowWatch.watch,
  });
  const batches = createBatchService(db);
  batches.register(createCopyPluginsKind(changes));
  batches.register(createCloneKind(creates));
  const copies = createCopyService({ db, changes, batches });
  const clones = createCloneService({ db, accounts, batches });
  const groups = createGroupService(db);
  for (const kind of createBulkKinds({ db, accounts, configCheck, deploys, groups, rules })) batches.register(kind);
  const bulk = createBulkService({ db, pool, accounts, batches, groups });
  const runner = createBatchRunner({ db, log: platform.log, accounts, batches });
  const requireRate = createWriteRate();
  const versions = createVersionService({ db, accounts, configCheck, deploys, publication });
  const handlers = createDomainHandlers({ egress, domains, creates, deploys, ownership, requireRate });
  const traces = createTraceService(db, egress, publication, cdnLoopId);
  const diagnoses = createDiagnosisService({
    db,
    env,
    log,
    egress,
    resolver,
    accounts,
    deploys,
    ownership,
    proof,
    traces,
  });
  const originHandlers = createOriginHandlers({
    db,
    accounts,
    requireRate,
    locks: createOriginLockService(db, secrets.derive(ORIGIN_KEY_PURPOSE), publication),
    health: createOriginHealthService(db, resolver, readOriginTraffic),
  });
  const importCheck = createImportCheck({
    db,
    accounts,
    rules,
    egress,
    proof,
    groups,
    configCheckWith: (through) => createConfigCheck(db, through, rules.isOwnHost),
  });
  batches.register(createImportKind(creates, groups));
  const importHandlers = createImportHandlers({ db, check: importCheck, batches });
  return {
    deploys,
    publication,
    ownership,
    batches,
    changes,
    mount: (_app, mount) => {
      mount(domainOperations, handlers);
      mount(versionOperations, createVersionHandlers({ domains, versions, requireRate }));
      mount(batchOperations, createBatchHandlers(batches));
      mount(bulkOperations, createBulkHandlers(bulk, pool));
      mount(groupOperations, createGroupHandlers(groups));
      mount(shadowDomainOperations, createShadowDomainHandlers(shadows, domains));
      mount(domainPauseOperations, createPauseHandlers(pauses, domains));
      mount(copyOperations, createCopyHandlers(copies, clones));
      mount(findDomainOperations, createFindHandlers(db));
      mount(diagnosisOperations, createDiagnosisHandlers(diagnoses, traces));
      mount(originOperations, originHandlers);
      mount(importOperations, importHandlers);
    },
    jobs: {
      'look-at-operation': (payload: { operation_id: string; look: number }) =>
        deploys.lookAtOperation(payload.operation_id, payload.look),
      'watch-shadow': (payload: { route_id: string; name: string }) =>
        shadowWatch.watchOnce(payload.route_id, payload.name),
      'end-pause': (payload: { route_id: string }) => pauses.endWhenOver(payload.route_id),
      'watch-ownership': (payload: { route_id: string }) => ownership.watchOnce(payload.route_id),
      'run-batch': (payload: { batch_id: string }) => runner.runBatch(payload.batch_id),
      'resume-batches': () => resumeBatches(db),
      'purge-batches': () => purgeBatches(db),
    },
    recurring: [
      { name: 'resume-batches', pattern: '* * * * *' },
      { name: 'purge-batches', pattern: '17 3 * * *' },
    ],
  };
}
