import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const passes = { verdict: 'pass' } as const;
const challenged = (rule = '.*') =>
  ({ verdict: 'challenge', way: 'js', reason: 'proof_required', rule, answer: { status: 403 } }) as const;

export const cases: readonly Case[] = [
  { name: 'a visitor that has not proved itself is challenged', config: {}, request: {}, expect: challenged() },
  {
    name: 'with any method, and for any path',
    config: {},
    request: { method: 'POST', path: '/cart?add=1' },
    expect: challenged(),
  },
  { name: 'one that has proved itself passes', config: {}, request: { proved: 'js' }, expect: passes },
  { name: 'one that has solved a puzzle passes as well', config: {}, request: { proved: 'puzzle' }, expect: passes },
  {
    name: 'where a puzzle is asked for, work is not enough',
    config: { mode: 'puzzle' },
    request: { proved: 'js' },
    expect: { verdict: 'challenge', way: 'puzzle', reason: 'proof_required', rule: '.*' },
  },
  {
    name: 'and a solved puzzle is',
    config: { mode: 'puzzle' },
    request: { proved: 'puzzle' },
    expect: passes,
  },
  {
    name: 'where Google is to be asked, work is not enough either',
    config: { mode: 'google_recaptcha' },
    request: { proved: 'js' },
    expect: {
      verdict: 'challenge',
      way: 'google_recaptcha',
      reason: 'proof_required',
      rule: '.*',
      answer: { status: 403 },
    },
  },
  {
    name: 'and one whom Google takes for human passes',
    config: { mode: 'google_recaptcha' },
    request: { proved: 'google_recaptcha' },
    expect: passes,
  },
  {
    name: 'and so does one that has solved a puzzle',
    config: { mode: 'google_recaptcha' },
    request: { proved: 'puzzle' },
    expect: passes,
  },
  {
    name: 'Google is not enough where a puzzle is asked for',
    config: { mode: 'puzzle' },
    request: { proved: 'google_recaptcha' },
    expect: { verdict: 'challenge', way: 'puzzle', reason: 'proof_required', rule: '.*' },
  },
  {
    name: 'but it is where work is',
    config: {},
    request: { proved: 'google_recaptcha' },
    expect: passes,
  },
  {
    name: 'a proof holds for as long as it is set to',
    config: { pass_time: '5m' },
    request: { proved: 'js', provedSecondsBefore: 240 },
    expect: passes,
  },
  {
    name: 'and no longer',
    config: { pass_time: '5m' },
    request: { proved: 'js', provedSecondsBefore: 300 },
    expect: challenged(),
  },
  {
    name: 'hours, where it is set to hours',
    config: { pass_time: '2h' },
    request: { proved: 'js', provedSecondsBefore: 7_000 },
    expect: passes,
  },
  {
    name: 'which end as well',
    config: { pass_time: '2h' },
    request: { proved: 'js', provedSecondsBefore: 7_200 },
    expect: challenged(),
  },
  {
    name: 'paths that the pattern is not found in are left alone',
    config: { path: '^/account' },
    request: { path: '/blog' },
    expect: passes,
  },
  {
    name: 'those that it is found in are not, however they are written',
    config: { path: '^/account' },
    request: { path: '//%61ccount/./orders' },
    expect: challenged('^/account'),
  },
  {
    name: 'nor those that only some origins read so',
    config: { path: '^/account' },
    request: { path: '/blog/..;/account' },
    expect: challenged('^/account'),
  },
  {
    name: 'a proved search engine passes',
    config: {},
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'one that DNS does not prove for now is asked to come back',
    config: {},
    request: { isPossibleCrawler: true },
    expect: { verdict: 'block', status: 503, reason: 'crawler_unknown', rule: '.*' },
  },
  {
    name: 'one that DNS does not tell of and that has proved itself passes',
    config: {},
    request: { isPossibleCrawler: true, proved: 'js' },
    expect: passes,
  },
];
