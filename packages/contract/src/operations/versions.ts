import { z } from 'zod';
import { route } from '../entities/domains.ts';
import { version, versionSummary } from '../entities/publishing.ts';
import { routeId } from '../entities/routes.ts';
import { fieldErrorCodes } from '../errors.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';

const routeParams = z.object({ id: routeId });
const versionParams = routeParams.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });

/** Something that a version was deployed with and that the domain no longer has. */
export const gonePart = z.object({
  kind: z.enum(['alias', 'certificate']),
  name: z.string().describe('The alias, or the id of the certificate.'),
});
export type GonePart = z.infer<typeof gonePart>;

/** Versions of a domain: every deploy makes one, none is ever changed, each can be brought back. */
export const versionOperations = defineOperations({
  listVersions: {
    method: 'GET',
    path: 'domain/routes/{id}/versions/',
    summary: 'Versions, newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: routeParams,
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
    params: versionParams,
    ok: resultOf(
      z.object({
        gone: z.array(gonePart).describe('Parts that will not come back with the version.'),
        problems: z
          .array(
            z.object({
              path: z.string().describe('Setting of the version, for example `upstreams.targets.0.host`.'),
              code: z.enum(fieldErrorCodes),
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
    params: versionParams,
    ifMatch: true,
    body: z.strictObject({
      deploy: z.boolean().default(false),
      note: z.string().max(500).default('').describe('Why, for whoever reads the history.'),
      accept_gone: z
        .boolean()
        .default(false)
        .describe('Without it a version of which something is gone answers VERSION_PARTS_GONE.'),
    }),
    ok: resultOf(route),
  },
});
