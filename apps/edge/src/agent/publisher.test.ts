import type { EdgeChange, EdgeRoute } from '@cordon/contract/edge-config';
import { afterEach, expect, it, vi } from 'vitest';
import { testRoute, testSettings } from '../testing/routes.ts';
import type { AdminClient } from './admin-client.ts';
import { EdgeState } from './edge-state.ts';
import { log } from './log.ts';
import { Publisher } from './publisher.ts';
import type { OriginParts } from './runner-route.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls that are enough for the agent to lose its patience. */
const FAILURES = 8;

/** Until an nginx that fails at first with `error` knows everything. */
async function publishUntilComplete(error: Error): Promise<void> {
  let calls = 0;
  const putSettings = async () => {
    calls += 1;
    if (calls <= FAILURES) throw error;
    return { boot_id: 'boot' };
  };
  const state = new EdgeState();
  state.settings = testSettings();
  const publisher = new Publisher(state, { putSettings } as unknown as AdminClient, { resolver: {} } as OriginParts);
  await new Promise<void>((resolve) => {
    publisher.onComplete = resolve;
    publisher.publishSettings();
  });
  expect(calls).toBe(FAILURES + 1);
}

it('warns of an nginx that refuses the configuration, not of one that is not up yet', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const refusal = new Error('nginx answered 500: no');
  const absence = Object.assign(new Error('connect ENOENT admin.sock'), { code: 'ENOENT' });
  await Promise.all([refusal, absence].map(publishUntilComplete));
  expect(warn.mock.calls).toEqual([['nginx does not take the configuration', { error: refusal }]]);
});

it('refuses a route that cannot be read, and publishes the others', async () => {
  vi.spyOn(log, 'error').mockImplementation(() => {});
  const state = new EdgeState();
  state.settings = testSettings();
  const [good, bad] = ['good', 'bad'].map((id) => testRoute({ id, hosts: [`${id}.test`] }));
  for (const route of [{ ...bad, plugins: null }, good] as EdgeRoute[])
    state.apply({ route_id: route.id, revision: 1, route } as EdgeChange);
  const posted: string[] = [];
  const postChanges = async (changes: { route_id: string }[]) => {
    posted.push(...changes.map(({ route_id: id }) => id));
    return { boot_id: 'boot' };
  };
  const admin = { postChanges, putSettings: async () => ({ boot_id: 'boot' }) } as unknown as AdminClient;
  const parts = { resolver: {}, tlsCas: { prepare: async () => {} } } as unknown as OriginParts;
  const publisher = new Publisher(state, admin, parts);
  const refused = vi.fn();
  publisher.onRefused = refused;
  await new Promise<void>((resolve) => {
    publisher.onComplete = resolve;
    publisher.publishAll(false);
  });
  expect(posted).toEqual(['good']);
  expect(refused).toHaveBeenCalledExactlyOnceWith('bad', expect.anything(), expect.stringContaining('null'));
});

it('says nothing of a version that another has followed while nginx was told, only of that one', async () => {
  vi.spyOn(log, 'error').mockImplementation(() => {});
  const state = new EdgeState();
  state.settings = testSettings();
  const takeOver = (id: string, version: number) =>
    state.apply({ route_id: id, revision: version, route: testRoute({ id, version, hosts: [`${id}.test`] }) });
  for (const id of ['good', 'bad']) takeOver(id, 1);
  let calls = 0;
  const postChanges = async () => {
    calls += 1;
    if (calls === 1) for (const id of ['good', 'bad']) takeOver(id, 2);
    if (calls === 1) publisher.publish(['good', 'bad']);
    return { boot_id: 'boot', failed: [{ route_id: 'bad', error: 'no' }] };
  };
  const admin = { postChanges, putSettings: async () => ({ boot_id: 'boot' }) } as unknown as AdminClient;
  const parts = { resolver: {}, tlsCas: { prepare: async () => {} } } as unknown as OriginParts;
  const publisher = new Publisher(state, admin, parts);
  const said: string[] = [];
  publisher.onPublished = (ids) => said.push(...ids.map((id) => `${id} ${state.routes.get(id)?.route.version}`));
  publisher.onRefused = (id, known) => said.push(`not ${id} ${known.route.version}`);
  await new Promise<void>((resolve) => {
    publisher.onComplete = resolve;
    publisher.publishAll(false);
  });
  expect([calls, said]).toEqual([2, ['good 2', 'not bad 2']]);
});
