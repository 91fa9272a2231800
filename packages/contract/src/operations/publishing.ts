import { z } from 'zod';
import { PAUSE_MINUTES } from '../constants.ts';
import { route } from '../entities/domains.ts';
import { receipt, version, versionSummary } from '../entities/publishing.ts';
import { routeId } from '../entities/routes.ts';
import { anyFieldErrorCode } from '../errors.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const idParams = z.object({ id: routeId });
const note = text(500, { seen: true }).default('').describe('Why, for the history.');
const versionParams = idParams.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });

/** Something that a version was deployed with and that the domain no longer has. */
const gonePart = z.object({
  kind: z.enum(['shadow_domain', 'certificate']),
  name: z.string().describe('The shadow domain, or the id of the certificate.'),
});
export type GonePart = z.infer<typeof gonePart>;

/** What brings a domain to the nodes. Every deploy makes a version; none is ever changed, each can be brought back. */
export const publishingOperations = defineOperations({
  deployRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/deploy/',
    summary: 'Make the draft the next version and bring it to every node; also restores a deactivated domain',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: idParams,
    ifMatch: true,
    body: z.strictObject({ note }),
    ok: resultOf(route),
    status: 202,
  },
  discardDraft: {
    method: 'DELETE',
    path: 'domain/routes/{id}/draft/',
    summary: 'Give up what is not deployed: the draft becomes what is live',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: idParams,
    ifMatch: true,
    ok: resultOf(route),
  },
  deactivateRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/deactivate/',
    summary: 'Take a domain off the edge; its configuration stays',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: idParams,
    once: true,
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
    rate: rates.domainWrites,
    params: idParams,
    once: true,
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
    rate: 'none',
    params: idParams,
    ok: resultOf(receipt.nullable()),
  },
  listVersions: {
    method: 'GET',
    path: 'domain/routes/{id}/versions/',
    summary: 'Versions, newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    query: pageQuery,
    ok: listOf(versionSummary),
  },
  getVersion: {
    method: 'GET',
    path: 'domain/routes/{id}/versions/{version}/',
    summary: 'One version with its configuration',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: versionParams,
    ok: resultOf(version),
  },
  checkRollback: {
    method: 'GET',
    path: 'domain/routes/{id}/versions/{version}/rollback/',
    summary: 'What stands in the way of bringing a version back, and what of it is gone',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: versionParams,
    ok: resultOf(
      z.object({
        gone: z.array(gonePart).describe('Parts that will not come back with the version.'),
        problems: z
          .array(
            z.object({
              path: z.string().describe('Setting of the version, for example `upstreams.targets.0.host`.'),
              code: anyFieldErrorCode,
              params: z.record(z.string(), z.union([z.string(), z.number()])),
            }),
          )
          .describe('Why the plan, the names or the checks of today refuse it. Empty: it can be brought back.'),
      }),
    ),
  },
  rollBack: {
    method: 'POST',
    path: 'domain/routes/{id}/versions/{version}/rollback/',
    summary: 'Make the draft what a version was, and deploy it if asked',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: versionParams,
    ifMatch: true,
    body: z.strictObject({
      deploy: z.boolean().default(false),
      note,
      accept_gone: z
        .boolean()
        .default(false)
        .describe('Without it a version of which something is gone answers VERSION_PARTS_GONE.'),
    }),
    ok: resultOf(route),
  },
  pauseRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/pause/',
    summary: 'Switch all protection off for a while: traffic passes to the origin, at once and without a version',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.pauses,
    params: idParams,
    body: z.strictObject({
      minutes: z
        .union(PAUSE_MINUTES.map((minutes) => z.literal(minutes)))
        .nullable()
        .describe('When it ends; null: when it is ended by hand.'),
    }),
    ok: resultOf(route),
    status: 202,
  },
  endPause: {
    method: 'DELETE',
    path: 'domain/routes/{id}/pause/',
    summary: 'Switch protection on again',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.pauses,
    params: idParams,
    ok: resultOf(route),
    status: 202,
  },
});
