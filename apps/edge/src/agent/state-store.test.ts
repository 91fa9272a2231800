import { appendFileSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EdgeChange } from '@cordon/contract/edge-config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testRoute } from '../testing/routes.ts';
import { EdgeState } from './edge-state.ts';
import { StateStore } from './state-store.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cordon-state-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const change = (name: string, revision: number): EdgeChange => {
  const route = testRoute({ hosts: [name] });
  return { route_id: route.id, revision, route };
};

function follow(store: StateStore, state: EdgeState, cursor: string, changes: EdgeChange[]): void {
  for (const each of changes) state.apply(each);
  state.cursor = cursor;
  store.append({ cursor, changes }, state);
}

const names = (state: EdgeState) => [...state.routes.values()].map(({ route }) => route.hosts[0]?.name).sort();

function load(): EdgeState {
  const state = new EdgeState();
  new StateStore(dir).load(state);
  return state;
}

it('has no gap after a time in which the journal could not be written', async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  state.replace('epoch', '1', [change('first.test', 1)]);
  store.save(state);
  const journal = join(dir, 'state/journal.ndjson');
  symlinkSync('/dev/full', journal);
  follow(store, state, '2', [change('second.test', 2)]);
  await store.close();
  rmSync(journal);
  follow(store, state, '3', [change('third.test', 3)]);
  await store.close();
  expect(names(load())).toEqual(['first.test', 'second.test', 'third.test']);
  expect(load().cursor).toBe('3');
});

it('reads nothing of the journal of another history than the snapshot is of', async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  state.replace('old', '1', []);
  store.save(state);
  follow(store, state, '900', [change('stale.test', 900)]);
  await store.close();
  const journal = join(dir, 'state/journal.ndjson');
  renameSync(journal, `${journal}.old`);
  state.replace('new', '5', [change('fresh.test', 1)]);
  store.save(state);
  // Killed between the two: the new snapshot is in place, the old journal not yet gone.
  if (existsSync(journal)) rmSync(journal);
  renameSync(`${journal}.old`, journal);
  expect(names(load())).toEqual(['fresh.test']);
  expect(load().cursor).toBe('5');
});

it('loses no later line to one that was being written when the agent was killed', async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  state.replace('epoch', '1', [change('first.test', 1)]);
  store.save(state);
  follow(store, state, '2', [change('second.test', 2)]);
  await store.close();
  appendFileSync(join(dir, 'state/journal.ndjson'), '{"jour');
  const [restarted, later] = [new StateStore(dir), new EdgeState()];
  restarted.load(later);
  follow(restarted, later, '3', [change('third.test', 3)]);
  await restarted.close();
  expect(names(load())).toEqual(['first.test', 'second.test', 'third.test']);
  expect(load().cursor).toBe('3');
});

it('asks for a snapshot at its next start where a route was refused, which another agent may take', () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  state.replace('epoch', '1', [change('first.test', 1)]);
  state.hasRefused = true;
  store.save(state);
  expect([state.epoch, load().epoch]).toEqual(['epoch', '']);
  state.replace('epoch', '2', [change('first.test', 1)]);
  store.save(state);
  expect(load().epoch).toBe('epoch');
});

it("knows the node's own bans again, of the snapshot as of the journal", async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  const until = Math.ceil(Date.now() / 1000) + 600;
  const ban = (network: string) => ({ feed: 'bans', scope: 'route', network, until, account_id: 'account' });
  state.feeds.apply(ban('9.9.9.1'));
  store.save(state);
  for (const entry of [ban('9.9.9.2'), { feed: 'bans', scope: 'route', network: '9.9.9.3', until: null }]) {
    state.feeds.apply(entry);
    store.append({ feeds: [entry] }, state);
  }
  await store.close();
  const { feeds } = load();
  expect([feeds.size, feeds.own.countOf('account')]).toEqual([3, 2]);
  feeds.replace([]);
  expect([...feeds.entries()].map(({ network }) => network)).toEqual(['9.9.9.1', '9.9.9.2']);
});

it('knows which receipts it owes, of what came with a snapshot as of later changes', async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  const [told, untold, changed, later] = ['told.test', 'untold.test', 'changed.test', 'later.test'].map((name, i) =>
    change(name, i),
  ) as [EdgeChange, EdgeChange, EdgeChange, EdgeChange];
  state.replace('epoch', '1', [told, untold, changed]);
  for (const { route_id } of [told, untold, changed]) state.owed.add(route_id);
  store.save(state);
  store.append({ told: [told.route_id, changed.route_id] }, state);
  follow(store, state, '2', [{ ...changed, revision: 5 }, later]);
  await store.settle();
  expect([...load().owed].sort()).toEqual([untold, changed, later].map(({ route_id }) => route_id).sort());
  store.append({ told: [untold, changed, later].map(({ route_id }) => route_id) }, state);
  store.append({ owed: [told.route_id] }, state);
  await store.close();
  expect([...load().owed]).toEqual([told.route_id]);
});

describe('of routes that nginx had not judged when the agent was killed', () => {
  const versionOf = (cursor: string, version: number): EdgeChange => {
    const route = testRoute({ id: 'a-route', hosts: ['a.test'], version });
    return { route_id: route.id, revision: Number(cursor), route };
  };
  /** What is served of the route once nginx has refused it as it is. */
  const afterRefusal = () => {
    const state = load();
    const known = state.routes.get('a-route');
    if (!known) throw new Error('the route is not there');
    return state.refuse('a-route', known)?.route.version;
  };
  const judge = (store: StateStore, state: EdgeState) => {
    state.noteJudged(['a-route']);
    store.append({ judged: ['a-route'] }, state);
  };

  it('the last good one is there again, behind a change as behind a snapshot', async () => {
    const [store, state] = [new StateStore(dir), new EdgeState()];
    state.replace('epoch', '1', [versionOf('1', 1)]);
    store.save(state);
    judge(store, state);
    follow(store, state, '2', [versionOf('2', 2)]);
    await store.settle();
    expect(afterRefusal()).toBe(1);
    // The stream begins with the last change again.
    follow(store, state, '2', [versionOf('2', 2)]);
    state.replace('other', '3', [versionOf('1', 3)]);
    store.save(state);
    expect(afterRefusal()).toBe(1);
    judge(store, state);
    follow(store, state, '4', [versionOf('2', 4)]);
    await store.close();
    expect(afterRefusal()).toBe(3);
  });

  it('none was good where nginx had served none', async () => {
    const [store, state] = [new StateStore(dir), new EdgeState()];
    state.replace('epoch', '1', [versionOf('1', 1)]);
    store.save(state);
    follow(store, state, '2', [versionOf('2', 2)]);
    await store.close();
    expect(afterRefusal()).toBeUndefined();
  });
});

it('knows what nginx has cleared, and whose receipts are owed, over snapshots and journals', async () => {
  const [store, state] = [new StateStore(dir), new EdgeState()];
  state.replace('epoch', '1', []);
  state.clears.follow('epoch');
  state.clears.cursor = '10';
  state.clears.owed.set('first', 1).set('second', 2);
  store.save(state);
  store.append({ clears_cursor: '11', cleared: [['third', 3]] }, state);
  store.append({ cleared_told: ['first'] }, state);
  await store.close();
  const { clears } = load();
  expect([clears.cursor, clears.epoch, [...clears.owed]]).toEqual([
    '11',
    'epoch',
    [
      ['second', 2],
      ['third', 3],
    ],
  ]);
  clears.follow('epoch');
  expect(clears.cursor).toBe('11');
  clears.follow('another');
  expect(clears.cursor).toBe('');
});
