import { runCase } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { exceptions } from './exceptions.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

type Config = z.input<typeof schema>;
const address = '198.41.128.7';
const config: Config = { blacklist_countries: ['KP'] };
const verdictOf = (of: unknown, from: string) =>
  runCase(definition, handler, {
    name: '',
    config: of as Config,
    request: { from, country: 'KP' },
    expect: { verdict: 'pass' },
  }).verdict;
const waysOf = (of: Config) =>
  exceptions(schema.parse(of), { paths: ['/'], address, reason: 'country_refused', rule: 'KP' });

it('lets one address pass, and nobody else of the country', () => {
  const [way] = waysOf(config);
  expect(way).toMatchObject({ message: 'exceptions.address', params: { address } });
  expect(verdictOf(config, address)).toBe('block');
  expect(verdictOf(way?.config, address)).toBe('pass');
  expect(verdictOf(way?.config, '198.41.128.8')).toBe('block');
});

it('has none where the address passes already', () => {
  expect(waysOf({ ...config, whitelist_ips: [address] })).toEqual([]);
});
