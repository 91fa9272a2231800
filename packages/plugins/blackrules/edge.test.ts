import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { testPluginCases } from '@cordon/plugin-kit/testing';
import { describe, expect, it } from 'vitest';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

describe('a rule of a schema that the node does not know', () => {
  const condition = { field: 'path', test: 'begins_with', values: ['/admin'], ignore_case: false, not: false };
  const when = { match: 'all', not: false, conditions: [condition] };
  const rule = { name: 'one', enabled: true, action: 'block', when };
  const prepare = (one: object) => () => handler.prepare({ black_rules: [one] } as never, edgeKit, undefined);

  it('is not there where all is known', () => expect(prepare(rule)).not.toThrow());

  it.each([
    ['action', { ...rule, action: 'explode' }, 'no action of rules: explode'],
    ['match', { ...rule, when: { ...when, match: 'most' } }, 'no match of rules: most'],
    ['test', { ...rule, when: { ...when, conditions: [{ ...condition, test: 'globs' }] } }, 'no test of rules: globs'],
    [
      'field',
      { ...rule, when: { ...when, conditions: [{ ...condition, field: 'zzz' }] } },
      'no field of requests: zzz',
    ],
    ['value', { ...rule, when: { ...when, conditions: [{ ...condition, values: [5] }] } }, 'a value that is no text'],
  ])('is refused for its %s, and not taken for another', (_, one, reason) => {
    expect(prepare(one)).toThrow(reason);
  });
});
