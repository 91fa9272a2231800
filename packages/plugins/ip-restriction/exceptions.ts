import { parseAddress, parseRange, rangeContains } from '@cordon/contract/address';
import type { PluginException, PluginMessage, StoppedRequest } from '@cordon/plugin-kit';
import { withoutAddress } from '@cordon/plugin-kit/without-address';
import { ENTRIES_MAX, type IpRestrictionConfig } from './schema.ts';

/** Above which the number of an entry's addresses is said as a power of two. */
const COUNTED_BITS_MAX = 32;

const holds = (entry: string, address: string): boolean => {
  const [range, one] = [parseRange(entry), parseAddress(address)];
  return range !== undefined && one !== undefined && rangeContains(range, one);
};

/** The message with how many addresses the entry has: none is added for one. */
function sayingHowMany(message: string, rule: string): PluginMessage {
  const range = parseRange(rule);
  const bits = range ? range.first.length * 32 - range.prefix : 0;
  if (bits === 0) return { message, params: { rule } };
  return bits <= COUNTED_BITS_MAX
    ? { message: `${message}_range`, params: { rule, count: 2 ** bits } }
    : { message: `${message}_network`, params: { rule, power: bits } };
}

/** The entry split up, so that one address is in none of its parts. */
function onlyOne(config: IpRestrictionConfig, { address, rule }: StoppedRequest): PluginException[] {
  const parsed = parseAddress(address);
  const rest = (parsed && withoutAddress(rule, parsed)) ?? [];
  const deny = config.deny.flatMap((entry) => (entry === rule ? rest : [entry]));
  if (rest.length === 0 || deny.length > ENTRIES_MAX) return [];
  return [{ message: 'exceptions.one', params: { address, rule, blocks: rest.length }, config: { ...config, deny } }];
}

/** The whole entry taken out; the plugin off where there is no other. */
function allOfEntry(config: IpRestrictionConfig, rule: string): PluginException {
  const deny = config.deny.filter((entry) => entry !== rule);
  return deny.length === 0 && !config.whitelistMode
    ? { ...sayingHowMany('exceptions.off', rule), config, isOff: true }
    : { ...sayingHowMany('exceptions.deny', rule), config: { ...config, deny } };
}

/**
 * An entry of the block list stands above the allow list, so that only without it the client passes: the one address is taken out of
 * it, or all of it. Where only allowed addresses pass, what is no longer blocked has to be one of them.
 */
export function exceptions(config: IpRestrictionConfig, request: StoppedRequest): PluginException[] {
  const { address, reason, rule } = request;
  const { allow, whitelistMode } = config;
  const isAllowed = allow.some((entry) => holds(entry, address));
  const withAddress = { ...config, allow: [...allow, address] };
  if (reason === 'in_deny_list' && config.deny.includes(rule)) {
    if (!whitelistMode || isAllowed) return [...onlyOne(config, request), allOfEntry(config, rule)];
    // No other address of the entry would pass.
    const [one = allOfEntry(withAddress, rule)] = onlyOne(withAddress, request);
    return [one];
  }
  if (reason === 'not_in_allow_list' && !isAllowed)
    return [{ message: 'exceptions.allow', params: { address }, config: withAddress }];
  return [];
}
