import { beforeEach, describe, expect, it } from 'vitest';
import { FeedState } from './feed-state.ts';

const SCOPE = { feed: 'bans', scope: 'route' };
const now = () => Math.floor(Date.now() / 1000);
let state: FeedState;
beforeEach(() => {
  state = new FeedState();
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

  it('forget the feeds of routes that are gone, and say so where a feed is empty then', () => {
    state.apply({ ...SCOPE, network: '9.9.9.9', until: null });
    state.apply({ feed: 'bans', scope: 'other', network: '9.9.9.9', until: null });
    expect(state.forgetEnded((scope) => scope === 'other')).toEqual([{ ...SCOPE, network: '9.9.9.9', until: 0 }]);
    expect(state.forgetEnded((scope) => scope === 'other')).toEqual([]);
    expect(state.size).toBe(1);
  });
});
