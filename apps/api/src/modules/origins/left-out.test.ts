import type { UpstreamTarget } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { judgeTargetsDown, type NodeState } from '../health/service.ts';
import { marksOf, standingOf } from './left-out.ts';

const ROUTE = 'a';
const target = (host: string, port: number | null = null): UpstreamTarget => ({ host, port, weight: 1, backup: false });
const node = (...down: string[]): NodeState => ({
  ...{ id: 'n', name: 'n', czones: ['free01'], addresses: [], is_live: true, last_seen_at: null, nginx: 'running' },
  down: down.map((address) => ({ route_id: ROUTE, target: address, since: 100 })),
});

describe.each<[string, UpstreamTarget, string[], string[], string]>([
  ['an address', target('192.0.2.7'), [], ['192.0.2.7:443'], 'down'],
  ['an address by another port', target('192.0.2.7', 8443), [], ['192.0.2.7:443'], 'up'],
  ['an address of which another begins alike', target('192.0.2.7'), [], ['192.0.2.77:443'], 'up'],
  ['an IPv6 address', target('2a00:1450::9'), [], ['[2a00:1450::9]:443'], 'down'],
  ['a name at one of its addresses', target('o.example'), ['192.0.2.7', '192.0.2.8'], ['192.0.2.8:443'], 'partly'],
  ['a name at all of them', target('o.example'), ['192.0.2.7'], ['192.0.2.7:443'], 'down'],
  ['a name that was not looked up', target('o.example'), [], ['192.0.2.7:443'], 'up'],
])('%s', (_, one, found, down, state) => {
  it(`is ${state} where a node leaves out ${down}`, () => {
    expect(standingOf(one, marksOf(ROUTE, node(...down)), found).state).toBe(state);
    expect(standingOf(one, marksOf('another', node(...down)), found).state).toBe('up');
    expect(standingOf(one, marksOf(ROUTE, { ...node(...down), is_live: false }), found).state).toBe('up');
  });
});

it.each([
  [['192.0.2.7:443'], 'some_fail', ['down', 'up']],
  [['192.0.2.7:443', '192.0.2.8:443'], 'none_answers', ['down', 'down']],
  [['192.0.2.99:443'], undefined, ['up', 'up']],
])('is judged for the domain as for its origins: %j', (down, finding, states) => {
  const targets = [target('192.0.2.7'), target('192.0.2.8')];
  expect(judgeTargetsDown(ROUTE, targets, [node(...down)])?.finding).toBe(finding);
  expect(targets.map((one) => standingOf(one, marksOf(ROUTE, node(...down))).state)).toEqual(states);
});
