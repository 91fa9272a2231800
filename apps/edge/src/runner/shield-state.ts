import { type AddressSet, buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import type { Address } from '@cordon/plugin-kit/edge';
import { currentGeneration } from './generation.ts';
import { settingsAt } from './settings.ts';

/** What this node knows of shields besides the settings: whether it may be one, which of the others are down, what it has changed itself. */
const meta = ngx.shared.cordon_meta as SharedDict;
/** What was used longest ago goes where there is no room. */
const state = ngx.shared.cordon_shields as SharedDict;

const LEASE = 'shield until';

/** For so long this node knows what is cleared (shield-lease.ts of the agent). */
export function grantLease(milliseconds: number): void {
  meta.safe_set(LEASE, ngx.now() + milliseconds / 1000);
}

export const hasLease = (): boolean => ((meta.get(LEASE) ?? 0) as number) > ngx.now();

const DOWN_SECONDS = 5;

export function noteDown(node: string, seconds: number = DOWN_SECONDS): void {
  state.set(`down ${node}`, 1, seconds);
}

export const isShieldDown = (node: string): boolean => state.get(`down ${node}`) !== undefined;

/** As long as what was stored may be there (`ENTRY_SECONDS` of cache-clears.ts). */
const CHANGED_SECONDS = 7 * 86_400 + 3600;
const changedKey = (routeId: string, url: string): string => `changed ${routeId} ${ngx.md5(url)}`;

/** A request that passed this node has changed what is behind the URL, of which shields know nothing: it is fetched from the origin for so long. */
export function noteChanged(routeId: string, czone: string, url: string, seconds: number = CHANGED_SECONDS): void {
  const shields = settingsAt(currentGeneration())?.shields?.[czone];
  const key = changedKey(routeId, url);
  if (shields !== undefined && (state.ttl(key) ?? 0) < seconds) state.set(key, 1, seconds);
}

export const isChangedHere = (routeId: string, url: string): boolean =>
  state.get(changedKey(routeId, url)) !== undefined;

/** False: it has come before. */
export function isFirst(nonce: string, seconds: number): boolean {
  const [isNew, error] = state.add(`nonce ${nonce}`, 1, seconds);
  return isNew === true && error === undefined;
}

let peers: AddressSet | undefined;
let peersGeneration = -1;

/** Whether it is the address of a node, on a shield, which many ask much of. */
export function isPeerNode(address: Address): boolean {
  const generation = currentGeneration();
  if (generation !== peersGeneration) {
    const addresses = settingsAt(generation)?.peer_addresses;
    peers = addresses === undefined ? undefined : buildAddressSet(addresses);
    peersGeneration = generation;
  }
  return peers !== undefined && matchAddressSet(peers, address) !== undefined;
}
