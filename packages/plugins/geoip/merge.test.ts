import { PluginFault } from '@cordon/plugin-kit';
import { expect, it } from 'vitest';
import { merge } from './merge.ts';
import { schema } from './schema.ts';

const only = (...codes: string[]) => schema.parse({ mode: 'Whitelist', whitelist_countries: codes });
const not = (...codes: string[]) => schema.parse({ mode: 'Blacklist', blacklist_countries: codes });

it('adds countries to those of the same mode', () => {
  expect(merge(not('RU'), not('CN', 'RU'))).toEqual(not('RU', 'CN'));
  expect(merge(only('DE'), only('FR'))).toEqual(only('DE', 'FR'));
});

it.each([
  [only('DE'), not('CN')],
  [not('RU'), only('DE')],
])('opens no domain to other countries by changing its mode', (own, brought) => {
  expect(() => merge(own, brought)).toThrow(new PluginFault('mode', 'GEOIP_MODES_DIFFER'));
});
