import { addressList, FAULTS_MAX, findEntriesInside, lacksEntry } from '@cordon/plugin-kit/address-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

export const ENTRIES_MAX = 10_000;

/**
 * Which addresses may reach the domain (spec sections 3 and 5; product design, "Address lists" and
 * "ip-restriction").
 *
 * - `whitelistMode`: only `allow` passes. `blacklistMode`: `deny` is refused. Both: `allow` minus `deny`.
 * - Neither: refused as `IP_RESTRICTION_NO_MODE`, because a plugin that is switched on and does nothing looks like
 *   protection.
 * - An entry is needed, `IP_RESTRICTION_EMPTY`: in `allow` with `whitelistMode` (an empty one would refuse everybody),
 *   in `deny` with `blacklistMode` alone. Special addresses do not count, since they are ignored; of a list
 *   with an entry that is no address only that is said.
 * - Between the lists, an entry of `allow` that equals an entry of `deny` or lies inside one is `IP_RESTRICTION_ALSO_DENIED`:
 *   it could never pass. An entry of `deny` inside a wider one of `allow` is what both modes together are for. This
 *   holds whatever the modes are, so that switching a mode on cannot make a saved list invalid. The first hundred are
 *   reported, each with the count of all.
 */
export const schema = z
  .strictObject({
    allow: addressList(ENTRIES_MAX)
      .default([])
      .describe('Addresses and CIDR blocks that may pass when `whitelistMode` is on. Special addresses are ignored.'),
    deny: addressList(ENTRIES_MAX)
      .default([])
      .describe(
        'Addresses and CIDR blocks that are refused when `blacklistMode` is on. Special addresses are ignored.',
      ),
    whitelistMode: z.boolean().default(false).describe('Only addresses in `allow` pass.'),
    blacklistMode: z
      .boolean()
      .default(false)
      .describe(
        'Addresses in `deny` are refused. Together with `whitelistMode`: those in `allow` pass unless in `deny`.',
      ),
    allow_spiders: z
      .boolean()
      .default(true)
      .describe(
        'Verified crawlers of search engines pass `whitelistMode` without being in `allow`. What `blacklistMode` refuses stays refused.',
      ),
  })
  .superRefine((config, ctx) => {
    const lacksAllowed = lacksEntry(config.allow);
    const lacksDenied = lacksEntry(config.deny);
    if (config.whitelistMode) {
      if (lacksAllowed) addCodeIssue(ctx, ['allow'], 'IP_RESTRICTION_EMPTY');
    } else if (config.blacklistMode) {
      if (lacksDenied) addCodeIssue(ctx, ['deny'], 'IP_RESTRICTION_EMPTY');
    } else {
      addCodeIssue(ctx, ['whitelistMode'], 'IP_RESTRICTION_NO_MODE');
      if (lacksAllowed && lacksDenied) addCodeIssue(ctx, ['allow'], 'IP_RESTRICTION_EMPTY');
    }
    const inside = findEntriesInside(config.allow, config.deny);
    const count = inside.length;
    for (const { index, other } of inside.slice(0, FAULTS_MAX))
      addCodeIssue(ctx, ['allow', index], 'IP_RESTRICTION_ALSO_DENIED', {
        entry: config.allow[index] ?? '',
        other,
        count,
      });
  });

export type IpRestrictionConfig = z.output<typeof schema>;
