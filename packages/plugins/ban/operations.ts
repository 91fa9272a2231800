import { defineOperations, listOf, pageQuery, rates, resultOf } from '@cordon/contract';
import { text } from '@cordon/contract/text';
import { addressList } from '@cordon/plugin-kit/address-list';
import { z } from 'zod';

/** Addresses and ranges of one call. */
const NETWORKS_MAX = 1000;
const SECONDS_MAX = 365 * 86_400;
/** Of a search: a few pasted addresses. */
const SEARCH_CHARACTERS_MAX = 200;

const ban = z.object({
  id: z.uuid(),
  network: z.string().describe('Canonical text of an address or CIDR block.'),
  route_id: z.uuid().nullable().describe('Null: banned from all domains of the account.'),
  domain_name: z.string().nullable(),
  plugin: z.string().nullable().describe('The plugin that banned it; null: a person did.'),
  reason: z.string().nullable().describe("The plugin's reason; null: a person banned it."),
  request_id: z.string().nullable().describe('Of the request that was too much.'),
  note: z.string(),
  banned_by: z.string().describe('The person, or the node.'),
  banned_at: z.iso.datetime(),
  ends_at: z.iso.datetime().nullable().describe('Null: until it is lifted.'),
});
export type Ban = z.infer<typeof ban>;

const routeId = z.uuid().optional().describe('Those that hold for this domain, the account-wide ones too.');
const search = text(SEARCH_CHARACTERS_MAX, { trim: true }).describe(
  'Addresses, ranges or the beginning of an IPv4 address, such as `81.2.69`: bans that hold one of them or lie in it. Else words of the note, the reason or the plugin.',
);
const restored = resultOf(
  z.object({
    restored: z.number().int(),
    ended: z.number().int().describe('Left out: their time has ended meanwhile.'),
    replaced: z.number().int().describe('Left out: the same network was banned anew.'),
  }),
);

/** Who is kept out: seen, added and lifted at once, without a version (product design, "ban"). */
export const operations = defineOperations({
  listBans: {
    method: 'GET',
    path: 'domain/bans/',
    summary: 'Bans that hold now, the newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: pageQuery.extend({
      route_id: routeId,
      q: search.optional(),
    }),
    ok: listOf(ban),
  },
  addBans: {
    method: 'POST',
    path: 'domain/bans/',
    summary: 'Ban addresses and ranges, from one domain or from all; live on all nodes within a second',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    itemRate: { field: 'networks', rate: rates.banChanges },
    body: z
      .strictObject({
        networks: addressList(NETWORKS_MAX, 1, { mayOverlap: true }).describe('Addresses and CIDR blocks.'),
        route_id: z.uuid().nullable().default(null).describe('Null: all domains of the account.'),
        seconds: z
          .number()
          .int()
          .min(10)
          .max(SECONDS_MAX)
          .nullable()
          .optional()
          .describe("Null: until it is lifted. Left out: the domain's `default_timeout`."),
        note: text(200, { seen: true }).default(''),
      })
      .meta({ examples: [{ networks: ['9.9.9.9'], route_id: '8f14e45f-ceea-467f-ab7b-0f2b1c0d3e4a', seconds: 3600 }] }),
    ok: resultOf(
      z.object({
        banned: z.number().int(),
        replaced: z.number().int().describe('Bans of the same networks that held, in whose place these are.'),
        merged: z.number().int().describe('Left out: given twice, or inside a wider one of the call.'),
        ignored: z.number().int().describe('Left out: special addresses, which no visitor comes from.'),
        ids: z.array(z.uuid()).describe('Of the bans, for `liftBans`.'),
        replaced_ids: z.array(z.uuid()).describe('Of those that were replaced, for `restore` of `liftBans`.'),
        allowed: z
          .number()
          .int()
          .describe('Of these, inside an entry of the allow list, which wins: they keep nobody out while it holds.'),
        ends_at: z.iso.datetime().nullable(),
      }),
    ),
    status: 201,
  },
  liftBans: {
    method: 'POST',
    path: 'domain/bans/lift/',
    summary:
      'Lift bans, and bring back what they replaced if asked; ids that are gone are passed over. `restoreBans` brings them back for ten minutes',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    itemRate: { field: 'ids', rate: rates.banChanges },
    body: z
      .strictObject({
        ids: z.array(z.uuid()).min(1).max(NETWORKS_MAX),
        restore: z
          .array(z.uuid())
          .max(NETWORKS_MAX)
          .default([])
          .describe(
            '`replaced_ids` of `addBans`, no more than `ids`: in the same moment back as they were, as by `restoreBans`.',
          ),
      })
      // The rate counts `ids`.
      .refine(({ ids, restore }) => restore.length <= ids.length, { path: ['restore'], error: 'INVALID' }),
    ok: resultOf(z.object({ lifted: z.number().int(), restored: z.number().int() })),
  },
  restoreBans: {
    method: 'POST',
    path: 'domain/bans/restore/',
    summary: 'Bring back bans that were lifted in the last ten minutes, as they were; ids of others are passed over',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    itemRate: { field: 'ids', rate: rates.banChanges },
    body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(NETWORKS_MAX) }),
    ok: restored,
  },
  liftFoundBans: {
    method: 'POST',
    path: 'domain/bans/lift/found/',
    summary: 'Lift all bans that a search finds, any number. `restoreFoundBans` brings them back for ten minutes',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.listRemovals,
    body: z.strictObject({
      route_id: routeId,
      q: search.describe('As in the list; empty: all bans.'),
    }),
    ok: resultOf(
      z.object({
        lifted: z.number().int(),
        lift_id: z.uuid().describe('Of this call, for `restoreFoundBans`.'),
      }),
    ),
  },
  restoreFoundBans: {
    method: 'POST',
    path: 'domain/bans/restore/found/',
    summary:
      'Bring back what a call of `liftFoundBans` of the last ten minutes has lifted, as it was; 404 for one longer ago',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.listRemovals,
    body: z.strictObject({ lift_id: z.uuid() }),
    ok: restored,
  },
});
