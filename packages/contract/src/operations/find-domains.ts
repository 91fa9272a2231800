import { z } from 'zod';
import { FIND_NAMES_MAX } from '../constants.ts';
import { routeId } from '../entities/routes.ts';
import { domainStatus } from '../enumerations.ts';
import { fieldErrorCodes } from '../errors.ts';
import { defineOperations, resultOf } from '../operation.ts';

/** One name of those that were asked for. */
export const foundDomain = z.object({
  input: z.string().describe('As it was given.'),
  name: z.string().nullable().describe('As it is stored; null for what is no name.'),
  found: z
    .enum(['main', 'alias', 'wildcard', 'not_found', 'invalid'])
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
      ownership_state: z.enum(['pending', 'verified']).describe('Of the name that was found.'),
      subscription_cname: z.string(),
      group_id: z.uuid().nullable(),
    })
    .nullable(),
});
export type FoundDomain = z.infer<typeof foundDomain>;

export const findDomainOperations = defineOperations({
  findDomains: {
    method: 'POST',
    path: 'domain/find-domain/',
    summary: 'Which of many names are yours, as main name or alias, and where',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    query: z.strictObject({
      cname: z.string().min(1).max(255).optional().describe('Only domains of this subscription.'),
      status: domainStatus.exclude(['deleted']).optional().describe('Only domains in this status.'),
    }),
    body: z.strictObject({
      names: z
        .array(z.string().max(1024))
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
});
