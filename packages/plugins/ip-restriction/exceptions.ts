import type { PluginException, StoppedRequest } from '@cordon/plugin-kit';
import type { IpRestrictionConfig } from './schema.ts';

/** An entry of the block list stands above the allow list, so that only without it the client passes. */
export function exceptions(config: IpRestrictionConfig, { address, reason, rule }: StoppedRequest): PluginException[] {
  const isDenied = config.deny.includes(rule);
  if (reason === 'in_deny_list' && isDenied) {
    const deny = config.deny.filter((entry) => entry !== rule);
    if (deny.length === 0 && !config.whitelistMode)
      return [{ message: 'exceptions.off', params: { rule }, config, isOff: true }];
    return [{ message: 'exceptions.deny', params: { rule }, config: { ...config, deny } }];
  }
  if (reason === 'not_in_allow_list' && !config.allow.includes(address))
    return [
      { message: 'exceptions.allow', params: { address }, config: { ...config, allow: [...config.allow, address] } },
    ];
  return [];
}
