import type { EdgeFeedEntry } from '@cordon/contract/edge-config';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RunnerFeedEntries, RunnerFeedLine, RunnerOwnBans } from '../runner/payload.ts';
import { FeedPublisher } from './feed-publisher.ts';
import { FeedState } from './feed-state.ts';
import { log } from './log.ts';

let state: FeedState;
/** Scopes that are served, with their accounts. */
let served: Map<string, string>;
let batches: RunnerFeedLine[][];
let answer: () => Promise<{ boot_id: string; failed: number; error: string }>;
let publisher: FeedPublisher;

beforeEach(() => {
  state = new FeedState();
  served = new Map([
    ['large', 'account of large'],
    ['small', 'account of small'],
  ]);
  batches = [];
  answer = async () => ({ boot_id: '', failed: 0, error: '' });
  publisher = new FeedPublisher(
    state,
    {
      postFeeds: async (lines) => {
        batches.push([...lines]);
        return answer();
      },
    },
    (scope) => served.get(scope),
  );
});

const ban = (scope: string, network: string, until: number | null = null): EdgeFeedEntry => ({
  feed: 'bans',
  scope,
  network,
  until,
});
const large = Array.from({ length: 100_000 }, (_, at) => ban('large', `20.${at >> 16}.${(at >> 8) & 255}.${at & 255}`));
const publish = (entries: readonly EdgeFeedEntry[]) => {
  for (const entry of entries) state.apply(entry);
  publisher.publish(entries);
};
const isEntries = (line: RunnerFeedLine): line is RunnerFeedEntries => 'networks' in line;
/** One by one. */
const entriesOf = (lines: readonly RunnerFeedLine[] = []) =>
  lines.filter(isEntries).flatMap(({ networks, ...line }) => networks.map((network) => ({ ...line, network })));
const isCount = (line: RunnerFeedLine): line is RunnerOwnBans => 'account' in line;
const sent = () => entriesOf(batches.flat());

it('does not let a few bans wait for the many of another account', async () => {
  const before = process.cpuUsage();
  publish(large);
  publish([ban('small', '9.9.9.9')]);
  await publisher.settle();
  const first = batches.findIndex((lines) => entriesOf(lines).some(({ scope }) => scope === 'small'));
  // The first had gone when it came.
  expect(first).toBe(1);
  expect(sent()).toHaveLength(100_001);
  expect(new Set(sent().map(({ network }) => network)).size).toBe(100_001);
  expect(batches.length).toBeLessThan(110);
  // Where each batch looked at all that is left, it would be ten times that.
  expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
});

it.each(Array.from({ length: 12 }, (_, at) => at))('sends what comes %i steps after the last answer', async (steps) => {
  let answered = () => {};
  const last = new Promise<void>((resolve) => {
    answered = resolve;
  });
  answer = async () => {
    answered();
    return { boot_id: '', failed: 0, error: '' };
  };
  publish([ban('small', '9.9.9.9')]);
  await last;
  for (let step = 0; step < steps; step++) await undefined;
  publish([ban('small', '9.9.9.8')]);
  await publisher.settle();
  expect(sent().map(({ network }) => network)).toEqual(['9.9.9.9', '9.9.9.8']);
});

it('gives scopes their turns in one batch', async () => {
  publish([...large.slice(0, 5000), ...large.slice(0, 5000).map((entry) => ({ ...entry, scope: 'small' }))]);
  await publisher.settle();
  const ofFirst = entriesOf(batches[0]);
  expect([ofFirst.length, ofFirst.filter(({ scope }) => scope === 'small').length]).toEqual([1000, 500]);
});

