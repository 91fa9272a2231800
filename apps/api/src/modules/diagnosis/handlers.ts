import type { diagnosisOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { DiagnosisService } from './service.ts';
import type { TraceService } from './trace-service.ts';

export const createDiagnosisHandlers = (
  diagnoses: DiagnosisService,
  traces: TraceService,
): Handlers<typeof diagnosisOperations> => ({
  checkDomain: async ({ principal, body, req }) => ({
    success: true,
    result: await diagnoses.diagnose(principal.account_id, body.route_id, req.ip),
  }),
  traceRequest: async ({ principal, params, body, req }) => ({
    success: true,
    result: await traces.trace(principal.account_id, params.id, body, req.ip),
  }),
});
