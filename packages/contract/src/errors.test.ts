import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrorsOf } from './errors.ts';
import { pageQuery } from './operation.ts';

const schema = z.strictObject({ name: z.string().max(3), port: z.number().int(), list: z.array(z.string()).max(1) });
const codesOf = (input: unknown) => {
  const result = schema.safeParse(input);
  return result.success ? {} : fieldErrorsOf(result.error).fields;
};

describe('field errors', () => {
  it('tell what is missing from what has another type', () => {
    expect(codesOf({ port: 'x', list: [] })).toEqual({ name: 'REQUIRED', port: 'INVALID_TYPE' });
    expect(codesOf({ name: null, port: 1.5, list: [] })).toEqual({ name: 'INVALID_TYPE', port: 'NOT_INTEGER' });
  });
  it('tell bounds, unknown keys and positions', () => {
    expect(codesOf({ name: 'long', port: 1, list: ['a', 'b'], more: 1 })).toEqual({
      name: 'TOO_LONG',
      list: 'TOO_MANY',
      more: 'UNKNOWN_FIELD',
    });
    expect(codesOf({ name: 'a', port: 1, list: [5] })).toEqual({ 'list.0': 'INVALID_TYPE' });
  });
});

it.each([
  ['99999999999999999999', 1_000_000],
  ['1e9', 1_000_000],
  ['-99999999999999999999', 1],
])('a number that is out of its bounds is told them, however far it is: %s', (typed, bound) => {
  const { error } = pageQuery.safeParse({ page: typed });
  expect(Object.values((error && fieldErrorsOf(error).params.page) ?? {})).toEqual([bound]);
});
