import { z } from 'zod';
import { SHADOW_DOMAINS_AT_ONCE, SHADOW_DOMAINS_LOOKED_AT_ONCE } from '../constants.ts';
import { domainName } from '../domain-name.ts';
import { route } from '../entities/domains.ts';
import { shadowDomain } from '../entities/names.ts';
import { routeId } from '../entities/routes.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';

const idParams = z.object({ id: routeId });
const path = 'domain/routes/{id}/shadow-domains/';
const base = { auth: 'user', roles: ['user'], params: idParams } as const;
const names = z.array(domainName).min(1).max(SHADOW_DOMAINS_AT_ONCE);

/** Aliases of a domain: they take effect at once, without a version. Progress comes on the websocket slot `shadow`. */
export const shadowDomainOperations = defineOperations({
  listShadowDomains: {
    ...base,
    method: 'GET',
    path,
    summary: 'Aliases of a domain by name, each with its DNS record and whether it is proved',
    scope: 'domains:read',
    query: pageQuery.extend({
      q: z.string().max(253).optional().describe('Part of a name.'),
      state: z.enum(['pending', 'verified']).optional(),
    }),
    ok: listOf(shadowDomain),
  },
  addShadowDomains: {
    ...base,
    method: 'POST',
    path,
    summary: 'Add aliases, all or none; each is served once its DNS points here',
    scope: 'domains:write',
    body: z.strictObject({ names }),
    ok: resultOf(route),
    status: 202,
  },
  removeShadowDomains: {
    ...base,
    method: 'DELETE',
    path,
    summary: 'Remove aliases; they are free at once',
    scope: 'domains:write',
    body: z.strictObject({ names }),
    ok: resultOf(route),
    status: 202,
  },
  promoteShadowDomain: {
    ...base,
    method: 'POST',
    path: `${path}promote/`,
    summary: 'Make a proved alias the main name; the main name becomes an alias',
    scope: 'domains:write',
    body: z.strictObject({ name: domainName }),
    ok: resultOf(route),
    status: 202,
  },
  verifyShadowDomains: {
    ...base,
    method: 'POST',
    path: `${path}verify/`,
    summary: 'Look at DNS now, whether these aliases point here',
    scope: 'domains:write',
    body: z.strictObject({ names: z.array(domainName).min(1).max(SHADOW_DOMAINS_LOOKED_AT_ONCE) }),
    ok: resultOf(z.array(shadowDomain)),
  },
});
