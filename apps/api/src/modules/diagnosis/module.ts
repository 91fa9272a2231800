import { diagnosisOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService, FeedService } from '../edge-nodes/service.ts';
import type { Publication } from '../publishing/service.ts';
import { createDiagnosisHandlers } from './handlers.ts';
import { createDiagnosisService, type DiagnosisParts } from './service.ts';
import { createTraceService } from './trace-service.ts';

export interface DiagnosisModuleOptions
  extends Pick<
    DiagnosisParts,
    'accounts' | 'subscriptions' | 'health' | 'looks' | 'traffic' | 'receipts' | 'ownership' | 'proof'
  > {
  readonly platform: Platform;
  readonly nodes: EdgeNodeService;
  readonly feeds: FeedService;
  readonly publication: Publication;
}

export function createDiagnosisModule({
  platform,
  nodes,
  feeds,
  publication,
  ...parts
}: DiagnosisModuleOptions): ApiModule {
  const { db, env, log, egress, resolver } = platform;
  const { addressesByCzone, cdnLoopId } = nodes;
  const traces = createTraceService({ db, egress, publication, cdnLoopId, feeds });
  const diagnoses = createDiagnosisService({ db, env, log, egress, resolver, addressesByCzone, traces, ...parts });
  return { mount: (_app, mount) => mount(diagnosisOperations, createDiagnosisHandlers(diagnoses, traces)) };
}
