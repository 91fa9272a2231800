import { fieldErrorsOf } from '@cordon/contract';
import { expect, it } from 'vitest';
import { schema } from './schema.ts';

it('has the default of the specification (section 3): an hour', () =>
  expect(schema.parse({})).toEqual({ default_timeout: 3_600 }));

it.each([
  [9, 'TOO_SMALL'],
  [10, undefined],
  [31_536_000, undefined],
  [31_536_001, 'TOO_LARGE'],
])('takes from 10 seconds to a year for a ban without an end of its own: %s', (default_timeout, code) => {
  const parsed = schema.safeParse({ default_timeout });
  expect(parsed.error && fieldErrorsOf(parsed.error).fields.default_timeout).toBe(code);
});
