import { type Address, formatAddress, parseAddress } from '@cordon/contract/address';
import { type AddressSet, matchAddressSet } from '@cordon/contract/address-set';

/** Entries of `X-Forwarded-For` that are looked at, from the last; more hops of our own are not believed in. */
const HOPS_MAX = 32;
const COMMA = 44;

/** Parsed addresses by text. Emptied when it has grown: an attack from many addresses must not fill the memory. */
let parsed = new LuaTable<string, Address>();
let parsedCount = 0;
const PARSED_MAX = 20000;
const NOWHERE: Address = { family: 4, words: [0] };

/** Address of a text that nginx or this file has found to be one. */
export function addressOf(text: string): Address {
  const known = parsed.get(text) as Address | undefined;
  if (known !== undefined) return known;
  const address = parseAddress(text) ?? NOWHERE;
  if (parsedCount >= PARSED_MAX) {
    parsed = new LuaTable();
    parsedCount = 0;
  }
  parsed.set(text, address);
  parsedCount++;
  return address;
}

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
