import { COUNTRY_CODES } from '@cordon/contract/countries';
import { text } from '@cordon/contract/text';
import { addressList } from '@cordon/plugin-kit/address-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

export const ADDRESSES_MAX = 1000;
const known: ReadonlySet<string> = new Set(COUNTRY_CODES);

const countries = z
  .array(text(2, { trim: true, tooLong: 'COUNTRY_UNKNOWN' }).toUpperCase())
  .max(COUNTRY_CODES.length)
  .superRefine((codes, ctx) => {
    for (const [index, code] of codes.entries()) {
      if (!known.has(code)) addCodeIssue(ctx, [index], 'COUNTRY_UNKNOWN', { entry: code });
      else if (codes.indexOf(code) < index) addCodeIssue(ctx, [index], 'DUPLICATE_ENTRY', { entry: code, other: code });
    }
  });

/**
 * From which countries the domain may be visited (spec section 3; product design, "geoip"). An empty list of the chosen
 * mode is `GEOIP_EMPTY`: it would refuse no visitor, or all.
 */
export const schema = z
  .strictObject({
    mode: z
      .enum(['Blacklist', 'Whitelist'])
      .default('Blacklist')
      .describe(
        '`Blacklist` refuses the countries of `blacklist_countries`, `Whitelist` all but `whitelist_countries`.',
      ),
    blacklist_countries: countries
      .default([])
      .describe('ISO 3166-1 alpha-2 codes of the countries that are refused with the mode `Blacklist`.'),
    whitelist_countries: countries
      .default([])
      .describe('ISO 3166-1 alpha-2 codes of the only countries that pass with the mode `Whitelist`.'),
    whitelist_ips: addressList(ADDRESSES_MAX)
      .default([])
      .describe('Addresses and CIDR blocks that pass wherever they are. Special addresses are ignored.'),
    combine_geoip: z
      .boolean()
      .default(false)
      .describe(
        'Passing here is enough for what another plugin of access lets only its own list pass, and the reverse.',
      ),
  })
  .superRefine((config, ctx) => {
    const field = config.mode === 'Blacklist' ? 'blacklist_countries' : 'whitelist_countries';
    if (config[field].length === 0) addCodeIssue(ctx, [field], 'GEOIP_EMPTY');
  });

export type GeoipConfig = z.output<typeof schema>;
