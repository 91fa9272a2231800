import { definePlugin } from '@cordon/plugin-kit';
import { ADDRESS_LIST_ERROR_CODES, addressListNotices } from '@cordon/plugin-kit/address-list';
import { exceptions } from './exceptions.ts';
import { merge } from './merge.ts';
import { schema } from './schema.ts';

const NAMED_MAX = 5;

export const definition = definePlugin({
  name: 'geoip',
  phase: 'access',
  order: 20,
  area: 'access',
  schema,
  errorCodes: [...ADDRESS_LIST_ERROR_CODES, 'COUNTRY_UNKNOWN', 'GEOIP_EMPTY', 'GEOIP_MODES_DIFFER'],
  reasons: ['country_refused', 'country_not_allowed', 'country_unknown'],
  tier: 'free',
  merge,
  exceptions,

  summary({ mode, blacklist_countries, whitelist_countries }) {
    const listed = mode === 'Blacklist' ? blacklist_countries : whitelist_countries;
    const rest = Math.max(0, listed.length - NAMED_MAX);
    return {
      message: mode === 'Blacklist' ? 'summary.blacklist' : 'summary.whitelist',
      params: { countries: { countries: listed.slice(0, NAMED_MAX) }, rest },
    };
  },

  notices(config) {
    const notices = [...addressListNotices('whitelist_ips', config.whitelist_ips)];
    const unused = config.mode === 'Blacklist' ? 'whitelist_countries' : 'blacklist_countries';
    if (config[unused].length > 0) notices.push({ path: unused, message: 'notices.list_unused', params: {} });
    return notices;
  },
});
