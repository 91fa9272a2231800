import { z } from 'zod';
import { FIND_NAMES_MAX, SHADOW_DOMAINS_AT_ONCE, SHADOW_DOMAINS_LOOKED_AT_ONCE } from '../constants.ts';
import { domainName } from '../domain-name.ts';
import { route } from '../entities/domains.ts';
import { shadowDomain } from '../entities/names.ts';
import { routeId } from '../entities/routes.ts';
import { domainStatus } from '../enumerations.ts';
import { fieldErrorCodes } from '../errors.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

/** A thousand names at their longest, and room for how they are written. */
const NAMES_BODY_BYTES_MAX = 512 * 1024;
const idParams = z.object({ id: routeId });
const shadowDomains = 'domain/routes/{id}/shadow-domains/';
const base = { auth: 'user', roles: ['user'], params: idParams } as const;
const names = z.array(domainName).min(1).max(SHADOW_DOMAINS_AT_ONCE);

/** One name of those that were asked for. */
const foundDomain = z.object({
  input: z.string().describe('As it was given.'),
  name: z.string().nullable().describe('As it is stored; null for what is no name.'),
  found: z
    .enum(['main', 'shadow_domain', 'wildcard', 'not_found', 'invalid'])
    .describe(
      '`wildcard`: not a name of its own, but a wildcard of yours answers for it. `not_found` says nothing about whether another account has it.',
    ),
  error: z.enum(fieldErrorCodes).nullable().describe('Why it is no name.'),
  route: z
    .object({
      id: routeId,
      domain_name: z.string(),
      domain_name_unicode: z.string(),
      status: domainStatus,
      is_suspended: z.boolean().describe('The provider has suspended it: nothing is served, whatever its status.'),
      ownership_state: z.enum(['pending', 'verified']).describe('Of the name that was found.'),
      subscription_cname: z.string(),
      group_id: z.uuid().nullable(),
    })
    .nullable(),
});
export type FoundDomain = z.infer<typeof foundDomain>;

/** Proof of names, the search for them, and shadow domains: they take effect at once, without a version. Progress comes on the websocket slot `shadow`. */
export const nameOperations = defineOperations({
  verifyOwnership: {
    method: 'POST',
    looks: true,
    path: 'domain/routes/{id}/verify/',
    summary: 'Look at DNS now, whether the name points here',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.ownershipChecks,
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
    rate: rates.domainPreviews,
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
  findDomains: {
    method: 'POST',
    path: 'domain/find-domain/',
    summary: 'Which of many names are yours, as main name or shadow domain, and where',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.findDomains,
    query: z.strictObject({
      cname: text(255).min(1).optional().describe('Only domains of this subscription.'),
      status: domainStatus.exclude(['deleted']).optional().describe('Only domains in this status.'),
    }),
    bodyBytesMax: NAMES_BODY_BYTES_MAX,
    body: z.strictObject({
      names: z
        .array(text(1024))
        .min(1)
        .max(FIND_NAMES_MAX)
        .describe('As people write them: case, spaces around and Unicode do not matter. Repeated ones count once.'),
    }),
    ok: resultOf(
      z.object({
        domains: z.array(foundDomain).describe('In the order of the names.'),
        found: z.number().int(),
        not_found: z.number().int(),
        invalid: z.number().int(),
      }),
    ),
  },
  listShadowDomains: {
    ...base,
    method: 'GET',
    path: shadowDomains,
    summary: 'Shadow domains of a domain by name, each with its DNS record and whether it is proved',
    scope: 'domains:read',
    rate: 'none',
    query: pageQuery.extend({
      q: text(253).optional().describe('Part of a name.'),
      state: z.enum(['pending', 'verified']).optional(),
    }),
    ok: listOf(shadowDomain),
  },
  addShadowDomains: {
    ...base,
    method: 'POST',
    path: shadowDomains,
    summary: 'Add shadow domains, all or none; each is served once its DNS points here',
    scope: 'domains:write',
    rate: rates.shadowDomainWrites,
    once: true,
    bodyBytesMax: NAMES_BODY_BYTES_MAX,
    body: z.strictObject({ names }),
    ok: resultOf(route),
    status: 202,
  },
  removeShadowDomains: {
    ...base,
    method: 'DELETE',
    path: shadowDomains,
    summary: 'Remove shadow domains; they are free at once',
    scope: 'domains:write',
    rate: rates.shadowDomainWrites,
    bodyBytesMax: NAMES_BODY_BYTES_MAX,
    body: z.strictObject({ names }),
    ok: resultOf(route),
    status: 202,
  },
  promoteShadowDomain: {
    ...base,
    method: 'POST',
    path: `${shadowDomains}promote/`,
    summary: 'Make a proved shadow domain the main name; the main name becomes a shadow domain',
    scope: 'domains:write',
    rate: rates.shadowDomainWrites,
    once: true,
    body: z.strictObject({ name: domainName }),
    ok: resultOf(route),
    status: 202,
  },
  verifyShadowDomains: {
    ...base,
    method: 'POST',
    looks: true,
    path: `${shadowDomains}verify/`,
    summary: 'Look at DNS now, whether these shadow domains point here',
    scope: 'domains:write',
    rate: rates.shadowDomainChecks,
    body: z.strictObject({ names: z.array(domainName).min(1).max(SHADOW_DOMAINS_LOOKED_AT_ONCE) }),
    ok: resultOf(z.array(shadowDomain)),
  },
});
