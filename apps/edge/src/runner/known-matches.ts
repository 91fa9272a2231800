import type { Address } from '@cordon/contract/address';
import { type AddressSet, matchAddressSet } from '@cordon/contract/address-set';

/**
 * What sets hold of the addresses that came lately, by the objects that `addressOf` keeps. Sets that no route has any more
 * are let go.
 */
const weakKeys = { __mode: 'k' } as const;
let known = setmetatable(new LuaTable<AddressSet, LuaTable<Address, string>>(), weakKeys);
let knownCount = 0;
const KNOWN_MAX = 20_000;
const NONE = '';

function search(set: AddressSet, address: Address): string {
  const entry = matchAddressSet(set, address) ?? NONE;
  if (knownCount >= KNOWN_MAX) {
    known = setmetatable(new LuaTable(), weakKeys);
    knownCount = 0;
  }
  let entries = known.get(set) as LuaTable<Address, string> | undefined;
  if (entries === undefined) {
    entries = new LuaTable();
    known.set(set, entries);
  }
  entries.set(address, entry);
  knownCount++;
  return entry;
}

/** `matchAddressSet`, without a search for what has been looked for. */
export function matchAgain(set: AddressSet, address: Address): string | undefined {
  if (set.size === 0) return undefined;
  const entries = known.get(set) as LuaTable<Address, string> | undefined;
  const entry = (entries?.get(address) as string | undefined) ?? search(set, address);
  return entry === NONE ? undefined : entry;
}
