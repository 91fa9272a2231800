import { normalizePath, readingsOfPath } from '@cordon/plugin-kit/request-path';
import { runCase } from '@cordon/plugin-kit/testing';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { exceptions, letsPass } from './exceptions.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

type Config = z.input<typeof schema>;
type Rule = NonNullable<Config['black_rules']>[number];

const stopped = {
  paths: ['/search'],
  address: '198.41.128.7',
  reason: 'rule_matched',
  rule: 'search',
};
const rule = (when: Partial<Rule['when']>): Config => ({
  black_rules: [
    { name: 'other', when: { conditions: [{ field: 'path', values: ['/other'] }] } },
    { name: 'search', when: { conditions: [{ field: 'path', test: 'begins_with', values: ['/s'] }], ...when } },
  ],
});
const waysOf = (config: Config) => exceptions(schema.parse(config), stopped);
const verdictOf = (config: unknown, path: string, from: string) =>
  runCase(definition, handler, {
    name: '',
    config: config as Config,
    request: { path, from },
    expect: { verdict: 'pass' },
  }).verdict;
const passes = (config: unknown, path: string, from: string) => verdictOf(config, path, from) === 'pass';
const isBlocked = (config: unknown, path: string, from: string) => verdictOf(config, path, from) === 'block';

describe.each([
  ['all of its conditions', rule({})],
  ['any of its conditions', rule({ match: 'any' })],
  ['none of its conditions', rule({ not: true, conditions: [{ field: 'path', values: ['/home'] }] })],
])('an exception of a rule that holds for %s', (_, config) => {
  it.each([
    ['exceptions.both', true, false, false],
    ['exceptions.address', true, true, false],
    ['exceptions.path', true, false, true],
  ])('%s is for what it says', (message, itself, otherPath, otherAddress) => {
    const way = waysOf(config).find((one) => one.message === message);
    expect(schema.safeParse(way?.config).success).toBe(true);
    expect(passes(config, '/search', '198.41.128.7')).toBe(false);
    expect(passes(way?.config, '/search', '198.41.128.7')).toBe(itself);
    expect(passes(way?.config, '/shop', '198.41.128.7')).toBe(otherPath);
    expect(passes(way?.config, '/search', '198.41.128.8')).toBe(otherAddress);
    expect(passes(way?.config, '/other', '198.41.128.7')).toBe(false);
  });
});

describe('exceptions of custom rules', () => {
  it('come the narrowest first, and name the rule', () => {
    expect(waysOf(rule({})).map(({ message, params }) => [message, params.rule])).toEqual([
      ['exceptions.both', 'search'],
      ['exceptions.address', 'search'],
      ['exceptions.path', 'search'],
    ]);
  });

  it.each(['//s/x', '/x/../s', '/s;a=1/x', '/s\\x', '/s/%2e/x'])(
    'let pass a path as it was sent, for its visitor alone, and name each reading of it: %s',
    (sent) => {
      const config = rule({ conditions: [{ field: 'path', test: 'matches', pattern: '.' }] });
      const path = normalizePath(sent) ?? '';
      const paths = readingsOfPath(path, sent);
      const request = { ...stopped, paths };
      const ways = [
        ...exceptions(schema.parse(config), request),
        ...letsPass({ enabled: true, config: schema.parse(config) }, request),
      ];
      expect(ways.map(({ message }) => message)).toEqual([
        ...['exceptions.both', 'exceptions.address'],
        ...['exceptions.pass_both', 'exceptions.pass_address'],
      ]);
      for (const way of ways) {
        expect(schema.safeParse(way.config).error).toBeUndefined();
        expect(isBlocked(way.config, sent, '198.41.128.7')).toBe(false);
        for (const reading of paths) expect(isBlocked(way.config, reading, '198.41.128.8')).toBe(true);
      }
      expect(ways[0]?.params.path).toBe(paths.join(', '));
    },
  );

  it('are of the address alone where the log does not have the path whole', () => {
    const ways = exceptions(schema.parse(rule({})), { ...stopped, paths: [] });
    expect(ways.map(({ message }) => message)).toEqual(['exceptions.address']);
    const own = letsPass({ enabled: true, config: schema.parse({}) }, { ...stopped, paths: [] });
    expect(own.map(({ message }) => message)).toEqual(['exceptions.pass_address']);
  });

  it('are none where the rule is gone, or its groups would lie too deep', () => {
    expect(waysOf({ black_rules: [] })).toEqual([]);
    const inner = { conditions: [{ field: 'path' as const, values: ['/search'] }] };
    const deep = rule({ match: 'any', conditions: [{ conditions: [inner] }] });
    expect(schema.safeParse(deep).success).toBe(true);
    expect(waysOf(deep)).toEqual([]);
  });
});

describe('a rule that lets pass what a plugin further on has stopped', () => {
  const waysFor = (config: Config, enabled = true, more: object = {}) =>
    letsPass({ enabled, config: schema.parse(config) }, { ...stopped, ...more });
  const verdictOf = (config: unknown, path: string, from: string) =>
    runCase(definition, handler, {
      name: '',
      config: config as Config,
      request: { path, from },
      expect: { verdict: 'pass' },
    }).verdict;

  it.each([
    ['exceptions.pass_both', 'block', 'block'],
    ['exceptions.pass_address', 'allow', 'block'],
    ['exceptions.pass_path', 'block', 'allow'],
  ])('%s is for what it says, and comes before the others', (message, otherPath, otherAddress) => {
    const way = waysFor(rule({ conditions: [{ field: 'path', test: 'begins_with', values: ['/'] }] })).find(
      (one) => one.message === message,
    );
    expect(schema.safeParse(way?.config).success).toBe(true);
    expect(verdictOf(way?.config, '/search', '198.41.128.7')).toBe('allow');
    expect(verdictOf(way?.config, '/shop', '198.41.128.7')).toBe(otherPath);
    expect(verdictOf(way?.config, '/search', '198.41.128.8')).toBe(otherAddress);
  });

  it('leaves off what is off with the plugin', () => {
    const [way] = waysFor(rule({}), false);
    expect(verdictOf(way?.config, '/search', '198.41.128.7')).toBe('allow');
    expect(verdictOf(way?.config, '/search', '198.41.128.8')).toBe('pass');
  });

  it('takes a path of any length, and is none where it is there already or there is no room', () => {
    const [way] = waysFor({}, true, { path: `/${'a'.repeat(300)}`, paths: [`/${'a'.repeat(300)}`] });
    expect(schema.safeParse(way?.config).success).toBe(true);
    const [first] = waysFor({});
    expect(waysFor(first?.config as Config).map(({ message }) => message)).toEqual([
      'exceptions.pass_address',
      'exceptions.pass_path',
    ]);
    const full = Array.from({ length: 100 }, (_, at) => ({
      name: `${at}`,
      when: { conditions: [{ field: 'path' as const, values: ['/a'] }] },
    }));
    expect(waysFor({ black_rules: full })).toEqual([]);
  });
});
