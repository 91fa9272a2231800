import type { diagnosisOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { DiagnosisService } from './service.ts';
import type { TraceService } from './trace-service.ts';

export const createDiagnosisHandlers = (
  diagnoses: DiagnosisService,
  traces: TraceService,
): Handlers<typeof diagnosisOperations> => ({
  checkDomain: ({ actor, body, req }) => diagnoses.diagnose(actor.accountId, body.route_id, req.ip),
  traceRequest: ({ actor, params, body, req }) => traces.trace(actor.accountId, params.id, body, req.ip),
});
