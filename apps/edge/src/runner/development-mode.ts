import type { Address } from '@cordon/plugin-kit/edge';
import { DEVELOPMENT_FEED } from '@cordon/plugin-kit/feeds';
import { keyTag, networkKey } from './network-key.ts';

/** Development mode: a switch among the feeds (feeds.ts), of which most routes have none, and pay nothing. */
const feeds = ngx.shared.cordon_feeds as SharedDict;

/** Where the memory of feeds has the switch of a route: whether there is one at all, and until when. */
export interface DevelopmentSwitch {
  readonly tag: string;
  readonly key: string;
}

/** `SWITCH_NETWORK`. */
const SWITCH_BLOCK: Address = { family: 4, words: [0] };

export function developmentSwitch(routeId: string): DevelopmentSwitch {
  const tag = keyTag(`${DEVELOPMENT_FEED} ${routeId}`);
  return { tag, key: networkKey(SWITCH_BLOCK, 0, tag) };
}

/** To be asked once for a generation: one that ends by its time is here until the agent says otherwise. */
export const mayBeInDevelopment = ({ tag }: DevelopmentSwitch): boolean => feeds.get(tag) !== undefined;

/** What has ended by its time is not there. */
export const isInDevelopment = ({ key }: DevelopmentSwitch): boolean => feeds.get(key) !== undefined;
