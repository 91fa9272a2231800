import { type Address, parseAddress } from '@cordon/contract/address';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext, createPlainState, type PlainRequest } from '@cordon/plugin-kit/plain-context';
import { describe, expect, it } from 'vitest';
import { handler } from './edge.ts';
import { ALL_CONDITIONS_MAX, schema } from './schema.ts';

const rulesOf = (action: string, condition: (at: number) => object) =>
  handler.prepare(
    schema.parse({
      black_rules: Array.from({ length: ALL_CONDITIONS_MAX / 20 }, (_, rule) => ({
        name: `r${rule}`,
        action,
        when: { match: 'any', conditions: Array.from({ length: 20 }, (__, at) => condition(rule * 20 + at)) },
      })),
    }),
    edgeKit,
    undefined,
  );

function look(action: string, condition: (at: number) => object, sent: Partial<PlainRequest>) {
  const rules = rulesOf(action, condition);
  const request: PlainRequest = {
    method: 'GET',
    scheme: 'http',
    host: 'a.test',
    path: '/',
    query: '',
    headers: [],
    clientAddress: parseAddress('203.0.113.7') as Address,
    country: '',
    crawler: '',
    now: 0,
    ...sent,
  };
  const context = createPlainContext(request, createPlainState());
  const before = process.cpuUsage().user;
  const verdict = handler.access?.(context, rules);
  return { verdict, milliseconds: (process.cpuUsage().user - before) / 1000 };
}

const LONG = 15_900;
const header = (value: string) => ({ headers: [{ name: 'x-a', value }] });
const pattern = (field: object) => (at: number) => ({ ...field, test: 'matches', pattern: `zz${at}q` });
const contains = (at: number) => ({
  field: 'header',
  name: 'x-a',
  test: 'contains',
  ignore_case: true,
  values: [0, 1, 2, 3].map((one) => `${'a'.repeat(90)}b${at * 4 + one}`),
});

describe.each<[string, (at: number) => object, Partial<PlainRequest>]>([
  ['bytes of no character', pattern({ field: 'header', name: 'x-a' }), header('\udcff'.repeat(LONG))],
  ['ASCII', pattern({ field: 'header', name: 'x-a' }), header('a'.repeat(LONG))],
  ['a path of other letters', pattern({ field: 'path' }), { path: `/${'%C3%A9'.repeat(LONG / 6)}` }],
  ['an escaped query', pattern({ field: 'query' }), { query: '%61'.repeat(LONG / 3) }],
  ['long values in any case', contains, header('a'.repeat(LONG))],
])('of a long text that every rule reads, %s,', (_, condition, sent) => {
  it('no more is read than others can wait for', () => {
    // Some 10 ms on a quiet machine; up to seconds without a bound.
    expect(look('log', condition, sent).milliseconds).toBeLessThan(100);
  });

  it('what is not read is in doubt: it is blocked, and let pass by no rule', () => {
    expect(look('block', condition, sent).verdict).toMatchObject({ kind: 'block', reason: 'rule_matched' });
    expect(look('allow', condition, sent).verdict).toBeUndefined();
  });
});

it.each<[string, (at: number) => object, Partial<PlainRequest>]>([
  [
    'arguments',
    (at) => ({ field: 'argument', name: `n${at}`, test: 'exists' }),
    { query: Array(2600).fill('%61=1').join('&') },
  ],
  [
    'cookies',
    (at) => ({ field: 'cookie', name: `n${at}`, test: 'exists' }),
    { headers: [{ name: 'cookie', value: Array(4000).fill('a=1').join(';') }] },
  ],
])('takes %s apart once, however many rules ask for one', (_, condition, sent) =>
  expect(look('log', condition, sent).milliseconds).toBeLessThan(100),
);

it('reads all of what visitors send', () => {
  const sent = { query: `q=${'a'.repeat(500)}`, headers: [{ name: 'user-agent', value: 'Mozilla/5.0 '.repeat(15) }] };
  expect(look('block', pattern({ field: 'user_agent' }), sent).verdict).toBeUndefined();
  expect(look('block', pattern({ field: 'argument', name: 'q' }), sent).verdict).toBeUndefined();
});
