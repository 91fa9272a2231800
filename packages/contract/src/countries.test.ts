import { expect, it } from 'vitest';
import { COUNTRY_CODES } from './countries.ts';

it('has the 249 countries of ISO 3166-1 and Kosovo, each with a name', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(250);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(COUNTRY_CODES.filter((code) => names.of(code) === undefined)).toEqual([]);
});
