// By path, because the edge's build emits Lua only for modules that it reaches by path.
import { parseRange } from '../../../contract/src/address.ts';
import { type AddressSet, buildAddressSet } from '../../../contract/src/address-set.ts';
import { specialRangeKind } from '../../../contract/src/special-address.ts';
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
