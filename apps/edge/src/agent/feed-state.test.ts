import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FeedState } from './feed-state.ts';

const SCOPE = { feed: 'bans', scope: 'route' };
const now = () => Math.floor(Date.now() / 1000);
let state: FeedState;
beforeEach(() => {
  state = new FeedState();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the feeds that an agent knows', () => {
  it('tell which prefix lengths occur, narrowest first', () => {
    expect(state.prefixesOf(SCOPE)).toBeUndefined();
    for (const network of ['9.9.0.0/16', '9.9.9.9', '8.0.0.0/8', '2606:4700::/48'])
      state.apply({ ...SCOPE, network, until: null });
    expect(state.prefixesOf(SCOPE)).toBe('32,16,8;48');
    state.apply({ ...SCOPE, network: '9.9.9.9', until: 0 });
    expect(state.prefixesOf(SCOPE)).toBe('16,8;48');
  });

  it('are replaced by a snapshot, which ends what is no longer there', () => {
    state.apply({ ...SCOPE, network: '9.9.9.9', until: null });
    state.apply({ ...SCOPE, network: '9.9.9.8', until: null });
    const ended = state.replace([{ ...SCOPE, network: '9.9.9.8', until: null }]);
    expect(ended).toEqual([{ ...SCOPE, network: '9.9.9.9', until: 0 }]);
    expect([...state.entries()]).toEqual([{ ...SCOPE, network: '9.9.9.8', until: null }]);
  });

  it('take in nothing that has ended', () => {
    state.apply({ ...SCOPE, network: '9.9.9.9', until: now() - 1 });
    expect(state.size).toBe(0);
    state.apply({ ...SCOPE, network: '9.9.9.9', until: now() + 60 });
    expect(state.size).toBe(1);
  });

  it('keep what has no end, whether or not its route is served at the moment', () => {
    state.apply({ ...SCOPE, network: '9.9.9.9', until: null });
    state.apply({ feed: 'bans', scope: 'other', network: '9.9.9.9', until: now() + 60 });
    expect(state.forgetEnded()).toEqual([]);
    expect(state.size).toBe(2);
  });

  it('forget what has ended, and say so where a feed is empty then', () => {
    vi.useFakeTimers({ now: 1_790_000_000_000 });
    state.apply({ ...SCOPE, network: '9.9.9.9', until: now() + 60 });
    state.apply({ ...SCOPE, network: '9.9.9.0/24', until: now() + 60 });
    state.apply({ feed: 'bans', scope: 'other', network: '9.9.9.9', until: now() + 60 });
    state.apply({ feed: 'bans', scope: 'other', network: '9.9.0.0/16', until: null });
    vi.setSystemTime(1_790_000_061_000);
    expect(state.forgetEnded()).toEqual([{ ...SCOPE, network: '9.9.9.0/24', until: 0 }]);
    expect(state.forgetEnded()).toEqual([]);
    expect(state.size).toBe(1);
    expect(state.prefixesOf(SCOPE)).toBeUndefined();
    expect(state.prefixesOf({ feed: 'bans', scope: 'other' })).toBe('16;');
  });

  it("take in a node's ban where none that lasts longer holds", () => {
    state.apply({ ...SCOPE, network: '9.9.9.1', until: null });
    state.apply({ ...SCOPE, network: '9.9.9.2', until: now() + 3600 });
    state.apply({ ...SCOPE, network: '9.9.9.3', until: now() + 10 });
    const given = ['9.9.9.1', '9.9.9.2', '9.9.9.3', '9.9.9.4'].map((network) => ({
      ...SCOPE,
      network,
      until: now() + 60,
    }));
    const { taken, held } = state.weigh(given);
    expect(taken.map(({ network }) => network)).toEqual(['9.9.9.3', '9.9.9.4']);
    expect(held).toEqual([
      { ...SCOPE, network: '9.9.9.1', until: null },
      { ...SCOPE, network: '9.9.9.2', until: now() + 3600 },
    ]);
  });

  it('tell the prefix lengths without reading all entries again', () => {
    for (let at = 0; at < 100_000; at++)
      state.apply({
        ...SCOPE,
        network: `2a02:1:${(at >> 16).toString(16)}:${(at & 65535).toString(16)}::/64`,
        until: null,
      });
    const before = process.cpuUsage();
    const prefixes = new Set(Array.from({ length: 1000 }, () => state.prefixesOf(SCOPE)));
    expect(process.cpuUsage(before).user).toBeLessThan(400_000);
    expect([...prefixes]).toEqual([';64']);
  });

  it("keep the node's own bans over a snapshot until the control plane tells of the same network, or of its lift", () => {
    const own = (network: string) => ({ ...SCOPE, network, until: now() + 60, account_id: 'account' });
    for (const network of ['9.9.9.1', '9.9.9.2', '9.9.9.3']) state.apply(own(network));
    state.apply({ ...SCOPE, network: '9.9.9.4', until: null });
    expect(state.replace([{ ...SCOPE, network: '9.9.9.1', until: null }])).toEqual([
      { ...SCOPE, network: '9.9.9.4', until: 0 },
    ]);
    expect([...state.entries()]).toEqual([
      { ...SCOPE, network: '9.9.9.1', until: null },
      own('9.9.9.2'),
      own('9.9.9.3'),
    ]);
    state.apply({ ...SCOPE, network: '9.9.9.2', until: now() + 60 });
    state.apply({ ...SCOPE, network: '9.9.9.3', until: 0 });
    expect(state.replace([])).toEqual([
      { ...SCOPE, network: '9.9.9.1', until: 0 },
      { ...SCOPE, network: '9.9.9.2', until: 0 },
    ]);
    expect(state.size).toBe(0);
  });

  it('tell how many bans of the node an account has: not those that the control plane tells of, nor those that have ended', () => {
    vi.useFakeTimers({ now: 1_790_000_000_000 });
    const own = (scope: string, network: string, seconds: number, account_id = 'account') =>
      state.apply({ feed: 'bans', scope, network, until: now() + seconds, account_id });
    own('route', '9.9.9.1', 60);
    own('route', '9.9.9.1', 60);
    own('route', '9.9.9.2', 120);
    own('other', '9.9.9.1', 120);
    own('third', '9.9.9.1', 120, 'another');
    const counts = () => [state.own.countOf('account'), state.own.countOf('another'), state.own.takeChanged()];
    expect(counts()).toEqual([3, 1, ['account', 'another']]);
    expect(counts()).toEqual([3, 1, []]);
    vi.setSystemTime(1_790_000_061_000);
    state.own.forgetEnded();
    expect(counts()).toEqual([2, 1, ['account']]);
    state.apply({ feed: 'bans', scope: 'other', network: '9.9.9.1', until: null });
    expect(counts()).toEqual([1, 1, ['account']]);
    state.replace([]);
    expect([state.own.countOf('account'), state.own.countOf('another')]).toEqual([1, 1]);
  });
});
