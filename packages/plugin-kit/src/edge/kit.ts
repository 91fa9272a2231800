import { parseRange } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet } from '@cordon/contract/address-set';
import { specialRangeKind } from '@cordon/contract/special-address';
import type { EdgeKit } from './context.ts';

function addressSetOfCustomer(this: void, entries: readonly string[]): AddressSet {
  const ordinary: string[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range !== undefined && specialRangeKind(range) === undefined) ordinary.push(entry);
  }
  return buildAddressSet(ordinary);
}

/** The kit itself, the same in Node and, emitted as Lua, in nginx. */
export const edgeKit: EdgeKit = { addressSet: addressSetOfCustomer };
