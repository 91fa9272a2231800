import {
  type Address,
  type AddressRange,
  parseRange,
  rangeContainsRange,
  rangesOverlap,
  singleAddressRange,
} from './address.ts';

/** Why an address cannot be a host on the public internet. */
export type SpecialAddressKind =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link_local'
  | 'multicast'
  | 'documentation'
  | 'translation'
  | 'metadata'
  | 'reserved';

/**
 * IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) with the multicast and reserved blocks, but
 * without the entries that are ordinary destinations on the public internet (AS112, AMT, 2620:4f:8000::/48). The
 * first row that holds an address gives its kind. IPv4-mapped addresses are IPv4 here.
 */
const SPECIAL_BLOCKS: readonly (readonly [string, SpecialAddressKind])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'translation'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['224.0.0.0/3', 'reserved'],
  // Azure's host endpoint: a public number that every machine there reaches as its own platform.
  ['168.63.129.16', 'metadata'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['64:ff9b::/96', 'translation'],
  ['64:ff9b:1::/48', 'translation'],
  ['2001::/32', 'translation'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'reserved'],
  ['2002::/16', 'translation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
];

interface SpecialBlock {
  readonly range: AddressRange;
  readonly kind: SpecialAddressKind;
}

function readBlocks(): SpecialBlock[] {
  const blocks: SpecialBlock[] = [];
  for (const row of SPECIAL_BLOCKS) blocks.push({ range: parseRange(row[0]) as AddressRange, kind: row[1] });
  return blocks;
}

const blocks = readBlocks();
/** The only IPv6 block that global unicast addresses are allocated from (RFC 4291 2.4, IANA). */
const globalUnicast6 = parseRange('2000::/3') as AddressRange;

/** Why no address of the range can be a host on the public internet; undefined when one can. */
export function specialRangeKind(range: AddressRange): SpecialAddressKind | undefined {
  for (const block of blocks) {
    if (rangeContainsRange(block.range, range)) return block.kind;
  }
  return range.family === 6 && !rangesOverlap(globalUnicast6, range) ? 'reserved' : undefined;
}

/**
 * Why the address cannot be a host on the public internet; undefined when it can. The API and the edge refuse to
 * connect to special addresses (security design, "Requests we make").
 */
export function specialAddressKind(address: Address): SpecialAddressKind | undefined {
  return specialRangeKind(singleAddressRange(address));
}
