import type { CaseRequest, PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const limit = { maxretry: 3, findtime: 60, bantime: '10m' } as const;
const passes = { verdict: 'pass' } as const;
const challenged = (way: 'js' | 'puzzle' = 'puzzle') =>
  ({ verdict: 'challenge', way, reason: 'too_many_requests', rule: '', answer: { status: 403 } }) as const;
const ofOther: CaseRequest = { from: '198.51.100.9' };

export const cases: readonly Case[] = [
  {
    name: 'one request less than the limit passes',
    config: limit,
    before: [{ request: {} }],
    request: {},
    expect: passes,
  },
  {
    name: 'the request that reaches the limit is challenged',
    config: limit,
    before: [{ request: {}, times: 2 }],
    request: {},
    expect: challenged(),
  },
  {
    name: 'requests for any path and with any method count',
    config: limit,
    before: [{ request: { path: '/a' } }, { request: { path: '/b?c=d', method: 'POST' } }],
    request: { path: '/c' },
    expect: challenged(),
  },
  {
    name: 'those of another client do not count',
    config: limit,
    before: [{ request: ofOther, times: 5 }],
    request: {},
    expect: passes,
  },
  {
    name: 'one /64 is one client',
    config: limit,
    before: [{ request: { from: '2606:4700::1' } }, { request: { from: '2606:4700::2' } }],
    request: { from: '2606:4700:0:0:ffff::3' },
    expect: challenged(),
  },
  {
    name: 'work is enough where it is asked for',
    config: { ...limit, mode: 'js' },
    before: [{ request: {}, times: 2 }],
    request: {},
    expect: challenged('js'),
  },
  {
    name: 'a client that has proved itself passes beyond the limit',
    config: limit,
    before: [{ request: {}, times: 5 }],
    request: { proved: 'puzzle' },
    expect: passes,
  },
  {
    name: 'work is no proof where a puzzle is asked for',
    config: limit,
    before: [{ request: {}, times: 2 }],
    request: { proved: 'js' },
    expect: challenged(),
  },
  {
    name: 'a proof is used up by as many requests',
    config: limit,
    before: [
      { request: {}, times: 5 },
      { request: { proved: 'puzzle' }, times: 2 },
    ],
    request: { proved: 'puzzle' },
    expect: challenged(),
  },
  {
    name: 'a client without a proof uses up none of others at its address',
    config: limit,
    before: [{ request: { proved: 'puzzle' } }, { request: {}, times: 5 }],
    request: { proved: 'puzzle' },
    expect: passes,
  },
  {
    name: 'nor does a proof use up what a client has without one',
    config: limit,
    before: [{ request: { proved: 'puzzle' }, times: 5 }],
    request: {},
    expect: passes,
  },
  {
    name: 'requests longer ago than findtime do not count',
    config: limit,
    before: [{ request: {}, times: 2, secondsBefore: 61 }],
    request: {},
    expect: passes,
  },
  {
    name: 'findtime is what the settings say',
    config: { ...limit, findtime: 5 },
    before: [{ request: {}, times: 2, secondsBefore: 6 }],
    request: {},
    expect: passes,
  },
  {
    name: 'so is maxretry, however short bantime',
    config: { ...limit, maxretry: 2, bantime: '30s' },
    before: [{ request: {} }],
    request: {},
    expect: challenged(),
  },
  {
    name: 'a client has to prove itself for bantime, also when it sends less',
    config: limit,
    before: [{ request: {}, times: 3, secondsBefore: 500 }],
    request: {},
    expect: challenged(),
  },
  {
    name: 'a search engine is not challenged',
    config: limit,
    before: [{ request: { from: '66.249.66.1', crawler: 'google' }, times: 5 }],
    request: { from: '66.249.66.1', crawler: 'google' },
    expect: passes,
  },
  {
    name: 'what claims to be a search engine while DNS does not tell is asked to come back',
    config: limit,
    before: [{ request: { isPossibleCrawler: true }, times: 3 }],
    request: { isPossibleCrawler: true },
    expect: { verdict: 'block', status: 503, reason: 'crawler_unknown', rule: '' },
  },
  {
    name: 'one that has proved itself is challenged as others are once its proof is used up',
    config: limit,
    before: [{ request: { isPossibleCrawler: true, proved: 'puzzle' }, times: 2 }],
    request: { isPossibleCrawler: true, proved: 'puzzle' },
    expect: challenged(),
  },
];
