import { tryAttacks } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { schema } from './schema.ts';
import { testAttacks } from './test-attacks.ts';

type Config = z.input<typeof schema>;
type When = NonNullable<Config['black_rules']>[number]['when'];
const attacksOf = (...whens: When[]) =>
  testAttacks(schema.parse({ black_rules: whens.map((when, index) => ({ name: `rule ${index}`, when })) }));
const verdictsOf = (when: When, action: 'block' | 'challenge' = 'block') => {
  const config = schema.parse({ black_rules: [{ name: 'mine', action, when }] });
  return tryAttacks(handler, config, testAttacks(config));
};

it.each<[string, When]>([
  ['path', { conditions: [{ field: 'path', test: 'begins_with', values: ['/wp-admin'] }] }],
  ['end of a path', { conditions: [{ field: 'path', test: 'ends_with', values: ['.php'] }] }],
  ['pattern of a path', { conditions: [{ field: 'path', test: 'matches', pattern: '^/(a|b)/[0-9]+$' }] }],
  ['query', { conditions: [{ field: 'query', test: 'contains', values: ["' OR 1=1"] }] }],
  ['user agent', { conditions: [{ field: 'user_agent', test: 'contains', values: ['sqlmap'] }] }],
  ['header', { conditions: [{ field: 'header', name: 'Referer', test: 'exists' }] }],
  ['cookie', { conditions: [{ field: 'cookie', name: 'role', values: ['admin'] }] }],
  ['argument', { conditions: [{ field: 'argument', name: 'cmd', test: 'matches', pattern: 'rm -rf' }] }],
  ['country', { conditions: [{ field: 'country', values: ['KP'] }] }],
  ['address', { conditions: [{ field: 'address', values: ['45.10.20.0/24'] }] }],
  ['method', { conditions: [{ field: 'method', values: ['TRACE', 'DELETE'] }] }],
  [
    'group',
    {
      match: 'all',
      conditions: [
        { field: 'path', values: ['/login'] },
        {
          match: 'any',
          conditions: [
            { field: 'country', values: ['KP'] },
            { field: 'asn', values: [1] },
          ],
        },
      ],
    },
  ],
])('are drawn from a condition on the %s', (_, when) => {
  expect(verdictsOf(when)).toMatchObject([{ kind: 'block', reason: 'rule_matched', rule: 'mine' }]);
  expect(verdictsOf(when, 'challenge')).toMatchObject([{ kind: 'challenge', reason: 'rule_challenged' }]);
});

it.each<[string, When]>([
  ['what is not', { conditions: [{ field: 'path', values: ['/a'], not: true }] }],
  ['a network', { conditions: [{ field: 'asn', values: [64500] }] }],
  ['a path that nginx reads as another', { conditions: [{ field: 'path', values: ['/a/../b'] }] }],
  ['a header that the edge itself sets', { conditions: [{ field: 'header', name: 'Cordon-Test', values: ['a'] }] }],
  ['two paths at once', { conditions: ['/a', '/b'].map((value) => ({ field: 'path', values: [value] })) }],
])('are none for a rule on %s', (_, when) => {
  expect(attacksOf(when)).toEqual([]);
});

it('show the rules that stop anything', () => {
  const rule = (at: number): When => ({ conditions: [{ field: 'path', values: [`/${at}`] }] });
  expect(attacksOf(rule(0), rule(1)).map(({ params }) => params.name)).toEqual(['rule 0', 'rule 1']);
  const off = schema.parse({
    black_rules: [
      { name: 'off', enabled: false, when: rule(0) },
      { name: 'log', action: 'log', when: rule(0) },
      { name: 'allow', action: 'allow', when: rule(0) },
    ],
  });
  expect(testAttacks(off)).toEqual([]);
});
