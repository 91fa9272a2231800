import type { AddressSet, EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import type { IpRestrictionConfig } from './schema.ts';

interface Prepared {
  /** undefined: the list does not restrict, because its mode is off. */
  readonly allow: AddressSet | undefined;
  readonly deny: AddressSet | undefined;
  readonly allowsCrawlers: boolean;
}

const PERMIT: Verdict = { kind: 'permit' };

export const handler: EdgeHandler<IpRestrictionConfig, Prepared> = {
  prepare: (config, kit) => ({
    allow: config.whitelistMode ? kit.addressSet(config.allow) : undefined,
    deny: config.blacklistMode ? kit.addressSet(config.deny) : undefined,
    allowsCrawlers: config.allow_spiders,
  }),

  access: (ctx, prepared) => {
    if (prepared.deny !== undefined) {
      const entry = ctx.matchAddress(prepared.deny);
      if (entry !== undefined) return { kind: 'block', status: 403, reason: 'in_deny_list', rule: entry };
    }
    if (prepared.allow === undefined) return undefined;
    if (ctx.matchAddress(prepared.allow) !== undefined) return PERMIT;
    // Last, because proving a crawler may need the DNS.
    if (prepared.allowsCrawlers && ctx.verifiedCrawler() !== undefined) return PERMIT;
    return { kind: 'block', status: 403, reason: 'not_in_allow_list', rule: '', isUnmet: true };
  },
};
