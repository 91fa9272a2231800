import { type Address, type AddressRange, blockOf } from '@cordon/contract/address';

/** Bits of an IPv6 address that distinguish clients: a household or server has a /64 to itself (RFC 6177). */
export const CLIENT_PREFIX_6 = 64;

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientNetworkOf = ({ family, words }: Address): AddressRange =>
  blockOf(family, words, family === 4 ? 32 : CLIENT_PREFIX_6);
