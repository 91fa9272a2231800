import { fieldErrorsOf } from '@cordon/contract';
import { expect, it } from 'vitest';
import { ALL_ADDRESSES_MAX, ALL_VALUES_MAX, schema } from './schema.ts';

/** Rules with so many values in all, a hundred in each condition. */
const rules = (count: number, condition: (values: string[]) => object) =>
  Array.from({ length: Math.ceil(count / 2_000) }, (_, rule) => ({
    name: `r${rule}`,
    when: {
      match: 'any',
      conditions: Array.from({ length: Math.min(20, Math.ceil((count - rule * 2_000) / 100)) }, (__, at) => {
        const start = rule * 2_000 + at * 100;
        const length = Math.min(100, count - start);
        return condition(
          Array.from({ length }, (___, value) => `9.9.${(start + value) >> 8}.${(start + value) & 255}`),
        );
      }),
    },
  }));
const texts = (values: string[]) => ({ field: 'path', test: 'contains', values });
const addresses = (values: string[]) => ({ field: 'address', values });

it.each<[string, number, (values: string[]) => object, string]>([
  ['values', ALL_VALUES_MAX, texts, 'TOO_MANY_VALUES'],
  ['addresses', ALL_ADDRESSES_MAX, addresses, 'TOO_MANY_ADDRESSES'],
])('takes so many %s in all rules together and no more', (_, maximum, condition, code) => {
  expect(schema.safeParse({ black_rules: rules(maximum, condition) }).error).toBeUndefined();
  const { error } = schema.safeParse({ black_rules: rules(maximum + 1, condition) });
  expect(error && fieldErrorsOf(error)).toMatchObject({
    fields: { black_rules: code },
    params: { black_rules: { maximum } },
  });
});

it('reads none of far too many', () => {
  const { error } = schema.safeParse({ black_rules: rules(40_000, (values) => addresses([...values, 'wrong'])) });
  expect(error && fieldErrorsOf(error).fields).toEqual({ black_rules: 'TOO_MANY_ADDRESSES' });
});
