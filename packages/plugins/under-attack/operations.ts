import { defineOperations, rates, resultOf } from '@cordon/contract';
import { z } from 'zod';

const SECONDS = { min: 60, max: 7 * 86_400, default: 3600 } as const;

const attackMode = z.object({
  route_id: z.uuid().nullable().describe('Null: all domains of the account.'),
  domain_name: z.string().nullable(),
  started_by: z.string().describe('Empty: started by itself.'),
  started_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  requests_per_minute: z.number().int().nullable().describe('What it was started for by itself; null otherwise.'),
  usual_per_minute: z.number().int().nullable().describe('What was usual then; null, too, without a history.'),
});
export type AttackMode = z.infer<typeof attackMode>;

const routeId = z.uuid().nullable().default(null).describe('Null: all domains of the account.');

/** The switch for attacks: live on all nodes within a second, without a version, and over when its time is. */
export const operations = defineOperations({
  listAttackModes: {
    method: 'GET',
    path: 'domain/under-attack/',
    summary: 'Where visitors have to prove themselves now, because of an attack; the whole account first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: z.strictObject({
      route_id: z.uuid().optional().describe('Those that hold for this domain, that of the account too.'),
    }),
    ok: resultOf(z.array(attackMode)),
  },
  getAttackRest: {
    method: 'GET',
    path: 'domain/under-attack/rest/',
    summary:
      'Until when the mode of a domain does not start by itself, since a user has ended it there or for all domains',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: z.strictObject({ route_id: z.uuid() }),
    ok: resultOf(z.object({ until: z.iso.datetime().nullable().describe('Null: it does not rest.') })),
  },
  startAttackMode: {
    method: 'POST',
    path: 'domain/under-attack/',
    summary: 'Have visitors of a domain, or of all, prove themselves for a while; again to change how long',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    body: z
      .strictObject({
        route_id: routeId,
        seconds: z
          .number()
          .int()
          .min(SECONDS.min)
          .max(SECONDS.max)
          .default(SECONDS.default)
          .describe('From now on: one minute to seven days.'),
      })
      .meta({ examples: [{ route_id: '8f14e45f-ceea-467f-ab7b-0f2b1c0d3e4a', seconds: 3600 }] }),
    ok: resultOf(attackMode),
    status: 201,
  },
  endAttackMode: {
    method: 'POST',
    path: 'domain/under-attack/end/',
    summary: 'Let visitors through again at once; where the mode of the account holds, too, it goes on',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    body: z
      .strictObject({ route_id: routeId })
      .meta({ examples: [{ route_id: '8f14e45f-ceea-467f-ab7b-0f2b1c0d3e4a' }] }),
    ok: resultOf(
      z.object({
        ended: z.boolean().describe('False: it was not on.'),
        rests: z.boolean().describe('What would start by itself, of the domain or any of all, does not for an hour.'),
        holding: z
          .array(attackMode)
          .describe('What is on still: of the domain that of the account, of the account those of domains.'),
      }),
    ),
  },
  restoreAttackMode: {
    method: 'POST',
    path: 'domain/under-attack/restore/',
    once: true,
    summary:
      'Take back an end of the last ten minutes: the mode goes on as it was, with its end and who started it, and starts by itself again; 404 for one longer ago',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    body: z
      .strictObject({ route_id: routeId })
      .meta({ examples: [{ route_id: '8f14e45f-ceea-467f-ab7b-0f2b1c0d3e4a' }] }),
    ok: resultOf(
      z.object({
        restored: z
          .boolean()
          .describe('False: its time is over meanwhile, or it has been turned on anew, which stays as it is.'),
      }),
    ),
  },
});
