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
  exceptions(schema.parse(config), { path: '/', address, reason, rule });

it('takes the entry that matched out of the block list, and no other', () => {
  const config = { blacklistMode: true, deny: ['198.41.128.0/24', '9.9.9.9'] };
  const [way] = waysOf(config, 'in_deny_list', '198.41.128.0/24');
  expect(way).toMatchObject({ message: 'exceptions.deny', params: { rule: '198.41.128.0/24' } });
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
