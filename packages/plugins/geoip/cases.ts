import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const refusing = { mode: 'Blacklist', blacklist_countries: ['KP', 'ir'] } as const satisfies Case['config'];
const allowing = { mode: 'Whitelist', whitelist_countries: ['DE', 'CN'] } as const satisfies Case['config'];
const copies = (config: typeof refusing | typeof allowing): Case['config'] => structuredClone(config) as Case['config'];

const passes = { verdict: 'pass' } as const;
const blocked = (reason: string, rule: string) => ({ verdict: 'block', status: 403, reason, rule }) as const;

export const cases: readonly Case[] = [
  {
    name: 'Blacklist: a listed country is refused',
    config: copies(refusing),
    request: { country: 'KP' },
    expect: blocked('country_refused', 'KP'),
  },
  {
    name: 'Blacklist: a code in lower case is the country',
    config: copies(refusing),
    request: { country: 'IR' },
    expect: blocked('country_refused', 'IR'),
  },
  { name: 'Blacklist: another country passes', config: copies(refusing), request: { country: 'DE' }, expect: passes },
  { name: 'Blacklist: an unknown country passes', config: copies(refusing), request: { country: '' }, expect: passes },
  { name: 'Whitelist: a listed country passes', config: copies(allowing), request: { country: 'CN' }, expect: passes },
  {
    name: 'Whitelist: another country is refused',
    config: copies(allowing),
    request: { country: 'US' },
    expect: blocked('country_not_allowed', 'US'),
  },
  {
    name: 'Whitelist: an unknown country is refused',
    config: copies(allowing),
    request: { country: '' },
    expect: blocked('country_unknown', ''),
  },
  {
    name: 'the list of the other mode has no say',
    config: { ...copies(allowing), blacklist_countries: ['DE'] },
    request: { country: 'DE' },
    expect: passes,
  },
  {
    name: 'an address of the list passes from a refused country',
    config: { ...copies(refusing), whitelist_ips: ['8.8.8.0/24'] },
    request: { country: 'KP', from: '8.8.8.8' },
    expect: passes,
  },
  {
    name: 'an address of the list passes from a country that is not allowed, over IPv6',
    config: { ...copies(allowing), whitelist_ips: ['2606:4700::/32'] },
    request: { country: 'US', from: '2606:4700::1111' },
    expect: passes,
  },
  {
    name: 'another address of that country is refused',
    config: { ...copies(refusing), whitelist_ips: ['8.8.8.0/24'] },
    request: { country: 'KP', from: '8.8.9.8' },
    expect: blocked('country_refused', 'KP'),
  },
  {
    name: 'combined with nothing, it refuses alone',
    config: { ...copies(refusing), combine_geoip: true },
    request: { country: 'KP' },
    expect: blocked('country_refused', 'KP'),
  },
];
