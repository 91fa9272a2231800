import { type Address, blockOf, formatRange, parseRange, rangeContains } from '@cordon/contract/address';

/**
 * The blocks, narrowest last, that hold every address of an entry but one: as many as the prefix of a single address is longer than
 * the entry's. Undefined where the entry does not hold it.
 */
export function withoutAddress(entry: string, { family, words }: Address): readonly string[] | undefined {
  const range = parseRange(entry);
  if (range === undefined || !rangeContains(range, { family, words })) return undefined;
  const blocks: string[] = [];
  for (let prefix = range.prefix + 1; prefix <= words.length * 32; prefix++) {
    const at = Math.floor((prefix - 1) / 32);
    const bit = 2 ** (31 - ((prefix - 1) % 32));
    const word = words[at] as number;
    const isSet = Math.floor(word / bit) % 2 === 1;
    const other = words.map((one, index) => (index === at ? word + (isSet ? -bit : bit) : one));
    blocks.push(formatRange(blockOf(family, other, prefix)));
  }
  return blocks;
}
