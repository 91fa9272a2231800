import { diagnosisOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { createDiagnosisHandlers } from './handlers.ts';
import { createReplayService, type ReplayServiceParts } from './replay-service.ts';
import { createDiagnosisService, type DiagnosisParts } from './service.ts';

export interface DiagnosisModuleOptions
  extends Pick<
    DiagnosisParts,
    'accounts' | 'subscriptions' | 'health' | 'looks' | 'receipts' | 'ownership' | 'proof' | 'traces'
  > {
  readonly platform: Platform;
  readonly traffic: DiagnosisParts['traffic'] & ReplayServiceParts['traffic'];
  readonly asns: ReplayServiceParts['asns'];
  readonly secrets: ReplayServiceParts['secrets'];
  readonly feeds: ReplayServiceParts['feeds'];
  readonly nodes: Pick<EdgeNodeService, 'addressesByCzone'>;
}

export function createDiagnosisModule({
  platform,
  nodes,
  asns,
  secrets,
  feeds,
  ...parts
}: DiagnosisModuleOptions): ApiModule {
  const { db, env, log, egress, resolver } = platform;
  const { addressesByCzone } = nodes;
  const diagnoses = createDiagnosisService({ db, env, log, egress, resolver, addressesByCzone, ...parts });
  const replays = createReplayService({
    db,
    traffic: parts.traffic,
    asns,
    secrets,
    feeds,
    edgeRouteOf: parts.traces.edgeRouteOf,
  });
  return {
    mount: (_app, mount) => mount(diagnosisOperations, createDiagnosisHandlers(diagnoses, parts.traces, replays)),
  };
}
