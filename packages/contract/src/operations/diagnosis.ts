import { z } from 'zod';
import { cacheFetch, cacheTry, cacheTryInput } from '../entities/cache-try.ts';
import { diagnosis, trace, tracedRequest } from '../entities/diagnosis.ts';
import { draftReplay, draftReplayInput, replay, replayInput } from '../entities/replay.ts';
import { routeId } from '../entities/routes.ts';
import { testAttackRun } from '../entities/test-attacks.ts';
import { CONFIG_BODY_BYTES_MAX, defineOperations, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';

/** A replay names requests of visitors, with their addresses. */
const REPLAY_SCOPES = ['domains:read', 'traffic:read'] as const;

export const diagnosisOperations = defineOperations({
  checkDomain: {
    method: 'POST',
    looks: true,
    path: 'domain/checker/',
    summary: 'Diagnose a domain: DNS, certificate, nodes, deploy, access and upstreams, each with what to do',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.diagnoses,
    body: z.strictObject({ route_id: routeId }),
    ok: resultOf(diagnosis),
  },
  traceRequest: {
    method: 'POST',
    path: 'domain/routes/{id}/trace/',
    summary: 'What each step of the edge would do with a request, on the live version, the draft or any version',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.traces,
    params: z.object({ id: routeId }),
    // Header fields that are too large are to be traced, too.
    bodyBytesMax: 256 * 1024,
    body: tracedRequest,
    ok: resultOf(trace),
  },
  sendTestAttack: {
    method: 'POST',
    path: 'domain/routes/{id}/test-attack/',
    summary: 'Send attacks through a node that is live, and see what stops them; none reaches the origin',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.testAttacks,
    params: z.object({ id: routeId }),
    ok: resultOf(testAttackRun),
  },
  tryCache: {
    method: 'POST',
    looks: true,
    path: 'domain/routes/{id}/cache/try/',
    summary: 'What the cache does with a URL, why, and what each node has stored of it now; nothing is changed',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.cacheTries,
    params: z.object({ id: routeId }),
    body: cacheTryInput,
    ok: resultOf(cacheTry),
  },
  fetchIntoCache: {
    method: 'POST',
    looks: true,
    path: 'domain/routes/{id}/cache/try/fetch/',
    summary:
      'Have one node ask for a URL as a visitor, past the protection and without a row of the log, and see what is stored',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.cacheFetches,
    params: z.object({ id: routeId }),
    body: cacheTryInput.extend({
      refresh: z.boolean().default(false).describe('The origin is asked even where what is stored is fresh.'),
    }),
    ok: resultOf(cacheFetch),
  },
  replayRequests: {
    method: 'POST',
    path: 'domain/routes/{id}/replay/',
    summary: "What one plugin with these settings would have done to the domain's requests of the last 24 hours",
    auth: 'user',
    roles: ['user'],
    scope: REPLAY_SCOPES,
    rate: rates.replays,
    params: z.object({ id: routeId }),
    bodyBytesMax: CONFIG_BODY_BYTES_MAX,
    body: replayInput,
    ok: resultOf(replay),
  },
  replayDraft: {
    method: 'POST',
    path: 'domain/routes/{id}/replay/draft/',
    summary:
      "What the draft, or the draft with plugins that are brought to it, would do otherwise than what is live to the domain's requests of the last 24 hours",
    auth: 'user',
    roles: ['user'],
    scope: REPLAY_SCOPES,
    rate: rates.replays,
    params: z.object({ id: routeId }),
    body: draftReplayInput,
    ok: resultOf(draftReplay),
  },
});
