import { fieldErrorsOf } from '@cordon/contract';
import { normalizePath, readingsOfPath } from '@cordon/plugin-kit/request-path';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { definition } from './plugin.ts';
import { ALL_CONDITIONS_MAX, CONDITIONS_MAX, RULES_MAX, schema } from './schema.ts';

type Rule = NonNullable<z.input<typeof schema>['black_rules']>[number];
type Part = Rule['when']['conditions'][number];

const path: Part = { field: 'path', values: ['/a'] };
const rule = (conditions: readonly unknown[] = [path], more: object = {}) =>
  ({ name: 'one', when: { conditions }, ...more }) as Rule;

function faults(...black_rules: Rule[]): Record<string, string> {
  const parsed = schema.safeParse({ black_rules });
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}
const faultsOf = (condition: unknown) =>
  Object.fromEntries(
    Object.entries(faults(rule([condition]))).map(([at, code]) => [
      at.replace('black_rules.0.when.conditions.0.', ''),
      code,
    ]),
  );

describe('custom rules', () => {
  it('has the default of the specification: no rule', () =>
    expect(schemaDefaults(schema)).toEqual({ black_rules: [] }));

  it('fills in what a rule leaves out', () =>
    expect(schema.parse({ black_rules: [rule()] }).black_rules[0]).toEqual({
      name: 'one',
      action: 'block',
      enabled: true,
      when: { match: 'all', not: false, conditions: [{ ...path, test: 'is', ignore_case: false, not: false }] },
    }));

  it('refuses two rules of one name, a rule without conditions, and a rule that says nothing', () => {
    expect(faults(rule(), rule())).toEqual({ 'black_rules.1.name': 'RULE_NAME_TAKEN' });
    expect(faults(rule([]))).toEqual({ 'black_rules.0.when.conditions': 'TOO_FEW' });
    expect(faultsOf({ field: 'path', values: [] })).toEqual({ values: 'TOO_FEW' });
    expect(faultsOf({ field: 'header', name: '', test: 'exists' })).toEqual({ name: 'REQUIRED' });
  });

  it('refuses what is no country, no address and no pattern, at its place', () => {
    expect(faultsOf({ field: 'country', values: ['DE', 'ZZ'] })).toEqual({ 'values.1': 'COUNTRY_UNKNOWN' });
    expect(faultsOf({ field: 'address', values: ['0.0.0.0/0'] })).toEqual({ 'values.0': 'RANGE_TOO_WIDE' });
    expect(faultsOf({ field: 'path', test: 'matches', pattern: '(' })).toEqual({ pattern: 'PATTERN_UNFINISHED' });
  });

  it.each([
    ['is', true],
    ['begins_with', true],
    ['ends_with', false],
    ['contains', false],
  ])('refuses a path that must start with a slash and does not, at its place: %s', (test, isRefused) => {
    const condition = { field: 'path', test, values: ['/a', 'admin', ' /a'], not: true };
    expect(faultsOf(condition)).toEqual(
      isRefused ? { 'values.1': 'PATH_SLASH_MISSING', 'values.2': 'PATH_SLASH_MISSING' } : {},
    );
    const inGroup = faults(rule([path, { conditions: [{ conditions: [condition] }] }]));
    expect(Object.keys(inGroup)).toEqual(
      isRefused ? [1, 2].map((at) => `black_rules.0.when.conditions.1.conditions.0.conditions.0.values.${at}`) : [],
    );
    expect(faultsOf({ field: 'query', test, values: ['admin'] })).toEqual({});
  });

  it.each(['is', 'begins_with', 'ends_with', 'contains'])(
    'refuses slashes in a row, which no reading of a path has, at their place: %s',
    (test) => {
      const values = ['/a', '/a//b', '//'];
      expect(faultsOf({ field: 'path', test, values })).toEqual({
        'values.1': 'PATH_SLASH_REPEATED',
        'values.2': 'PATH_SLASH_REPEATED',
      });
      expect(faultsOf({ field: 'query', test, values })).toEqual({});
    },
  );

  it('has a request for all other values: no reading of a path has slashes in a row', () => {
    const sent = [
      '//x',
      '/a//b',
      '/a/;x//b',
      '/a%2f%2fb',
      '/a\\\\b',
      '//h//x/..//y',
      '/a/.//b',
      '/a;b/;c//;d',
      '/%5c%5cx',
    ];
    const readings = sent.flatMap((raw) => readingsOfPath(normalizePath(raw) ?? '/', raw));
    expect(readings.length).toBeGreaterThan(sent.length);
    expect(readings.filter((reading) => reading.includes('//'))).toEqual([]);
    expect(normalizePath('/a%3Fb=1')).toBe('/a?b=1');
    expect(normalizePath('/a%2520b')).toBe('/a%20b');
  });

  it('remarks on paths that are written as they are sent, and not as they are compared', () => {
    const values = ['/a?b=1', '/a%20b', '/a%3Fb', '/a b/100%'];
    const config = schema.parse({ black_rules: [rule([{ field: 'path', test: 'begins_with', values }])] });
    expect(definition.notices(config)).toEqual(
      values.slice(0, 3).map((entry, at) => ({
        path: `black_rules.0.when.conditions.0.values.${at}`,
        message: 'notices.path_as_sent',
        params: { entry },
      })),
    );
  });

  it('remarks on host bits, but not on special addresses, which match as written', () => {
    const values = ['127.0.0.1', '10.0.0.1/8'];
    const config = schema.parse({ black_rules: [rule([{ field: 'address', values }])] });
    expect(definition.notices(config)).toEqual([
      {
        path: 'black_rules.0.when.conditions.0.values.1',
        message: 'notices.host_bits',
        params: { entry: '10.0.0.1/8', range: '10.0.0.0/8' },
      },
    ]);
  });

  it('bounds rules, conditions of a group and conditions of all rules together', () => {
    const many = Array.from({ length: RULES_MAX + 1 }, (_, index) => rule([path], { name: `${index}` }));
    expect(faults(...many)).toEqual({ black_rules: 'TOO_MANY' });
    const full = Array.from({ length: CONDITIONS_MAX }, () => path);
    expect(faults(rule([...full, path]))).toEqual({ 'black_rules.0.when.conditions': 'TOO_MANY' });
    const enough = Array.from({ length: ALL_CONDITIONS_MAX / CONDITIONS_MAX }, (_, index) =>
      rule(full, { name: `${index}` }),
    );
    expect(faults(...enough)).toEqual({});
    expect(faults(...enough, rule([path], { name: 'more' }))).toEqual({
      [`black_rules.${enough.length}.when`]: 'TOO_MANY_CONDITIONS',
    });
  });

  it('takes a hundred values in a condition and no more', () => {
    const values = Array.from({ length: 100 }, (_, at) => `/${at}`);
    expect(faultsOf({ field: 'path', values })).toEqual({});
    expect(Object.keys(faultsOf({ field: 'path', values: [...values, '/more'] }))).toHaveLength(1);
  });

  it('has three levels of groups, and no fourth', () => {
    const group = (inner: unknown) => ({ conditions: [inner] });
    expect(faults(rule([group(group(path))]))).toEqual({});
    expect(Object.keys(faults(rule([group(group(group(path)))])))).toHaveLength(1);
  });

  it('sums up what its rules do', () =>
    expect(
      definition.summary(
        schema.parse({
          black_rules: [
            rule(),
            rule([path], { name: 'two', action: 'log' }),
            rule([path], { name: 'off', action: 'allow', enabled: false }),
          ],
        }),
      ).params,
    ).toEqual({ first: 'block', count: 1, challenge: 0, log: 1, allow: 0 }));
});
