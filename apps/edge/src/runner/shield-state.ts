import { type AddressSet, buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import type { Address } from '@cordon/plugin-kit/edge';
import { currentGeneration } from './generation.ts';
import { settingsAt } from './settings.ts';

/** What this node knows of shields besides the settings: whether it may be one, which of the others are down, which requests of nodes have come. */
const meta = ngx.shared.cordon_meta as SharedDict;
/** The oldest go where there is no room. */
const nonces = ngx.shared.cordon_shield_nonces as SharedDict;

const LEASE = 'shield until';

/** For so long this node knows what is cleared (shield-lease.ts of the agent). */
export function grantLease(milliseconds: number): void {
  meta.safe_set(LEASE, ngx.now() + milliseconds / 1000);
}

export const hasLease = (): boolean => ((meta.get(LEASE) ?? 0) as number) > ngx.now();

const DOWN_SECONDS = 5;

export function noteDown(node: string, seconds: number = DOWN_SECONDS): void {
  meta.safe_set(`down ${node}`, 1, seconds);
}

export const isShieldDown = (node: string): boolean => meta.get(`down ${node}`) !== undefined;

/** False: it has come before. */
export function isFirst(nonce: string, seconds: number): boolean {
  const [isNew, error] = nonces.add(nonce, 1, seconds);
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
