import { mergeConfig } from '@cordon/plugin-kit/merge-config';
import type { IpRestrictionConfig } from './schema.ts';

/** Both lists as they were in effect: one that its mode leaves unused must not come into effect by the other's mode. */
export function merge(own: IpRestrictionConfig, brought: IpRestrictionConfig): IpRestrictionConfig {
  const merged = mergeConfig(own, brought) as IpRestrictionConfig;
  const listOf = (list: 'allow' | 'deny', mode: 'whitelistMode' | 'blacklistMode') =>
    own[mode] === brought[mode] ? merged[list] : (own[mode] ? own : brought)[list];
  return {
    allow: listOf('allow', 'whitelistMode'),
    deny: listOf('deny', 'blacklistMode'),
    whitelistMode: own.whitelistMode || brought.whitelistMode,
    blacklistMode: own.blacklistMode || brought.blacklistMode,
    // It is asked with `allow` alone.
    allow_spiders: (brought.whitelistMode ? brought : own).allow_spiders,
  };
}
