import { z } from 'zod';
import { TLS_CA_CHARACTERS_MAX } from '../constants.ts';
import { routeId, timestamp } from '../entities/domain.ts';
import { defineOperations, resultOf } from '../operation.ts';

const idParams = z.object({ id: routeId });

/** What the last failed request to a target met: no connection or no HTTP, no answer in time, or a wrong certificate. */
export const originError = z.enum(['unreachable', 'timeout', 'tls_expired', 'tls_name', 'tls_untrusted', 'tls_failed']);
export type OriginError = z.infer<typeof originError>;

export const targetHealth = z.object({
  node: z.string(),
  state: z
    .enum(['up', 'down', 'unknown'])
    .describe('`unknown`: the node is away, or sent nothing to the target in the time that is looked at.'),
  since: timestamp.nullable().describe('When it went down.'),
  last_error: originError.nullable(),
  last_error_at: timestamp.nullable(),
  response_ms: z.number().nullable().describe('Of the newest request that the target answered.'),
  last_answer_at: timestamp.nullable(),
  requests: z.number().int().describe('Requests in the time that is looked at.'),
});
export type TargetHealth = z.infer<typeof targetHealth>;

export const originHealth = z.object({
  minutes: z.number().int().describe('How far back requests are looked at.'),
  is_measured: z.boolean().describe('False while the traffic store is away: only what nodes report is told.'),
  targets: z.array(
    z.object({
      host: z.string(),
      port: z.number().int().nullable(),
      backup: z.boolean(),
      nodes: z.array(targetHealth),
    }),
  ),
});
export type OriginHealth = z.infer<typeof originHealth>;

export const originLock = z.object({
  state: z.enum(['off', 'on', 'rotating']).describe('`rotating`: a next value is prepared, the present one is sent.'),
  changed_at: timestamp.nullable(),
});
export type OriginLock = z.infer<typeof originLock>;

export const certificateFacts = z.object({
  subject: z.string(),
  issuer: z.string(),
  valid_from: timestamp,
  expires_at: timestamp,
  is_ca: z.boolean().describe('It may sign others; otherwise it is a server certificate that is trusted by itself.'),
  self_signed: z.boolean(),
  fingerprint_sha256: z.string(),
});
export type CertificateFacts = z.infer<typeof certificateFacts>;

/** The origin's side of a domain: how its targets are, and what tells the origin that a request came through us. */
export const originOperations = defineOperations({
  getOriginHealth: {
    method: 'GET',
    path: 'domain/routes/{id}/health/',
    summary: 'The live targets as each node sees them',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    ok: resultOf(originHealth),
  },
  getOriginAccess: {
    method: 'GET',
    path: 'domain/routes/{id}/origin-access/',
    summary: 'Addresses that requests come from, and the state of the origin lock',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    ok: resultOf(
      z.object({
        addresses: z
          .array(z.string())
          .describe("Of the nodes of the domain's cluster: all that the origin must let in."),
        lock: originLock,
      }),
    ),
  },
  changeOriginLock: {
    method: 'POST',
    path: 'domain/routes/{id}/origin-lock/',
    summary: 'Switch the secret header to the origin on or off, or rotate it; at once, without a version',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    body: z.strictObject({
      action: z
        .enum(['enable', 'disable', 'prepare', 'switch', 'cancel'])
        .describe(
          '`prepare` makes the next value for the origin to accept, `switch` sends it from then on, `cancel` drops it.',
        ),
    }),
    ok: resultOf(originLock),
  },
  revealOriginKey: {
    method: 'POST',
    path: 'domain/routes/{id}/origin-lock/reveal/',
    summary: 'The secret values; written to the audit log',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ok: resultOf(
      z.object({
        header: z.string(),
        value: z.string().describe('What the edge sends now.'),
        next_value: z.string().nullable().describe('What it sends after `switch`.'),
      }),
    ),
  },
  readCertificates: {
    method: 'POST',
    path: 'domain/read-certificates/',
    summary: 'What a PEM file of trusted certificates holds, or what is wrong with it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    body: z.strictObject({ pem: z.string().min(1).max(TLS_CA_CHARACTERS_MAX) }),
    ok: resultOf(z.array(certificateFacts)),
  },
});