it('says the entries of a scope that end at the same time in one line', async () => {
  const until = Math.ceil(Date.now() / 1000) + 60;
  publish([
    ban('small', '9.9.9.1'),
    ban('small', '9.9.9.2', until),
    ban('small', '9.9.9.3'),
    ban('small', '9.9.9.4', until),
    ban('small', '9.9.9.5', until + 1),
    { ...ban('small', '9.9.9.1'), feed: 'allowed' },
    ban('large', '9.9.9.1'),
  ]);
  await publisher.settle();
  expect((batches[0] ?? []).filter(isEntries)).toEqual([
    { feed: 'bans', scope: 'small', networks: ['9.9.9.1', '9.9.9.3'] },
    { feed: 'bans', scope: 'small', networks: ['9.9.9.2', '9.9.9.4'], until },
    { feed: 'bans', scope: 'small', networks: ['9.9.9.5'], until: until + 1 },
    { feed: 'allowed', scope: 'small', networks: ['9.9.9.1'] },
    { feed: 'bans', scope: 'large', networks: ['9.9.9.1'] },
  ]);
});

it('gives an account with many domains no more turns than one with few', async () => {
  const scopes = Array.from({ length: 1000 }, (_, at) => `of many ${at}`);
  for (const scope of scopes) served.set(scope, 'account of many');
  const addresses = Array.from({ length: 10 }, (_, at) => `9.9.9.${at}`);
  publish(scopes.flatMap((scope) => addresses.map((network) => ban(scope, network))));
  publish(large.slice(0, 2000));
  await publisher.settle();
  // The first batch had gone when the others came.
  const ofMany = (lines: readonly RunnerFeedLine[] = []) =>
    entriesOf(lines).filter(({ scope }) => scope !== 'large').length;
  expect([ofMany(batches[0]), ofMany(batches[1]), ofMany(batches[2])]).toEqual([1000, 500, 500]);
  expect(sent()).toHaveLength(12_000);
});

it('says again what nginx did not take, unless something newer came meanwhile', async () => {
  let fails = true;
  answer = async () => {
    if (!fails) return { boot_id: '', failed: 0, error: '' };
    fails = false;
    await undefined;
    publish([ban('small', '9.9.9.1', 0)]);
    throw new Error('nginx is being started');
  };
  publish([ban('small', '9.9.9.1'), ban('small', '9.9.9.2')]);
  await publisher.settle();
  expect(entriesOf(batches[1])).toEqual([
    { feed: 'bans', scope: 'small', network: '9.9.9.1', until: 0 },
    { feed: 'bans', scope: 'small', network: '9.9.9.2' },
  ]);
});

it('keeps scopes that the node does not serve out of nginx, until it does', async () => {
  publish([ban('later', '9.9.9.9'), ban('small', '9.9.9.9')]);
  await publisher.settle();
  expect(sent().map(({ scope }) => scope)).toEqual(['small']);
  served.set('later', 'account of later');
  expect(publisher.publishScopes(new Set(['later', 'nothing']))).toBe(true);
  expect(publisher.publishScopes(new Set(['nothing']))).toBe(false);
  await publisher.settle();
  expect(batches.at(-1)).toEqual([
    { feed: 'bans', scope: 'later', prefixes: '32;' },
    { feed: 'bans', scope: 'later', networks: ['9.9.9.9'] },
  ]);
});

it('sends what ends of a scope that the node does not serve, and nothing else of it', async () => {
  publish([ban('later', '9.9.9.8', 0), ban('later', '9.9.9.9'), ban('later', '9.9.9.7', 0), ban('small', '9.9.9.9')]);
  await publisher.settle();
  expect(sent().map(({ scope, network }) => `${scope} ${network}`)).toEqual([
    'later 9.9.9.8',
    'later 9.9.9.7',
    'small 9.9.9.9',
  ]);
});

it('takes scopes that the node no longer serves out of nginx, and brings them back', async () => {
  publish([ban('small', '9.9.9.9')]);
  served.delete('small');
  publish([ban('small', '9.9.9.9', 0)]);
  await publisher.settle();
  expect(batches.at(-1)).toEqual([
    { feed: 'bans', scope: 'small' },
    { feed: 'bans', scope: 'small', networks: ['9.9.9.9'], until: 0 },
  ]);
  expect(sent()).toHaveLength(2);
  state.apply(ban('small', '9.9.9.9'));
  served.set('small', 'account of small');
  publisher.publishScopes(new Set(['small']));
  await publisher.settle();
  expect(sent().at(-1)).toEqual({ feed: 'bans', scope: 'small', network: '9.9.9.9' });
});

