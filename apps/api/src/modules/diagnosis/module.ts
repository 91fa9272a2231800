import { diagnosisOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import {
  createEdgeLookService,
  createEdgeTestService,
  type EdgeNodeService,
  type FeedService,
} from '../edge-nodes/service.ts';
import type { DraftWith } from '../rules/service.ts';
import { createCacheTryService } from './cache-try-service.ts';
import { createDiagnosisHandlers } from './handlers.ts';
import { createReplayService, type ReplayServiceParts } from './replay-service.ts';
import { createDiagnosisService, type DiagnosisParts } from './service.ts';
import { createTestAttackService } from './test-attack-service.ts';

export interface DiagnosisModuleOptions
  extends Pick<
    DiagnosisParts,
    'accounts' | 'subscriptions' | 'health' | 'looks' | 'receipts' | 'ownership' | 'proof' | 'traces'
  > {
  readonly platform: Platform;
  readonly traffic: DiagnosisParts['traffic'] & ReplayServiceParts['traffic'];
  readonly asns: ReplayServiceParts['asns'];
  readonly secrets: ReplayServiceParts['secrets'];
  readonly feeds: FeedService;
  readonly draftWith: DraftWith;
  readonly nodes: Pick<EdgeNodeService, 'addressesByCzone'>;
}

export function createDiagnosisModule({
  platform,
  nodes,
  asns,
  secrets,
  feeds,
  draftWith,
  ...parts
}: DiagnosisModuleOptions): ApiModule {
  const { db, hub, env, log, egress, resolver } = platform;
  const { addressesByCzone } = nodes;
  const diagnoses = createDiagnosisService({ db, env, log, egress, resolver, addressesByCzone, ...parts });
  const replays = createReplayService({
    db,
    traffic: parts.traffic,
    asns,
    secrets,
    feeds,
    draftWith,
    edgeRouteOf: parts.traces.edgeRouteOf,
  });
  const tests = createTestAttackService({
    db,
    accounts: parts.accounts,
    feeds,
    edgeRouteOf: parts.traces.edgeRouteOf,
    tests: createEdgeTestService(db, hub),
  });
  const cacheTries = createCacheTryService({
    db,
    accounts: parts.accounts,
    traces: parts.traces,
    looks: createEdgeLookService(db, hub),
    feeds,
  });
  return {
    mount: (_app, mount) =>
      mount(diagnosisOperations, createDiagnosisHandlers(diagnoses, parts.traces, replays, tests, cacheTries)),
  };
}
