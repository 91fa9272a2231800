import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const banned = (rule: string) => ({ verdict: 'block', status: 403, reason: 'banned', rule }) as const;

export const cases: readonly Case[] = [
  { name: 'who is not banned passes', config: {}, request: {}, expect: { verdict: 'pass' } },
  {
    name: 'a banned address is refused',
    config: {},
    feeds: { bans: ['198.51.100.9'] },
    request: { from: '198.51.100.9' },
    expect: banned('198.51.100.9'),
  },
  {
    name: 'its neighbour passes',
    config: {},
    feeds: { bans: ['198.51.100.9'] },
    request: { from: '198.51.100.10' },
    expect: { verdict: 'pass' },
  },
  {
    name: 'a banned range is refused, by its narrowest entry',
    config: {},
    feeds: { bans: ['198.51.0.0/16', '198.51.100.0/24', '203.0.113.0/24'] },
    request: { from: '198.51.100.9' },
    expect: banned('198.51.100.0/24'),
  },
  {
    name: 'every address of a banned /64 is refused',
    config: {},
    feeds: { bans: ['2606:4700::/64'] },
    request: { from: '2606:4700::abcd' },
    expect: banned('2606:4700::/64'),
  },
  {
    name: 'a banned IPv6 address is one address',
    config: {},
    feeds: { bans: ['2606:4700::1'] },
    request: { from: '2606:4700::2' },
    expect: { verdict: 'pass' },
  },
  {
    name: 'and is refused',
    config: {},
    feeds: { bans: ['2606:4700::1', '2606:4700:1::/48'] },
    request: { from: '2606:4700::1' },
    expect: banned('2606:4700::1'),
  },
  {
    name: 'an IPv4 range says nothing of IPv6',
    config: {},
    feeds: { bans: ['198.51.0.0/16'] },
    request: { from: '2606:4700::1' },
    expect: { verdict: 'pass' },
  },
];
