import { expect, it } from 'vitest';
import { warnOfTransportSecurity } from './transport-security.ts';

const warn = (value: string, name = 'Strict-Transport-Security') => warnOfTransportSecurity({ name, value });

it.each([
  ['max-age=86400', 'domain', { number: 1, unit: 'd' }],
  ['max-age=31536000; includeSubDomains', 'subdomains', { number: 365, unit: 'd' }],
  ['INCLUDESUBDOMAINS ; Max-Age="600"', 'subdomains', { number: 10, unit: 'm' }],
  ['max-age=63072000; includeSubDomains; preload', 'preload', { number: 730, unit: 'd' }],
  ['includeSubDomains', 'no_age', {}],
  ['max-age=a year', 'no_age', {}],
])('tells how far %j reaches, and how long browsers keep it', (value, reach, params) =>
  expect(warn(value)).toEqual({ message: `warnings.transport_security.${reach}`, params }),
);

it('says nothing of a value that takes it back, of one that is still to be typed, and of other fields', () => {
  expect(warn('max-age=0; includeSubDomains')).toBeUndefined();
  expect(warn(' ')).toBeUndefined();
  expect(warn('max-age=86400', 'X-Other')).toBeUndefined();
  expect(warn('max-age=86400', 'strict-transport-security')).toBeDefined();
});
