import type { diagnosisOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { ReplayService } from './replay-service.ts';
import type { DiagnosisService } from './service.ts';
import type { TraceService } from './trace-service.ts';

export const createDiagnosisHandlers = (
  diagnoses: DiagnosisService,
  traces: TraceService,
  replays: ReplayService,
): Handlers<typeof diagnosisOperations> => ({
  checkDomain: ({ actor, body, req }) => diagnoses.diagnose(actor.accountId, body.route_id, req.ip),
  replayRequests({ actor, params, body, reply }) {
    const left = new AbortController();
    reply.raw.on('close', () => left.abort());
    return replays.replay(actor.accountId, params.id, body, left.signal);
  },
  traceRequest: ({ actor, params, body, req }) => traces.trace(actor.accountId, params.id, body, req.ip),
});
