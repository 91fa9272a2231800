import type { AddressSet, EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import type { GeoipConfig } from './schema.ts';

interface Prepared {
  readonly isListed: Readonly<Record<string, boolean | undefined>>;
  /** What being listed means. */
  readonly refusesListed: boolean;
  readonly addresses: AddressSet;
  readonly isAlternative: boolean;
}

const PERMIT: Verdict = { kind: 'permit' };

export const handler: EdgeHandler<GeoipConfig, Prepared> = {
  prepare: (config, kit) => {
    const refusesListed = config.mode === 'Blacklist';
    const isListed: Record<string, boolean | undefined> = {};
    for (const country of refusesListed ? config.blacklist_countries : config.whitelist_countries)
      isListed[country] = true;
    return {
      isListed,
      refusesListed,
      addresses: kit.addressSet(config.whitelist_ips),
      isAlternative: config.combine_geoip,
    };
  },

  access: (ctx, prepared) => {
    const { country } = ctx.request;
    const isListed = prepared.isListed[country] === true;
    if (isListed !== prepared.refusesListed) return PERMIT;
    if (ctx.matchAddress(prepared.addresses) !== undefined) return PERMIT;
    const reason = isListed ? 'country_refused' : country === '' ? 'country_unknown' : 'country_not_allowed';
    return { kind: 'block', status: 403, reason, rule: country, isUnmet: true };
  },

  isAlternative: (prepared) => prepared.isAlternative,
};
