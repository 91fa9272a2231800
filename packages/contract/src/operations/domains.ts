import { z } from 'zod';
import { domainName } from '../domain-name.ts';
import { route, routeFilter, routeSort, routeSummary } from '../entities/domains.ts';
import { originCertificate } from '../entities/origins.ts';
import { receipt } from '../entities/publishing.ts';
import { pluginEntry, routeId, upstreamsChange } from '../entities/routes.ts';
import { trafficAction, upstreamProtocol } from '../enumerations.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';

const idParams = z.object({ id: routeId });
const subscriptionCname = z.string().min(1).max(255).describe('Which subscription; a mismatch is 404.');
const note = z.string().max(500).default('').describe('Why, for whoever reads the history.');

export const domainOperations = defineOperations({
  listRoutes: {
    method: 'GET',
    path: 'domain/routes/',
    summary: 'List domains',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    query: pageQuery.extend({ ...routeFilter.shape, sort: routeSort.default('domain_name') }),
    ok: listOf(routeSummary),
  },
  createRoute: {
    method: 'POST',
    path: 'domain/routes/',
    summary: 'Add a domain; nothing is live until it is deployed',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    body: z
      .strictObject({
        cname: subscriptionCname,
        domain_name: domainName,
        traffic_action: trafficAction.default('upstream'),
        upstreams: upstreamsChange.optional().describe('Left out only where visitors are redirected.'),
        plugins: z.array(pluginEntry).max(32).default([]),
        remarks: z.string().max(1000).default(''),
        deploy: z.boolean().default(false).describe('Also deploy version 1.'),
        note: note.describe('Why, for whoever reads the history. Of version 1, so of `deploy` only.'),
      })
      .refine(({ upstreams, traffic_action }) => upstreams !== undefined || traffic_action === 'redirect', {
        path: ['upstreams'],
        error: 'REQUIRED',
        // Told together with what else is missing.
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    ok: resultOf(route),
    status: 201,
  },
  getRoute: {
    method: 'GET',
    path: 'domain/routes/{id}/',
    summary: 'One domain with its draft and what is live',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    ok: resultOf(route),
  },
  updateRoute: {
    method: 'PATCH',
    path: 'domain/routes/{id}/',
    summary: 'Change the draft, and deploy it if asked',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ifMatch: true,
    body: z.strictObject({
      traffic_action: trafficAction.optional(),
      upstreams: upstreamsChange.optional(),
      plugins: z
        .array(pluginEntry)
        .max(32)
        .optional()
        .describe('Given plugins replace those of the same name; others stay.'),
      remarks: z.string().max(1000).optional(),
      deploy: z.boolean().default(false),
      note,
    }),
    ok: resultOf(route),
  },
  deleteRoute: {
    method: 'DELETE',
    path: 'domain/routes/{id}/',
    summary: 'Take a domain off the edge and delete it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    body: z.strictObject({
      cname: subscriptionCname,
      confirm: z.string().max(253).optional().describe('The name typed again; checked when given.'),
    }),
    ok: resultOf(routeSummary),
    status: 202,
  },
  deployRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/deploy/',
    summary: 'Make the draft the next version and bring it to every node; also restores a deactivated domain',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ifMatch: true,
    body: z.strictObject({ note }),
    ok: resultOf(route),
    status: 202,
  },
  deactivateRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/deactivate/',
    summary: 'Take a domain off the edge; its configuration stays',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ok: resultOf(route),
    status: 202,
  },
  resumeRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/resume/',
    summary: 'Redeploy the last live version of a deactivated domain',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ok: resultOf(route),
    status: 202,
  },
  getReceipt: {
    method: 'GET',
    path: 'domain/routes/{id}/receipt/',
    summary: 'The latest deploy with the proof of each node',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    ok: resultOf(receipt.nullable()),
  },
  verifyOwnership: {
    method: 'POST',
    path: 'domain/routes/{id}/verify/',
    summary: 'Look at DNS now, whether the name points here',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ok: resultOf(route),
  },
  createPreview: {
    method: 'POST',
    path: 'domain/routes/{id}/preview/',
    summary: 'A signed header that lets you try the live version before the name points here',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ok: resultOf(
      z.object({
        header: z.string().describe('Name of the header field.'),
        token: z.string(),
        expires_at: z.iso.datetime(),
        curl: z.string().describe('Ready to paste: curl with --resolve and the header.'),
        dig: z
          .string()
          .nullable()
          .describe('Ready to paste: asks where the exclusive CNAME leads. Null where no name server runs.'),
      }),
    ),
  },
  verifyUpstreamProtocol: {
    method: 'GET',
    path: 'domain/verify-upstream-protocol/',
    summary: 'Connect to upstream targets and tell which protocols answer',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    query: z.strictObject({
      upstreams: z
        .union([z.string().max(300), z.array(z.string().max(300)).max(20)])
        .transform((value) =>
          (Array.isArray(value) ? value : value.split(','))
            .map((entry) => entry.trim())
            .filter((entry) => entry !== ''),
        )
        .pipe(z.array(z.string().max(300)).min(1).max(20))
        .describe('Targets as `host` or `host:port`, repeated or comma-separated.'),
      server_name: z
        .string()
        .max(253)
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
