import { diagnosisOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { createDiagnosisHandlers } from './handlers.ts';
import { createDiagnosisService, type DiagnosisParts } from './service.ts';

export interface DiagnosisModuleOptions
  extends Pick<
    DiagnosisParts,
    'accounts' | 'subscriptions' | 'health' | 'looks' | 'traffic' | 'receipts' | 'ownership' | 'proof' | 'traces'
  > {
  readonly platform: Platform;
  readonly nodes: Pick<EdgeNodeService, 'addressesByCzone'>;
}

export function createDiagnosisModule({ platform, nodes, ...parts }: DiagnosisModuleOptions): ApiModule {
  const { db, env, log, egress, resolver } = platform;
  const { addressesByCzone } = nodes;
  const diagnoses = createDiagnosisService({ db, env, log, egress, resolver, addressesByCzone, ...parts });
  return { mount: (_app, mount) => mount(diagnosisOperations, createDiagnosisHandlers(diagnoses, parts.traces)) };
}
