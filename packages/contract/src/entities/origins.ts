import { z } from 'zod';
import { diagnosisItem } from './diagnosis.ts';
import { timestamp } from './routes.ts';

/** What the last failed request to a target met: no connection or no HTTP, no answer in time, or a wrong certificate. */
const originError = z.enum(['unreachable', 'timeout', 'tls_expired', 'tls_name', 'tls_untrusted', 'tls_failed']);
export type OriginError = z.infer<typeof originError>;

const targetHealth = z.object({
  node: z.string(),
  state: z
    .enum(['up', 'failing', 'partly', 'down', 'unknown'])
    .describe(
      '`down`: the node leaves it out of balancing, `partly`: some of its addresses, as the health of the domain is judged. `failing`: its newest request failed, by which alone none is judged. `unknown`: the node is away, or sent nothing to the target in the time that is looked at.',
    ),
  since: timestamp.nullable().describe('Since when it is down, partly down or failing.'),
  last_error: originError.nullable(),
  last_error_at: timestamp.nullable(),
  response_ms: z.number().nullable().describe('Of the newest request that the target answered.'),
  last_answer_at: timestamp.nullable(),
  requests: z.number().int().describe('Requests in the time that is looked at.'),
});
export type TargetHealth = z.infer<typeof targetHealth>;

export const originHealth = z.object({
  minutes: z.number().int().describe('How far back requests are looked at.'),
  is_measured: z.boolean().describe('False while the traffic store is away: only what nodes report is shown.'),
  checked_at: timestamp.nullable().describe('When the origins of the live version were last checked; null: not yet.'),
  targets: z.array(
    z.object({
      host: z.string(),
      port: z.number().int().nullable(),
      backup: z.boolean(),
      checks: z
        .array(diagnosisItem)
        .describe('What that check found, once for each protocol: what the health of the domain is judged by.'),
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
  is_ca: z.boolean().describe('It may sign others; otherwise it is a self-signed server certificate.'),
  self_signed: z.boolean(),
  fingerprint_sha256: z.string(),
});

/** What a target showed over TLS. */
export const originCertificate = z.object({
  problem: z
    .enum(['expired', 'not_yet_valid', 'name', 'self_signed', 'incomplete', 'untrusted'])
    .nullable()
    .describe('Why strict verification would refuse it; null: it passes.'),
  subject: z.string(),
  issuer: z.string(),
  expires_at: timestamp.nullable(),
});
