import { formatRange, parseRange } from '@cordon/contract/address';

/** What was typed, as the API writes it. */
export function canonicalNetwork(network: string): string {
  const range = parseRange(network.trim());
  return range ? formatRange(range) : network;
}
