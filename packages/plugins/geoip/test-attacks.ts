import { COUNTRY_CODES } from '@cordon/contract/countries';
import type { TestAttack } from '@cordon/plugin-kit';
import type { GeoipConfig } from './schema.ts';

/** From a country that is refused. */
export function testAttacks({ mode, blacklist_countries, whitelist_countries }: GeoipConfig): readonly TestAttack[] {
  const country =
    mode === 'Blacklist' ? blacklist_countries[0] : COUNTRY_CODES.find((code) => !whitelist_countries.includes(code));
  if (country === undefined) return [];
  return [
    {
      message: 'testAttacks.country',
      params: { country: { countries: [country] } },
      request: { target: '/', country },
    },
  ];
}
