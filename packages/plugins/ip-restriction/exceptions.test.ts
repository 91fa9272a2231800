import { runCase } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { exceptions } from './exceptions.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

type Config = z.input<typeof schema>;
const address = '198.41.128.7';
const verdictOf = (config: unknown, from: string) =>
  runCase(definition, handler, {
    name: '',
    config: config as Config,
    request: { from },
    expect: { verdict: 'pass' },
  }).verdict;
const waysOf = (config: Config, reason: string, rule: string) =>
  exceptions(schema.parse(config), { paths: ['/'], address, reason, rule });

it('takes one address out of a range first, and leaves all others of it blocked', () => {
  const config = { blacklistMode: true, deny: ['9.9.9.9', '198.41.128.0/24', '8.8.8.8'] };
  const [way] = waysOf(config, 'in_deny_list', '198.41.128.0/24');
  expect(way).toMatchObject({ message: 'exceptions.one', params: { address, rule: '198.41.128.0/24', blocks: 8 } });
  expect(schema.safeParse(way?.config).success).toBe(true);
  const { deny } = schema.parse(way?.config);
  expect([deny.length, deny[0], deny.at(-1)]).toEqual([10, '9.9.9.9', '8.8.8.8']);
  const passing = Array.from({ length: 256 }, (_, last) => `198.41.128.${last}`).filter(
    (from) => verdictOf(way?.config, from) === 'pass',
  );
  expect(passing).toEqual([address]);
});

it.each([
  ['2606:4700::/32', '2606:4700:1::7', 96],
  ['2606:4700::6/127', '2606:4700::7', 1],
])('does so in IPv6: %s', (rule, from, blocks) => {
  const config = { blacklistMode: true, deny: [rule] };
  const [way] = exceptions(schema.parse(config), {
    paths: ['/'],
    address: from,
    reason: 'in_deny_list',
    rule,
  });
  expect(way?.params).toMatchObject({ blocks });
  expect(schema.safeParse(way?.config).success).toBe(true);
  expect([verdictOf(config, from), verdictOf(way?.config, from)]).toEqual(['block', 'pass']);
  const others = ['2606:4700::6', '2606:4700:1::6', '2606:4700:1:0:8000::7', '2606:4700:ffff::'];
  for (const other of others) expect(verdictOf(way?.config, other)).toBe(verdictOf(config, other));
});

it('allows the address, too, where only allowed ones pass, and then offers no more than that', () => {
  const config = { blacklistMode: true, whitelistMode: true, allow: ['9.9.9.9'], deny: ['198.41.128.0/24'] };
  const ways = waysOf(config, 'in_deny_list', '198.41.128.0/24');
  expect(ways.map(({ message }) => message)).toEqual(['exceptions.one']);
  expect(verdictOf(ways[0]?.config, address)).toBe('pass');
  expect(verdictOf(ways[0]?.config, '198.41.128.8')).toBe('block');
  const single = waysOf({ ...config, deny: [address] }, 'in_deny_list', address);
  expect(single.map(({ config: changed }) => verdictOf(changed, address))).toEqual(['pass']);
});

it('splits nothing where the list has no room for what that makes', () => {
  const deny = Array.from({ length: 9_995 }, (_, at) => `9.${at >> 8}.${at & 255}.1`);
  const ways = waysOf({ blacklistMode: true, deny: [...deny, '198.41.128.0/24'] }, 'in_deny_list', '198.41.128.0/24');
  expect(ways.map(({ message }) => message)).toEqual(['exceptions.deny_range']);
});

it.each([
  ['198.41.128.0/24', ['9.9.9.9'], 'exceptions.deny_range', { count: 256 }],
  ['198.41.128.0/24', [], 'exceptions.off_range', { count: 256 }],
  ['198.0.0.0/8', ['9.9.9.9'], 'exceptions.deny_range', { count: 16_777_216 }],
])('says of %s beside %j how many addresses it lets in', (rule, others, message, count) => {
  const ways = waysOf({ blacklistMode: true, deny: [...others, rule] }, 'in_deny_list', rule);
  expect(ways.at(-1)).toMatchObject({ message, params: { rule, ...count } });
});

it('says of a wide network of IPv6 which power of two it is', () => {
  const rule = '2606:4700::/32';
  const request = { paths: ['/'], address: '2606:4700::1', reason: 'in_deny_list', rule };
  const ways = exceptions(schema.parse({ blacklistMode: true, deny: [rule, '9.9.9.9'] }), request);
  expect(ways.at(-1)).toMatchObject({ message: 'exceptions.deny_network', params: { rule, power: 96 } });
});

it('takes the whole entry that matched out of the block list last, and no other', () => {
  const config = { blacklistMode: true, deny: ['198.41.128.0/24', '9.9.9.9'] };
  const way = waysOf(config, 'in_deny_list', '198.41.128.0/24').at(-1);
  expect(way).toMatchObject({ message: 'exceptions.deny_range', params: { rule: '198.41.128.0/24' } });
  expect(verdictOf(config, address)).toBe('block');
  expect(verdictOf(way?.config, address)).toBe('pass');
  expect(verdictOf(way?.config, '9.9.9.9')).toBe('block');
});

it('adds the address to the allow list that it is missing from', () => {
  const config = { whitelistMode: true, allow: ['9.9.9.9'] };
  const [way] = waysOf(config, 'not_in_allow_list', '');
  expect(way).toMatchObject({ message: 'exceptions.allow', params: { address } });
  expect(verdictOf(way?.config, address)).toBe('pass');
  expect(verdictOf(way?.config, '198.41.128.8')).toBe('block');
});

it('turns the plugin off where the entry is the only one', () => {
  const ways = waysOf({ blacklistMode: true, deny: [address] }, 'in_deny_list', address);
  expect(ways).toMatchObject([{ message: 'exceptions.off', params: { rule: address }, isOff: true }]);
  expect(
    waysOf({ blacklistMode: true, whitelistMode: true, allow: ['9.9.9.9'], deny: [address] }, 'in_deny_list', address),
  ).toMatchObject([{ message: 'exceptions.deny', config: { deny: [] } }]);
});

it('has none where the entry is gone, or the address is allowed already', () => {
  expect(waysOf({ blacklistMode: true, deny: ['9.9.9.9'] }, 'in_deny_list', '198.41.128.7')).toEqual([]);
  expect(waysOf({ whitelistMode: true, allow: [address] }, 'not_in_allow_list', '')).toEqual([]);
});
