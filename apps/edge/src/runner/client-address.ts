import { type Address, formatAddress, parseAddress } from '@cordon/contract/address';
import { type AddressSet, matchAddressSet } from '@cordon/contract/address-set';
import { newMemory, remember } from './worker-memory.ts';

/** Entries of `X-Forwarded-For` that are looked at, from the last; more hops of our own are not believed in. */
const HOPS_MAX = 32;
const COMMA = 44;

/** Parsed addresses by text. */
const parsed = newMemory<string, Address>(20_000);
const NOWHERE: Address = { family: 4, words: [0] };

/** Address of a text that nginx or this file has found to be one. */
export const addressOf = (text: string): Address =>
  parsed.entries.get(text) ?? remember(parsed, text, parseAddress(text) ?? NOWHERE);

/**
 * The client according to `X-Forwarded-For`: its last entry that is no trusted proxy, provided that `peer` is one. An
 * entry that is no address ends the walk: what stands left of it may be forged.
 */
export function forwardedClient(peer: string, forwarded: string, trusted: AddressSet): string {
  let client = peer;
  let end = forwarded.length;
  for (let hops = 0; hops < HOPS_MAX && end >= 0; hops++) {
    let start = end;
    while (start > 0 && forwarded.charCodeAt(start - 1) !== COMMA) start--;
    const address = parseAddress(forwarded.substring(start, end).trim());
    if (address === undefined) return client;
    client = formatAddress(address);
    if (matchAddressSet(trusted, address) === undefined) return client;
    end = start - 1;
  }
  return client;
}

/** Text without the prefix of an IPv4-mapped address, as a dual-stack socket reports it. */
export function canonicalPeer(peer: string): string {
  if (!peer.startsWith('::ffff:')) return peer;
  const address = parseAddress(peer);
  return address === undefined ? peer : formatAddress(address);
}
