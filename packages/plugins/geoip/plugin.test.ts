import { fieldErrorsOf } from '@cordon/contract';
import { parseAddress } from '@cordon/contract/address';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext, createPlainState } from '@cordon/plugin-kit/plain-context';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

function faults(config: z.input<typeof schema>): Record<string, string> {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}

describe('the schema', () => {
  it('has the defaults of the specification', () =>
    expect(schemaDefaults(schema)).toEqual({
      mode: 'Blacklist',
      blacklist_countries: [],
      whitelist_countries: [],
      whitelist_ips: [],
      combine_geoip: false,
    }));

  it('needs a country in the list of its mode', () => {
    expect(faults({})).toEqual({ blacklist_countries: 'GEOIP_EMPTY' });
    expect(faults({ mode: 'Whitelist', blacklist_countries: ['DE'] })).toEqual({ whitelist_countries: 'GEOIP_EMPTY' });
    expect(faults({ mode: 'Whitelist', whitelist_countries: ['DE'] })).toEqual({});
  });

  it('writes codes in capitals', () =>
    expect(schema.parse({ blacklist_countries: [' de ', 'Cn'] }).blacklist_countries).toEqual(['DE', 'CN']));

  it('refuses what is no country, a country twice, and more addresses than fit', () => {
    expect(faults({ blacklist_countries: ['DE', 'ZZ', 'Germany', 'de'] })).toEqual({
      'blacklist_countries.1': 'COUNTRY_UNKNOWN',
      'blacklist_countries.2': 'COUNTRY_UNKNOWN',
      'blacklist_countries.3': 'DUPLICATE_ENTRY',
    });
    const addresses = Array.from({ length: 1001 }, (_, at) => `8.${at >> 8}.${at & 255}.1`);
    expect(faults({ blacklist_countries: ['DE'], whitelist_ips: addresses })).toEqual({ whitelist_ips: 'TOO_MANY' });
    expect(faults({ blacklist_countries: ['DE'], whitelist_ips: ['0.0.0.0/0', 'x'] })).toEqual({
      'whitelist_ips.0': 'RANGE_TOO_WIDE',
      'whitelist_ips.1': 'ADDRESS_INVALID',
    });
  });
});

it('sums up the first countries and how many more there are', () => {
  const countries = ['DE', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE'];
  expect(definition.summary(schema.parse({ mode: 'Whitelist', whitelist_countries: countries }))).toEqual({
    message: 'summary.whitelist',
    params: { countries: { countries: ['DE', 'FR', 'IT', 'ES', 'PT'] }, rest: 2 },
  });
  expect(definition.summary(schema.parse({ blacklist_countries: ['KP'] }))).toEqual({
    message: 'summary.blacklist',
    params: { countries: { countries: ['KP'] }, rest: 0 },
  });
});

it('tells of a list that the mode does not use, and of addresses that are ignored', () => {
  const config = schema.parse({
    blacklist_countries: ['KP'],
    whitelist_countries: ['DE'],
    whitelist_ips: ['10.0.0.1', '8.8.8.8/24'],
  });
  expect(definition.notices(config).map(({ path, message }) => [path, message])).toEqual([
    ['whitelist_ips.0', 'notices.special_address'],
    ['whitelist_ips.1', 'notices.host_bits'],
    ['whitelist_countries', 'notices.list_unused'],
  ]);
});

describe('what it says, for other plugins of its phase', () => {
  const allowing = schema.parse({ mode: 'Whitelist', whitelist_countries: ['DE'], whitelist_ips: ['8.8.8.0/24'] });
  const refusing = schema.parse({ mode: 'Blacklist', blacklist_countries: ['KP'] });
  const says = (config: typeof allowing, country: string, from = '198.41.128.7') => {
    const clientAddress = parseAddress(from);
    if (!clientAddress) throw new Error(`${from} is no address`);
    const request = {
      method: 'GET',
      scheme: 'https',
      host: 'www.example.com',
      path: '/',
      query: '',
      headers: [],
    } as const;
    const ctx = createPlainContext({ ...request, clientAddress, country, crawler: '', now: 1 }, createPlainState());
    return handler.access?.(ctx, handler.prepare(config, edgeKit, undefined));
  };

  it('is that a refused client lacks a country, which another plugin’s permit can stand in for', () => {
    const lack = { kind: 'block', status: 403, isUnmet: true };
    expect(says(allowing, 'US')).toEqual({ ...lack, reason: 'country_not_allowed', rule: 'US' });
    expect(says(allowing, '')).toEqual({ ...lack, reason: 'country_unknown', rule: '' });
    expect(says(refusing, 'KP')).toEqual({ ...lack, reason: 'country_refused', rule: 'KP' });
  });

  it('is that a client of an allowed country or address is permitted', () => {
    expect(says(allowing, 'DE')).toEqual({ kind: 'permit' });
    expect(says(allowing, 'US', '8.8.8.8')).toEqual({ kind: 'permit' });
    expect(says(refusing, 'DE')).toEqual({ kind: 'permit' });
  });
});
