import { fieldErrorsOf } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { ALL_ADDRESSES_MAX, ALL_CONDITIONS_MAX, ALL_VALUES_MAX, schema } from './schema.ts';

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

describe('patterns of all rules together', () => {
  const pattern = (source: string) => ({ field: 'argument', name: 'a', test: 'matches', pattern: source });
  const patternRules = (count: number, source: (at: number) => string) =>
    Array.from({ length: Math.ceil(count / 20) }, (_, rule) => ({
      name: `r${rule}`,
      when: {
        conditions: Array.from({ length: Math.min(20, count - rule * 20) }, (__, at) =>
          pattern(source(rule * 20 + at)),
        ),
      },
    }));
  const read = (black_rules: unknown) => {
    const before = process.cpuUsage().user;
    const { error } = schema.safeParse({ black_rules });
    return { milliseconds: (process.cpuUsage().user - before) / 1000, faults: error && fieldErrorsOf(error) };
  };

  it('are looked into where there are few enough conditions, and not before', () => {
    let made = 0;
    const hostile = Array.from({ length: 30 }, (_, rule) => ({
      name: `r${rule}`,
      when: {
        conditions: Array.from({ length: 20 }, () => ({
          conditions: Array.from({ length: 20 }, () => pattern(`.{100}${made++}`)),
        })),
      },
    }));
    const { milliseconds, faults } = read(hostile);
    expect(faults).toMatchObject({
      fields: { 'black_rules.1.when': 'TOO_MANY_CONDITIONS' },
      params: { 'black_rules.1.when': { maximum: ALL_CONDITIONS_MAX } },
    });
    expect(milliseconds).toBeLessThan(50);
  });

  it.each([
    ['(a|b)*a(a|b){8}', 'PATTERNS_TOO_COSTLY'],
    ['.{100}', 'PATTERN_TOO_COSTLY'],
    ['(?:a?){140}b', 'PATTERN_TOO_LARGE'],
  ])('are judged no further than all may cost: %s', (source, code) => {
    read(patternRules(1, (at) => `warm${at}`));
    const { milliseconds, faults } = read(patternRules(ALL_CONDITIONS_MAX, (at) => `${source}${at}`));
    expect(Object.values(faults?.fields ?? {})).toContain(code);
    expect(Object.values(faults?.fields ?? {}).at(-1)).toBe('PATTERNS_TOO_COSTLY');
    // Some 20 ms on a quiet machine; several seconds without a bound.
    expect(milliseconds).toBeLessThan(150);
  });

  it('that were refused are not judged anew', () => {
    const rules = patternRules(100, (at) => `(a|b)*a(a|b){7}[cd]${at}`);
    const first = read(rules);
    const again = read(rules);
    expect(again.faults).toEqual(first.faults);
    expect(Object.values(again.faults?.fields ?? {}).at(-1)).toBe('PATTERNS_TOO_COSTLY');
    expect(again.milliseconds).toBeLessThan(first.milliseconds);
  });

  it('say at which of them there are too many', () => {
    const { faults } = read(patternRules(100, (at) => `(a|b)*a(a|b){8}${at}`));
    expect(Object.keys(faults?.fields ?? {})).toEqual([
      expect.stringMatching(/^black_rules\.0\.when\.conditions\.\d+\.pattern$/),
    ]);
  });

  it('may be as many as conditions where each is simple', () =>
    expect(read(patternRules(ALL_CONDITIONS_MAX, (at) => `^/user/${at}/`)).faults).toBeUndefined());

  it('are judged once, however often a configuration is read', () => {
    const rules = patternRules(8, (at) => `(a|b)*a(a|b){8}c${at}`);
    expect(read(rules).faults).toBeUndefined();
    let milliseconds = 0;
    for (let times = 0; times < 10; times++) milliseconds += read(rules).milliseconds;
    expect(milliseconds).toBeLessThan(50);
  });
});

it('bounds groups that have nothing in them', () => {
  const empty = { conditions: Array.from({ length: 30_000 }, () => ({ conditions: [] })) };
  const { error } = schema.safeParse({ black_rules: [{ name: 'r', when: empty }] });
  expect(error && fieldErrorsOf(error).fields).toEqual({ 'black_rules.0.when': 'TOO_MANY_CONDITIONS' });
});

it.each<[object, string, string | undefined]>([
  [{ field: 'method', values: ['get', 'M-SEARCH'] }, 'values.0', undefined],
  [{ field: 'method', values: ['GE T'] }, 'values.0', 'METHOD_INVALID'],
  [{ field: 'method', values: ['GET', 'É'] }, 'values.1', 'METHOD_INVALID'],
  [{ field: 'method', values: [' '] }, 'values.0', 'REQUIRED'],
  ...['values', 'pattern', 'exists'].flatMap((kind): [object, string, string | undefined][] => {
    const test = { values: { values: ['a'] }, pattern: { test: 'matches', pattern: 'a' }, exists: { test: 'exists' } }[
      kind
    ];
    return [
      [{ field: 'header', name: 'X-Api-2', ...test }, 'name', undefined],
      [{ field: 'header', name: 'X A', ...test }, 'name', 'HEADER_NAME_INVALID'],
      [{ field: 'header', name: 'X_A', ...test }, 'name', 'HEADER_NAME_INVALID'],
      [{ field: 'header', name: 'É', ...test }, 'name', 'HEADER_NAME_INVALID'],
    ];
  }),
  // Origins decode names of cookies.
  [{ field: 'cookie', name: 'a;b', test: 'exists' }, 'name', undefined],
])('takes methods and names of header fields only that a request can have: %j', (condition, at, code) => {
  const { error } = schema.safeParse({ black_rules: [{ name: 'r', when: { conditions: [condition] } }] });
  const path = `black_rules.0.when.conditions.0.${at}`;
  expect(error && fieldErrorsOf(error).fields).toEqual(code && { [path]: code });
});
