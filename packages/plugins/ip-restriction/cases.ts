import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;
type Config = Case['config'];

// Entries are ordinary addresses, because special ones (and those for documentation are) would be ignored.
const lists = {
  allow: ['8.8.0.0/16', '1.1.1.1', '2606:4700::/32', '66.249.64.0/20'],
  deny: ['8.8.8.0/24', '9.9.9.9', '2606:4700:4700::/48', '66.249.79.1', '2a00:1450:4001::/48', '2001:4860:4801:10::53'],
};
const whitelist: Config = { ...lists, whitelistMode: true };
const blacklist: Config = { ...lists, blacklistMode: true };
const both: Config = { ...lists, whitelistMode: true, blacklistMode: true };

const passes = { verdict: 'pass' } as const;
const notAllowed = { verdict: 'block', status: 403, reason: 'not_in_allow_list', rule: '' } as const;
const denied = (rule: string) => ({ verdict: 'block', status: 403, reason: 'in_deny_list', rule }) as const;

const modes: readonly {
  readonly mode: string;
  readonly config: Config;
  readonly isWhite: boolean;
  readonly isBlack: boolean;
}[] = [
  { mode: 'whitelist', config: whitelist, isWhite: true, isBlack: false },
  { mode: 'blacklist', config: blacklist, isWhite: false, isBlack: true },
  { mode: 'both', config: both, isWhite: true, isBlack: true },
];

/** Clients by where they are: the narrowest entry of each list that holds them. */
const clients: readonly {
  readonly client: string;
  readonly from: string;
  readonly isAllowed: boolean;
  readonly deny?: string;
}[] = [
  { client: 'IPv4 in allow', from: '8.8.4.4', isAllowed: true },
  { client: 'IPv4 in neither', from: '203.0.113.7', isAllowed: false },
  { client: 'IPv4 in deny', from: '9.9.9.9', isAllowed: false, deny: '9.9.9.9' },
  { client: 'IPv4 in allow and deny', from: '8.8.8.8', isAllowed: true, deny: '8.8.8.0/24' },
  { client: 'IPv6 in allow', from: '2606:4700::1111', isAllowed: true },
  { client: 'IPv6 in neither', from: '2620:fe::fe', isAllowed: false },
  { client: 'IPv6 in allow and deny', from: '2606:4700:4700::1001', isAllowed: true, deny: '2606:4700:4700::/48' },
  { client: 'IPv6 in deny', from: '2a00:1450:4001:81b::200e', isAllowed: false, deny: '2a00:1450:4001::/48' },
];

const truthTable: readonly Case[] = modes.flatMap(({ mode, config, isWhite, isBlack }) =>
  clients.map(({ client, from, isAllowed, deny }) => ({
    name: `${mode}: ${client}`,
    config,
    request: { from },
    expect: isBlack && deny !== undefined ? denied(deny) : isWhite && !isAllowed ? notAllowed : passes,
  })),
);

