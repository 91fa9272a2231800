import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const allowed = (rule: string) => ({ verdict: 'allow', reason: 'allow_listed', rule }) as const;

export const cases: readonly Case[] = [
  { name: 'who is not on the list is judged by the others', config: {}, request: {}, expect: { verdict: 'pass' } },
  {
    name: 'an address of the list passes all protection',
    config: {},
    feeds: { allowed: ['198.51.100.9'] },
    request: { from: '198.51.100.9' },
    expect: allowed('198.51.100.9'),
  },
  {
    name: 'its neighbour does not',
    config: {},
    feeds: { allowed: ['198.51.100.9'] },
    request: { from: '198.51.100.8' },
    expect: { verdict: 'pass' },
  },
  {
    name: 'a range passes, by its narrowest entry',
    config: {},
    feeds: { allowed: ['198.51.0.0/16', '198.51.100.0/24', '203.0.113.0/24'] },
    request: { from: '198.51.100.9' },
    expect: allowed('198.51.100.0/24'),
  },
  {
    name: 'both ends of a range are in it',
    config: {},
    feeds: { allowed: ['198.51.100.8/30'] },
    request: { from: '198.51.100.11' },
    expect: allowed('198.51.100.8/30'),
  },
  {
    name: 'and what follows is not',
    config: {},
    feeds: { allowed: ['198.51.100.8/30'] },
    request: { from: '198.51.100.12' },
    expect: { verdict: 'pass' },
  },
  {
    name: 'every address of a /64 passes',
    config: {},
    feeds: { allowed: ['2606:4700::/64'] },
    request: { from: '2606:4700::abcd' },
    expect: allowed('2606:4700::/64'),
  },
  {
    name: 'an IPv6 address is one address',
    config: {},
    feeds: { allowed: ['2606:4700::1'] },
    request: { from: '2606:4700::2' },
    expect: { verdict: 'pass' },
  },
  {
    name: 'an IPv4 range says nothing of IPv6',
    config: {},
    feeds: { allowed: ['198.51.0.0/16'] },
    request: { from: '2606:4700::1' },
    expect: { verdict: 'pass' },
  },
];
