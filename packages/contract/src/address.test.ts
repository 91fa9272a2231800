import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AddressRange,
  formatAddress,
  formatRange,
  nextWords,
  parseAddress,
  parseRange,
  rangeContains,
  rangeContainsRange,
  rangesOverlap,
} from './address.ts';

const canonical = (text: string) => {
  const address = parseAddress(text);
  return address && formatAddress(address);
};
const canonicalRange = (text: string) => {
  const range = parseRange(text);
  return range && formatRange(range);
};
const range = (text: string) => parseRange(text) as AddressRange;

describe('parseAddress and formatAddress', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::0:1', '2001:db8::1'],
    ['0:0:0:0:0:0:1:0', '::1:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['0:0:0:0:0:FFFF:0102:0304', '1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
  ])('reads %s as %s', (text, expected) => expect(canonical(text)).toBe(expected));

  it.each([
    '',
    ':',
    ':::',
    '1',
    '1.2.3',
    '1.2.3.4.',
    '.1.2.3.4',
    '1..2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.-4',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '0x1.2.3.4',
    '1.2.3.4/32',
    '１.2.3.4',
    '1:2',
    ':1::',
    '1:::2',
    '::1::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '[::1]',
    '::1.2.3',
    '::01.2.3.4',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
  ])('refuses %j', (text) => expect(parseAddress(text)).toBeUndefined());

  it('agrees with Node on what an address is', () => {
    const character = fc.constantFrom(...'0123456789abcdefF:::...'.split(''));
    const text = fc.oneof(
      fc.string({ unit: character, minLength: 1, maxLength: 42 }),
      fc
        .array(fc.constantFrom('0', '1', '10', 'ffff', '::', ':', 'db8', '1.2.3.4'), { maxLength: 16 })
        .map((parts) => parts.join('')),
      fc
        .array(fc.constantFrom('0', '00', 'abcd', 'ffff', '', '1'), { minLength: 3, maxLength: 9 })
        .map((parts) => parts.join(':')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseAddress(candidate) !== undefined).toBe(isIPv4(candidate) || isIPv6(candidate));
      }),
      { numRuns: 5000 },
    );
  });

  it('reads what it has written, and writes IPv6 as URL does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const once = canonical(text) as string;
        expect(canonical(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const once = canonical(text) as string;
        // A mapped IPv4 address is written as such.
        fc.pre(once.includes(':'));
        expect(new URL(`http://[${text}]/`).hostname).toBe(`[${once}]`);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseRange', () => {
  it.each([
    ['8.8.8.0/24', '8.8.8.0/24', false],
    ['8.8.8.8/24', '8.8.8.0/24', true],
    ['8.8.8.8/32', '8.8.8.8', false],
    ['8.8.8.8', '8.8.8.8', false],
    ['255.255.255.255/0', '0.0.0.0/0', true],
    ['2606:4700::/32', '2606:4700::/32', false],
    ['2606:4700::1/32', '2606:4700::/32', true],
    ['2606:4700:ffff::/33', '2606:4700:8000::/33', true],
    ['::1/128', '::1', false],
    ['::/0', '::/0', false],
    ['::ffff:1.2.3.4/128', '1.2.3.4', false],
    ['::ffff:1.2.3.4/120', '1.2.3.0/24', true],
    ['::ffff:0:0/96', '0.0.0.0/0', false],
    ['::ffff:0:0/95', '::fffe:0:0/95', true],
  ])('reads %s as %s', (text, expected, hasHostBits) => {
    expect(canonicalRange(text)).toBe(expected);
    expect(range(text).hasHostBits).toBe(hasHostBits);
  });

  it.each([
    '',
    '/',
    '/24',
    '1.2.3.4/',
    '1.2.3.4/33',
    '::/129',
    '1.2.3.4/024',
    '1.2.3.4/+8',
    '1.2.3.4/8/8',
    '1.2.3/8',
    '1.2.3.4/1e1',
    '1.2.3.4-1.2.3.5',
    '::1/ 8',
  ])('refuses %j', (text) => expect(parseRange(text)).toBeUndefined());

  it('holds exactly the addresses that share the prefix', () => {
    const big = (words: readonly number[]) => words.reduce((sum, word) => sum * 4294967296n + BigInt(word), 0n);
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), fc.nat(128), fc.boolean(), (base, other, prefix, near) => {
        const block = range(`${base}/${prefix}`);
        fc.pre(block.family === 6);
        const address = parseAddress(near ? base : other);
        fc.pre(address !== undefined && address.family === 6);
        if (!address) return;
        const shift = BigInt(128 - prefix);
        expect(rangeContains(block, address)).toBe(big(address.words) >> shift === big(block.first) >> shift);
      }),
    );
  });
});

describe('relations of ranges', () => {
  it('contain at both boundaries and not past them', () => {
    const block = range('8.8.8.0/24');
    const contains = (text: string) => rangeContains(block, parseAddress(text) ?? { family: 6, words: [0, 0, 0, 0] });
    expect(['8.8.7.255', '8.8.8.0', '8.8.8.255', '8.8.9.0', '::8.8.8.8'].map(contains)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('know inside from overlapping', () => {
    expect(rangeContainsRange(range('8.8.0.0/16'), range('8.8.8.0/24'))).toBe(true);
    expect(rangeContainsRange(range('8.8.8.0/24'), range('8.8.0.0/16'))).toBe(false);
    expect(rangesOverlap(range('8.8.8.0/24'), range('8.8.0.0/16'))).toBe(true);
    expect(rangesOverlap(range('8.8.8.0/24'), range('8.8.9.0/24'))).toBe(false);
    expect(rangesOverlap(range('::/0'), range('0.0.0.0/0'))).toBe(false);
  });

  it('carry when counting on', () => {
    expect(nextWords([1, 2, 4294967295, 4294967295])).toEqual([1, 3, 0, 0]);
    expect(nextWords([4294967295])).toBeUndefined();
  });
});