/** Real addresses of Googlebot, so that nginx recognises them. */
const crawlers: readonly Case[] = [
  {
    name: 'whitelist: a verified crawler passes without being in allow',
    config: { allow: ['1.1.1.1'], whitelistMode: true },
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'whitelist: a verified crawler over IPv6 passes',
    config: { allow: ['1.1.1.1'], whitelistMode: true },
    request: { from: '2001:4860:4801:10::1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'whitelist: a verified crawler is refused when search engines are not let in',
    config: { allow: ['1.1.1.1'], whitelistMode: true, allow_spiders: false },
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: notAllowed,
  },
  {
    name: 'whitelist: a client that only calls itself a crawler is refused',
    config: { allow: ['1.1.1.1'], whitelistMode: true },
    request: {
      from: '203.0.113.7',
      headers: { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    },
    expect: notAllowed,
  },
  {
    name: 'whitelist: deny has no say, so a crawler on it passes',
    config: { allow: ['1.1.1.1'], deny: ['66.249.64.0/20'], whitelistMode: true },
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'blacklist: deny stands for a verified crawler',
    config: { deny: ['66.249.64.0/20'], blacklistMode: true },
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: denied('66.249.64.0/20'),
  },
  {
    name: 'both: deny stands for a verified crawler inside allow',
    config: both,
    request: { from: '66.249.79.1', crawler: 'googlebot' },
    expect: denied('66.249.79.1'),
  },
  {
    name: 'both: deny stands for a verified crawler over IPv6',
    config: both,
    request: { from: '2001:4860:4801:10::53', crawler: 'googlebot' },
    expect: denied('2001:4860:4801:10::53'),
  },
  {
    name: 'both: a verified crawler in neither list passes',
    config: both,
    request: { from: '2001:4860:4801:10::1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'both: a verified crawler in neither list is refused when search engines are not let in',
    config: { ...both, allow_spiders: false },
    request: { from: '2001:4860:4801:10::1', crawler: 'googlebot' },
    expect: notAllowed,
  },
  {
    name: 'whitelist: a crawler in allow passes though search engines are not let in',
    config: { ...whitelist, allow_spiders: false },
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: passes,
  },
];

const boundary = (name: string, deny: string, from: string, isInside: boolean): Case => ({
  name: `boundary: ${name}`,
  config: { deny: [deny], blacklistMode: true },
  request: { from },
  expect: isInside ? denied(deny) : passes,
});

const boundaries: readonly Case[] = [
  boundary('before the first of an IPv4 block', '8.8.8.0/24', '8.8.7.255', false),
  boundary('first of an IPv4 block', '8.8.8.0/24', '8.8.8.0', true),
  boundary('last of an IPv4 block', '8.8.8.0/24', '8.8.8.255', true),
  boundary('after the last of an IPv4 block', '8.8.8.0/24', '8.8.9.0', false),
  boundary('block across the sign bit, below', '127.0.0.0/1', '126.255.255.255', true),
  boundary('upper half of IPv4, first', '128.0.0.0/1', '128.0.0.0', true),
  boundary('upper half of IPv4, before the first', '128.0.0.0/1', '126.255.255.255', false),
  boundary('block inside one octet, last', '8.8.8.64/29', '8.8.8.71', true),
  boundary('block inside one octet, after the last', '8.8.8.64/29', '8.8.8.72', false),
  boundary('single IPv4 address', '8.8.8.8', '8.8.8.8', true),
  boundary('next to a single IPv4 address', '8.8.8.8', '8.8.8.9', false),
  boundary('before the first of an IPv6 block', '2606:4700::/32', '2606:46ff:ffff:ffff:ffff:ffff:ffff:ffff', false),
  boundary('first of an IPv6 block', '2606:4700::/32', '2606:4700::', true),
  boundary('last of an IPv6 block', '2606:4700::/32', '2606:4700:ffff:ffff:ffff:ffff:ffff:ffff', true),
  boundary('after the last of an IPv6 block', '2606:4700::/32', '2606:4701::', false),
  boundary(
    'IPv6 block that ends inside a word, last',
    '2606:4700:0:8000::/49',
    '2606:4700:0:ffff:ffff:ffff:ffff:ffff',
    true,
  ),
  boundary('IPv6 block that ends inside a word, after the last', '2606:4700:0:8000::/49', '2606:4700:8000::', false),
  boundary('single IPv6 address written long', '2606:4700:0:0:0:0:0:1', '2606:4700::1', true),
  boundary('next to a single IPv6 address', '2606:4700::1', '2606:4700::2', false),
];

const notations: readonly Case[] = [
  {
    name: 'an IPv4-mapped client is its IPv4 address',
    config: { allow: ['8.8.8.0/24'], whitelistMode: true },
    request: { from: '::ffff:8.8.8.8' },
    expect: passes,
  },
  {
    name: 'an IPv4-mapped client is found in deny',
    config: { deny: ['8.8.8.8'], blacklistMode: true },
    request: { from: '::ffff:8.8.8.8' },
    expect: denied('8.8.8.8'),
  },
  {
    name: 'an IPv4-mapped entry is its IPv4 block',
    config: { deny: ['::ffff:8.8.8.0/120'], blacklistMode: true },
    request: { from: '8.8.8.8' },
    expect: denied('::ffff:8.8.8.0/120'),
  },
  {
    name: 'an IPv6 client with the same last bits as an IPv4 entry is another client',
    config: { deny: ['8.8.8.8'], blacklistMode: true },
    request: { from: '2606:4700::8.8.8.8' },
    expect: passes,
  },
  {
    name: 'an entry with host bits means its whole block and is logged as written',
    config: { deny: ['8.8.8.8/24'], blacklistMode: true },
    request: { from: '8.8.8.200' },
    expect: denied('8.8.8.8/24'),
  },
  {
    name: 'a special entry is ignored: private addresses in deny refuse no client',
    config: { deny: ['10.0.0.0/8', '9.9.9.9'], blacklistMode: true },
    request: { from: '10.1.2.3' },
    expect: passes,
  },
  {
    name: 'a special entry is ignored: private addresses in allow admit no client',
    config: { allow: ['10.0.0.0/8', '1.1.1.1'], whitelistMode: true },
    request: { from: '10.1.2.3' },
    expect: notAllowed,
  },
];

export const cases: readonly Case[] = [...truthTable, ...crawlers, ...boundaries, ...notations];