it('tries again what found no room, and only that makes it say everything again', async () => {
  answer = async () => ({ boot_id: '', failed: 1, error: 'no memory' });
  publish([ban('small', '9.9.9.9')]);
  await publisher.settle();
  answer = async () => ({ boot_id: '', failed: 0, error: '' });
  for (let times = 0; times < 2; times++) {
    publisher.publishFailed();
    await publisher.settle();
  }
  expect([batches.length, publisher.failed]).toEqual([2, 1]);
});

it('says how much has been heard of the feeds behind the last of the entries, again to nginx that was started anew', async () => {
  const cursors = () => batches.map((lines) => lines.flatMap((line) => ('cursor' in line ? line.cursor : [])).join());
  state.cursor = '7';
  publish(large.slice(0, 2500));
  state.cursor = '8';
  publish([]);
  await publisher.settle();
  expect(cursors()).toEqual(['', '', '8']);
  expect(batches.at(-1)?.at(-1)).toEqual({ cursor: '8' });
  // Also where it is all there is to say, and what failed again.
  let fails = true;
  answer = async () => {
    if (!fails) return { boot_id: '', failed: 0, error: '' };
    fails = false;
    throw new Error('nginx is being started');
  };
  state.cursor = '9';
  publish([]);
  await publisher.settle();
  publish([]);
  await publisher.settle();
  expect(cursors().slice(3)).toEqual(['9', '9']);
  publisher.publishAll();
  await publisher.settle();
  expect(cursors().slice(5)).toEqual(['', '', '9']);
});

it('tells how many bans of the node an account has whenever that changes, again after a failure, and all with everything', async () => {
  const counts = () => batches.flat().filter(isCount);
  let fails = true;
  answer = async () => {
    if (fails) {
      fails = false;
      throw new Error('nginx is being started');
    }
    return { boot_id: '', failed: 0, error: '' };
  };
  state.apply({ ...ban('small', '9.9.9.9'), account_id: 'account' });
  state.apply({ ...ban('large', '9.9.9.9'), account_id: 'account' });
  publisher.publish([]);
  await publisher.settle();
  expect(counts()).toEqual([
    { account: 'account', own_bans: 2 },
    { account: 'account', own_bans: 2 },
  ]);
  publish([ban('small', '9.9.9.9'), ban('large', '9.9.9.9', 0)]);
  await publisher.settle();
  expect(counts().at(-1)).toEqual({ account: 'account', own_bans: 0 });
  publisher.publish([]);
  await publisher.settle();
  expect(counts()).toHaveLength(3);
  state.apply({ ...ban('large', '9.9.9.9'), account_id: 'other' });
  publisher.publish([]);
  await publisher.settle();
  publisher.publishAll();
  await publisher.settle();
  expect(counts().slice(3)).toEqual([
    { account: 'other', own_bans: 1 },
    { account: 'other', own_bans: 1 },
  ]);
});

it('does not complain of an nginx that is still starting, and does of one that fails', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const failsWith = async (code: string) => {
    let calls = 0;
    const postFeeds = async () => {
      calls += 1;
      // The eighth is behind the longest wait.
      if (calls < 9) throw Object.assign(new Error(code), { code });
      return answer();
    };
    const failing = new FeedPublisher(state, { postFeeds }, (scope) => served.get(scope));
    failing.publish([ban('small', '9.9.9.9')]);
    await failing.settle();
    expect(calls).toBeGreaterThan(8);
  };
  try {
    state.apply(ban('small', '9.9.9.9'));
    await Promise.all([failsWith('ENOENT'), failsWith('ECONNRESET')]);
    expect(warn.mock.calls.map(([, fields]) => String(fields?.error))).toEqual(['Error: ECONNRESET']);
  } finally {
    warn.mockRestore();
  }
});
