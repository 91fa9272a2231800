import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { testRoute, testSettings, testTarget, testUpstream } from '../testing/routes.ts';
import { log } from './log.ts';
import { isRefused, readChanges, readClears, readEntries, readRoutes, readSettings, readTest } from './received.ts';

const route = testRoute({ hosts: ['a.test'] });
const good = { route_id: route.id, revision: 7, route };
const entry = { feed: 'bans', scope: route.id, network: '9.9.9.9', until: null };

it('takes a change as it came, with what a newer control plane has added', () => {
  const newer = { ...good, route: { ...route, of_tomorrow: 1 } };
  expect(readChanges([newer, { ...good, route: null }])).toEqual([newer, { ...good, route: null }]);
});

it('refuses a malformed change alone, by the route that it names', () => {
  const read = readChanges([{ ...good, route: { ...route, hosts: 'a.test' } }, good]);
  expect(read.map(isRefused)).toEqual([true, false]);
  expect(read[0]).toMatchObject({ route_id: route.id, revision: 7, reason: expect.stringMatching(/^route\.hosts: /) });
});

it('leaves out what names no route, and what is no list, and says so', () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  expect(readChanges([{ ...good, route_id: 7 }, good, null, 'text'])).toEqual([good]);
  expect(readRoutes(JSON.stringify({ changes: good }))).toBeUndefined();
  expect(error).toHaveBeenCalledTimes(4);
  error.mockRestore();
});

it('leaves malformed entries of feeds out, with one line of the log for all of them', () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const malformed = [{ ...entry, until: 'soon' }, { ...entry, network: 9 }, { ...entry, scope: 'all' }, null];
  expect(readEntries([...malformed, entry])).toEqual([entry]);
  expect(error.mock.calls.map(([, detail]) => detail)).toEqual([
    { count: 4, reason: expect.stringMatching(/^until: /) },
  ]);
  error.mockRestore();
});

it.each(['1.2.3.4/33', '0.0.0.0/0x', '::1/129', '/', '', 'all', '9.9.9.9 '])(
  'leaves out %j, which is no network',
  (network) => {
    const error = vi.spyOn(log, 'error').mockImplementation(() => {});
    expect(readEntries([{ ...entry, network }])).toEqual([]);
    error.mockRestore();
  },
);

it.each([
  ['cdn_loop_id', 'a\nb'],
  ['cdn_loop_id', ''],
  ['probe_key', 'x\u2603'],
])('leaves settings out whose %s no header field can have: %j', (name, value) => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  expect(readSettings(JSON.stringify({ ...testSettings(), [name]: value }))).toBeUndefined();
  expect(error.mock.calls[0]?.[1]?.reason).toMatch(new RegExp(`^${name}: `));
  error.mockRestore();
});

it('leaves out what nginx could not read as JSON', () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  expect(readEntries([{ ...entry, feed: '\ud800' }])).toEqual([]);
  const { brands, ...settings } = testSettings();
  const cordon = { ...brands.cordon, name: 'Cordon \ud800' };
  expect(readSettings(JSON.stringify({ ...settings, brands: { cordon } }))).toBeUndefined();
  error.mockRestore();
});

it.each([-5, 0, 1e15])('refuses a route with a time-out of %d ms, which nginx would fail at', (connect_timeout_ms) => {
  const upstream = testUpstream([testTarget(80)], { connect_timeout_ms });
  const [change] = readChanges([{ ...good, route: { ...route, upstream } }]);
  expect(change).toMatchObject({ reason: expect.stringMatching(/^route\.upstream\.connect_timeout_ms: /) });
});

it('refuses a route whose name nginx could not read', () => {
  const hosts = [{ name: '\ud800.test', verified: true }];
  const [change] = readChanges([{ ...good, route: { ...route, hosts } }]);
  expect(change).toMatchObject({ reason: expect.stringMatching(/^route\.hosts\.0\.name: /) });
});

it('keeps settings and test attacks from the node that are malformed', () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  expect(readSettings(JSON.stringify({ ...testSettings(), own_addresses: '127.0.0.1' }))).toBeUndefined();
  const test = { id: randomUUID(), route_id: route.id, host: 'a.test', requests: 1 };
  expect(readTest(JSON.stringify(test))).toBeUndefined();
  expect(error).toHaveBeenCalledTimes(2);
  expect(readSettings(JSON.stringify(testSettings()))).toEqual(testSettings());
  error.mockRestore();
});

it('clears all of a route where it does not understand what of it is to be cleared', () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const clear = { id: randomUUID(), route_id: route.id, kind: 'tags', values: ['a'], soft: true };
  const strange = { ...clear, kind: 'of_tomorrow' };
  expect(readClears(JSON.stringify({ cursor: '7', clears: [clear, strange, { kind: 'all' }] }))).toEqual({
    cursor: '7',
    isAll: false,
    clears: [clear, { id: clear.id, route_id: route.id, kind: 'all', values: [], soft: false }],
  });
  expect(error).toHaveBeenCalledTimes(2);
  expect(readClears('{"cursor":"7","all":true}')).toEqual({ cursor: '7', clears: [], isAll: true });
  expect(readClears('{"cursor":"x","all":true}')).toBeUndefined();
  error.mockRestore();
});
