import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, formatAddress, parseAddress, parseRange, rangeContains } from './address.ts';
import { buildAddressSet, matchAddressSet } from './address-set.ts';

const address = (text: string) => parseAddress(text) as Address;

/** The definition, without any cleverness: the longest prefix wins, of equal ones the first written. */
function matchNaively(entries: readonly string[], client: Address): string | undefined {
  let found: { entry: string; prefix: number } | undefined;
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range && rangeContains(range, client) && range.prefix > (found?.prefix ?? -1))
      found = { entry, prefix: range.prefix };
  }
  return found?.entry;
}

describe('address sets', () => {
  it('answer the narrowest entry as it was written', () => {
    const set = buildAddressSet(['8.0.0.0/8', '8.8.8.8', '8.8.8.1/24', '8.8.8.0/24', 'no address', '2606:4700::/32']);
    expect(set.size).toBe(4);
    const match = (text: string) => matchAddressSet(set, address(text));
    expect(match('8.8.8.8')).toBe('8.8.8.8');
    expect(match('8.8.8.9')).toBe('8.8.8.1/24');
    expect(match('8.8.9.0')).toBe('8.0.0.0/8');
    expect(match('9.0.0.0')).toBeUndefined();
    expect(match('7.255.255.255')).toBeUndefined();
    expect(match('2606:4700:ffff:ffff:ffff:ffff:ffff:ffff')).toBe('2606:4700::/32');
    expect(match('2606:4701::')).toBeUndefined();
    expect(match('2606:46ff:ffff::')).toBeUndefined();
  });

  it('match nothing when empty, and reach both ends of the address space', () => {
    expect(matchAddressSet(buildAddressSet([]), address('0.0.0.0'))).toBeUndefined();
    expect(matchAddressSet(buildAddressSet([]), address('::'))).toBeUndefined();
    const ends = buildAddressSet([
      '0.0.0.0',
      '255.255.255.255/32',
      '::/1',
      'ffff::/16',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ]);
    expect(matchAddressSet(ends, address('255.255.255.255'))).toBe('255.255.255.255/32');
    expect(matchAddressSet(ends, address('0.0.0.0'))).toBe('0.0.0.0');
    expect(matchAddressSet(ends, address('7fff::1'))).toBe('::/1');
    expect(matchAddressSet(ends, address('8000::'))).toBeUndefined();
    expect(matchAddressSet(ends, address('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))).toBe(
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    );
  });

  it('agree with a naive search on nested, touching and equal ranges', () => {
    // Few distinct values, so that ranges nest and touch often.
    const octet = fc.constantFrom(0, 1, 2, 127, 128, 254, 255);
    const group = fc.constantFrom('0', '1', '8000', 'ffff', '7fff', 'fffe');
    const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
    const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'));
    const entry = fc.oneof(
      ipv4,
      ipv6,
      fc.tuple(ipv4, fc.nat(32)).map(([base, prefix]) => `${base}/${prefix}`),
      fc.tuple(ipv6, fc.nat(128)).map(([base, prefix]) => `${base}/${prefix}`),
    );
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 40 }),
        fc.array(fc.oneof(ipv4, ipv6), { minLength: 1, maxLength: 20 }),
        (entries, clients) => {
          const set = buildAddressSet(entries);
          for (const text of clients) {
            const client = address(text);
            expect(matchAddressSet(set, client), formatAddress(client)).toBe(matchNaively(entries, client));
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});
