import { formatAddress, formatRange, parseAddress, parseRange } from '@cordon/contract/address';
import { buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import { specialRangeKind } from '@cordon/contract/special-address';

/** All that the contract knows about a text, in one line. Runs in Node and, emitted as Lua, under LuaJIT. */
export function describeText(text: string): string {
  const address = parseAddress(text);
  const range = parseRange(text);
  const addressText = address === undefined ? '-' : formatAddress(address);
  if (range === undefined) return `${addressText} -`;
  const kind = specialRangeKind(range);
  return `${addressText} ${formatRange(range)} ${range.hasHostBits ? 'host bits' : 'exact'} ${kind === undefined ? 'ordinary' : kind}`;
}

/** The entry that each client matches, by line. */
export function matchAll(entries: readonly string[], clients: readonly string[]): string {
  const set = buildAddressSet(entries);
  let lines = `${set.size}`;
  for (const client of clients) {
    const address = parseAddress(client);
    const entry = address === undefined ? 'no address' : matchAddressSet(set, address);
    lines += `\n${entry === undefined ? '-' : entry}`;
  }
  return lines;
}
