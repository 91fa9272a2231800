import type { diagnosisOperations } from '@cordon/contract';
import type { FastifyReply } from 'fastify';
import type { Handlers } from '../../platform/mount.ts';
import type { CacheTryService } from './cache-try-service.ts';
import type { ReplayService } from './replay-service.ts';
import type { DiagnosisService } from './service.ts';
import type { TestAttackService } from './test-attack-service.ts';
import type { TraceService } from './trace-service.ts';

/** Ends when the answer is not waited for any more. */
function leftSignal(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.on('close', () => left.abort());
  return left.signal;
}

export const createDiagnosisHandlers = (
  diagnoses: DiagnosisService,
  traces: TraceService,
  replays: ReplayService,
  tests: TestAttackService,
  cacheTries: CacheTryService,
): Handlers<typeof diagnosisOperations> => ({
  checkDomain: ({ actor, body, req }) => diagnoses.diagnose(actor.accountId, body.route_id, req.ip),
  replayDraft: ({ actor, params, body, reply }) =>
    replays.replayDraft(actor.accountId, params.id, body, leftSignal(reply)),
  replayRequests: ({ actor, params, body, reply }) =>
    replays.replay(actor.accountId, params.id, body, leftSignal(reply)),
  sendTestAttack: async ({ actor, params }) => tests.attack(actor.accountId, params.id),
  tryCache: ({ actor, params, body, req }) => cacheTries.tryUrl(actor.accountId, params.id, body, req.ip),
  fetchIntoCache: ({ actor, params, body }) => cacheTries.fetch(actor, params.id, body),
  traceRequest: ({ actor, params, body, req }) => traces.trace(actor.accountId, params.id, body, req.ip),
});
