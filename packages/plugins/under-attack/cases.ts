import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const feeds = { 'under-attack': ['0.0.0.0/0', '::/0'] };
const passes = { verdict: 'pass' } as const;
const challenged = (way: 'js' | 'puzzle' = 'js') =>
  ({ verdict: 'challenge', way, reason: 'under_attack', rule: '', answer: { status: 403 } }) as const;

export const cases: readonly Case[] = [
  { name: 'visitors pass while there is no attack', config: {}, request: {}, expect: passes },
  { name: 'under attack they are challenged', config: {}, feeds, request: {}, expect: challenged() },
  {
    name: 'from IPv6 as well, with any method and for any path',
    config: {},
    feeds,
    request: { from: '2606:4700::7', method: 'POST', path: '/api/orders' },
    expect: challenged(),
  },
  {
    name: 'by a puzzle where that is asked for',
    config: { mode: 'puzzle' },
    feeds,
    request: { proved: 'js' },
    expect: challenged('puzzle'),
  },
  { name: 'one that has proved itself passes', config: {}, feeds, request: { proved: 'js' }, expect: passes },
  {
    name: 'a proved search engine passes',
    config: {},
    feeds,
    request: { from: '66.249.66.1', crawler: 'google' },
    expect: passes,
  },
  {
    name: 'one that DNS does not prove for now is asked to come back',
    config: {},
    feeds,
    request: { isPossibleCrawler: true },
    expect: { verdict: 'block', status: 503, reason: 'crawler_unknown', rule: '' },
  },
  {
    name: 'one that DNS does not tell of and that has proved itself passes',
    config: {},
    feeds,
    request: { isPossibleCrawler: true, proved: 'js' },
    expect: passes,
  },
];
