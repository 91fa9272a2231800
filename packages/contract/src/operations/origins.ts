import { z } from 'zod';
import { TLS_CA_CHARACTERS_MAX } from '../constants.ts';
import { certificateFacts, originCertificate, originHealth, originLock } from '../entities/origins.ts';
import { routeId } from '../entities/routes.ts';
import { upstreamProtocol } from '../enumerations.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const idParams = z.object({ id: routeId });

/** The origin's side of a domain: how its targets are, and how the origin recognises requests that came through us. */
export const originOperations = defineOperations({
  getOriginHealth: {
    method: 'GET',
    path: 'domain/routes/{id}/health/',
    summary: 'The live targets as each node sees them',
    auth: 'user',
    roles: ['user'],
    // Counts and times of visitors' requests.
    scope: ['domains:read', 'traffic:read'],
    rate: 'none',
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
    rate: 'none',
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
    rate: rates.domainWrites,
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
    rate: rates.domainWrites,
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
    rate: rates.certificateReads,
    body: z.strictObject({ pem: text(TLS_CA_CHARACTERS_MAX).min(1) }),
    ok: resultOf(z.array(certificateFacts)),
  },
  verifyUpstreamProtocol: {
    method: 'GET',
    looks: true,
    path: 'domain/verify-upstream-protocol/',
    summary: 'Connect to upstream targets and report which protocols answer',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: 'none',
    query: z.strictObject({
      upstreams: z
        .union([text(300), z.array(text(300)).max(20)])
        .transform((value) =>
          (Array.isArray(value) ? value : value.split(','))
            .map((entry) => entry.trim())
            .filter((entry) => entry !== ''),
        )
        .pipe(z.array(text(300)).min(1).max(20))
        .describe('Targets as `host` or `host:port`, repeated or comma-separated.'),
      server_name: text(253)
        .optional()
        .describe(
          "Name that the edge asks for in TLS: the domain's, or another host for origins. Each target's own unless given.",
        ),
    }),
    ok: resultOf(
      z.array(
        z.object({
          upstream: z.string(),
          protocols: z.array(
            z.object({
              protocol: upstreamProtocol.exclude(['http_https']),
              port: z.number().int(),
              answers: z.boolean(),
              status: z.number().int().nullable(),
              ms: z.number().nullable(),
              certificate: originCertificate.nullable().describe('With https, as far as it answers.'),
            }),
          ),
          suggested: z.object({ protocol: upstreamProtocol, port: z.number().int().nullable() }).nullable(),
          error: z.enum(['UPSTREAM_FORBIDDEN', 'UPSTREAM_INVALID', 'UPSTREAM_UNREACHABLE']).nullable(),
        }),
      ),
    ),
  },
});
