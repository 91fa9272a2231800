import { defineOperations, listOf, pageQuery, rates, resultOf } from '@cordon/contract';
import { RANGE_CHARACTERS_MAX } from '@cordon/contract/address';
import { longList } from '@cordon/contract/long-list';
import { text } from '@cordon/contract/text';
import { z } from 'zod';

/** Entries of one call. */
export const NETWORKS_MAX = 100_000;
const NETWORKS_BODY_BYTES_MAX = 6 * 1024 * 1024;
const IDS_MAX = 1000;
/** Of a search: a few pasted addresses. */
const SEARCH_CHARACTERS_MAX = 200;

const allowedNetwork = z.object({
  id: z.uuid(),
  network: z.string().describe('Canonical text of an address or CIDR block.'),
  note: z.string(),
  added_by: z.string(),
  added_at: z.iso.datetime(),
  ends_at: z.iso.datetime().nullable().describe('Null: until it is removed.'),
});
export type AllowedNetwork = z.infer<typeof allowedNetwork>;

/** What is no address is told with its place in the list by the handler, a part of the list at a time. */
const networks = longList(
  z
    .array(text(RANGE_CHARACTERS_MAX, { trim: true, tooLong: 'ADDRESS_INVALID' }))
    .min(1)
    .max(NETWORKS_MAX),
  NETWORKS_MAX,
  (entry) => typeof entry !== 'string' || entry.length > 2 * RANGE_CHARACTERS_MAX,
);
const search = text(SEARCH_CHARACTERS_MAX, { trim: true }).describe(
  'Addresses, ranges or the beginning of an IPv4 address, such as `81.2.69`: entries that hold one of them or lie in it. Else words of the note.',
);

/** Who passes all protection of all domains of the account: live at once, without a version (product design). */
export const operations = defineOperations({
  listAllowedNetworks: {
    method: 'GET',
    path: 'domain/whitelist/',
    summary: 'Addresses and ranges of the allow list, the newest first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: pageQuery.extend({ q: search.optional() }),
    ok: listOf(allowedNetwork).extend({
      maximum: z.number().int().describe('Entries that the plan of the account allows.'),
    }),
  },
  allowNetworks: {
    method: 'POST',
    path: 'domain/whitelist/',
    summary:
      'Add addresses and ranges, up to 100,000 at once, to the allow list: they pass all protection, bans too; live on all nodes within a second. Unlike lists of settings, it refuses neither duplicates nor what a wider entry has: they are merged and counted',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    itemRate: { field: 'networks', rate: rates.allowListChanges },
    bodyBytesMax: NETWORKS_BODY_BYTES_MAX,
    bodyValuesMax: NETWORKS_MAX + 100,
    body: z
      .strictObject({
        networks: networks.describe('Addresses and CIDR blocks.'),
        note: text(200, { seen: true }).default(''),
        ends_at: z.iso.datetime().nullable().default(null).describe('Null: until they are removed.'),
      })
      .meta({ examples: [{ networks: ['9.9.9.9', '2606:4700::/32'], note: 'Monitoring' }] }),
    ok: resultOf(
      z.object({
        added: z.number().int(),
        replaced: z.number().int().describe('Were on the list: note and end are the new ones.'),
        merged: z.number().int().describe('Left out: given twice, or inside a wider entry that lasts as long.'),
        ignored: z.number().int().describe('Left out: special addresses, which no visitor comes from.'),
        overridden_bans: z.number().int().describe('Bans inside these entries, which keep nobody out while they hold.'),
      }),
    ),
    status: 201,
  },
  removeAllowedNetworks: {
    method: 'POST',
    path: 'domain/whitelist/remove/',
    summary: 'Take entries off the allow list, by ids or all that a search finds; ids that are gone are passed over',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.listRemovals,
    body: z
      .strictObject({
        ids: z.array(z.uuid()).min(1).max(IDS_MAX).optional(),
        q: search.optional().describe('As in the list, in place of `ids`; empty: all entries.'),
      })
      .superRefine(({ ids, q }, ctx) => {
        if ((ids === undefined) === (q === undefined))
          ctx.addIssue({ code: 'custom', path: ['ids'], message: ids === undefined ? 'REQUIRED' : 'NOT_ALLOWED' });
      }),
    ok: resultOf(
      z.object({
        removed: z.number().int(),
        removal_id: z.uuid().describe('Of this removal, for `restoreAllowedNetworks`.'),
      }),
    ),
  },
  restoreAllowedNetworks: {
    method: 'POST',
    path: 'domain/whitelist/restore/',
    summary:
      'Bring back what a removal of the last ten minutes took off the allow list, as it was; 404 for one longer ago',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.listRemovals,
    body: z.strictObject({ removal_id: z.uuid() }),
    ok: resultOf(
      z.object({
        restored: z.number().int(),
        ended: z.number().int().describe('Left out: their time has ended meanwhile.'),
        replaced: z.number().int().describe('Left out: the same network was added anew.'),
      }),
    ),
  },
});
