import { createHmac } from 'node:crypto';
import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import { SIGNATURE_ARGUMENT, TIME_ARGUMENT } from './link.ts';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const secret = 'a-secret-of-the-cases';
const config = { path: '^/files/', api_secret: secret, sleep_seconds: 5, expire_seconds: 300 };
const atOnce = { ...config, sleep_seconds: 0 };

const sign = (path: string, ts: number | string, key = secret) =>
  createHmac('sha256', key).update(`${path}\n${ts}`).digest('hex');

/** A link that was signed so many seconds ago; `asked` in place of the path that was signed. */
const link =
  (path: string, { ago = 10, asked = path, key = secret, more = '' } = {}) =>
  (now: number) =>
    `${asked}?${more}${TIME_ARGUMENT}=${now - ago}&${SIGNATURE_ARGUMENT}=${sign(path, now - ago, key)}`;

const passes = { verdict: 'pass' } as const;
const refused = (reason: 'link_invalid' | 'link_expired', rule = '^/files/') =>
  ({ verdict: 'block', status: 403, reason, rule }) as const;
const invalid = refused('link_invalid');
const waits = { verdict: 'challenge', way: 'wait', reason: 'wait_required', rule: '^/files/' } as const;

export const cases: readonly Case[] = [
  { name: 'a signed link opens', config: atOnce, request: { path: link('/files/a.zip') }, expect: passes },
  {
    name: 'with other arguments beside, which are not signed',
    config: atOnce,
    request: { path: link('/files/a.zip', { more: 'name=x&' }) },
    expect: passes,
  },
  {
    name: 'the path is signed as it is sent, escapes included',
    config: atOnce,
    request: { path: link('/files/a%20b%2Fc%C3%A9.zip') },
    expect: passes,
  },
  {
    name: 'and one that is written otherwise is another',
    config: atOnce,
    request: { path: link('/files/ab.zip', { asked: '/files/%61b.zip' }) },
    expect: invalid,
  },
  {
    name: 'a link whose visitor has not waited asks for it',
    config,
    request: { path: link('/files/a.zip') },
    expect: { ...waits, answer: { status: 403 } },
  },
  {
    name: 'who has waited since passes',
    config,
    request: { path: link('/files/a.zip'), proved: 'wait' },
    expect: passes,
  },
  {
    name: 'a link that was signed after the wait asks for another',
    config,
    request: { path: link('/files/a.zip', { ago: -30 }), proved: 'wait' },
    expect: waits,
  },
  { name: 'work is no wait', config, request: { path: link('/files/a.zip'), proved: 'js' }, expect: waits },
  { name: 'nor is a puzzle', config, request: { path: link('/files/a.zip'), proved: 'puzzle' }, expect: waits },
  { name: 'without a link nothing opens', config, request: { path: '/files/a.zip' }, expect: invalid },
  {
    name: 'whatever the method',
    config: atOnce,
    request: { method: 'POST', path: '/files/a.zip' },
    expect: invalid,
  },
  { name: 'other paths need none', config, request: { path: '/about' }, expect: passes },
  {
    name: 'paths that need one do so however they are written',
    config,
    request: { path: '//%66iles/../files//a.zip' },
    expect: invalid,
  },
  {
    name: 'also where only some origins read them so',
    config,
    request: { path: '/about/..;/files/a.zip' },
    expect: refused('link_invalid'),
  },
  {
    name: 'a link for another path is none',
    config: atOnce,
    request: { path: link('/files/a.zip', { asked: '/files/b.zip' }) },
    expect: invalid,
  },
  {
    name: 'nor is one that was signed with another secret',
    config: atOnce,
    request: { path: link('/files/a.zip', { key: 'another-secret-of-them' }) },
    expect: invalid,
  },
  {
    name: 'nor one whose time was changed',
    config: atOnce,
    request: { path: (now) => link('/files/a.zip', { ago: 400 })(now).replace(/(link_ts=)\d+/, `$1${now}`) },
    expect: invalid,
  },
  {
    name: 'it is valid until its end',
    config: atOnce,
    request: { path: link('/files/a.zip', { ago: 290 }) },
    expect: passes,
  },
  {
    name: 'one that has ended says so to who had a valid one',
    config: atOnce,
    request: { path: link('/files/a.zip', { ago: 300 }) },
    expect: refused('link_expired'),
  },
  {
    name: 'how long it is valid is what the settings say',
    config: { ...atOnce, expire_seconds: 20 },
    request: { path: link('/files/a.zip', { ago: 30 }) },
    expect: refused('link_expired'),
  },
  {
    name: 'so are its secret and its paths',
    config: { ...atOnce, api_secret: 'another-secret-of-them', path: '^/more/' },
    request: { path: link('/more/a.zip', { key: 'another-secret-of-them' }) },
    expect: passes,
  },
  {
    name: 'also to who has waited',
    config,
    request: { path: link('/files/a.zip', { ago: 300 }), proved: 'wait' },
    expect: refused('link_expired'),
  },
  {
    name: 'it may come from a clock that is a little ahead',
    config: atOnce,
    request: { path: link('/files/a.zip', { ago: -60 }) },
    expect: passes,
  },
  {
    name: 'but not from the future',
    config: atOnce,
    request: { path: link('/files/a.zip', { ago: -70 }) },
    expect: invalid,
  },
  {
    name: 'a second time makes it none',
    config: atOnce,
    request: { path: (now) => `${link('/files/a.zip')(now)}&${TIME_ARGUMENT}=${now}` },
    expect: invalid,
  },
  {
    name: 'and so does a second signature, however its name is written',
    config: atOnce,
    request: { path: (now) => `${link('/files/a.zip')(now)}&link%5Fsig=0` },
    expect: invalid,
  },
  ...['', 'abc', '-1', '1e9', '0x10', '1790000000.5', '999999999999'].map(
    (ts): Case => ({
      name: `a time that is none: ${JSON.stringify(ts)}`,
      config: atOnce,
      request: { path: `/files/a.zip?${TIME_ARGUMENT}=${ts}&${SIGNATURE_ARGUMENT}=${sign('/files/a.zip', ts)}` },
      expect: invalid,
    }),
  ),
  {
    name: 'a signature in capitals is none',
    config: atOnce,
    request: { path: (now) => link('/files/a.zip')(now).replace(/[0-9a-f]{64}$/, (text) => text.toUpperCase()) },
    expect: invalid,
  },
  {
    name: 'nor is one that is cut off',
    config: atOnce,
    request: { path: (now) => link('/files/a.zip')(now).slice(0, -1) },
    expect: invalid,
  },
];
