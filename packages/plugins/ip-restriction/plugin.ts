import { definePlugin } from '@cordon/plugin-kit';
import { ADDRESS_LIST_ERROR_CODES, addressListNotices, countOrdinaryEntries } from '@cordon/plugin-kit/address-list';
import { exceptions } from './exceptions.ts';
import { merge } from './merge.ts';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'ip-restriction',
  phase: 'access',
  order: 10,
  area: 'access',
  schema,
  errorCodes: [
    ...ADDRESS_LIST_ERROR_CODES,
    'IP_RESTRICTION_ALSO_DENIED',
    'IP_RESTRICTION_EMPTY',
    'IP_RESTRICTION_NO_MODE',
  ],
  reasons: ['in_deny_list', 'not_in_allow_list'],
  tier: 'free',
  asksEnabled: true,
  start: { blacklistMode: true },
  merge,
  exceptions,

  summary(config) {
    const params = { allowed: countOrdinaryEntries(config.allow), denied: countOrdinaryEntries(config.deny) };
    if (config.whitelistMode && config.blacklistMode) return { message: 'summary.both', params };
    return { message: config.whitelistMode ? 'summary.whitelist' : 'summary.blacklist', params };
  },

  notices(config) {
    const notices = [...addressListNotices('allow', config.allow), ...addressListNotices('deny', config.deny)];
    if (!config.whitelistMode && config.allow.length > 0)
      notices.push({ path: 'allow', message: 'notices.allow_unused', params: { count: config.allow.length } });
    if (!config.blacklistMode && config.deny.length > 0)
      notices.push({ path: 'deny', message: 'notices.deny_unused', params: { count: config.deny.length } });
    return notices;
  },
});
