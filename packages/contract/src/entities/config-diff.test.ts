import { describe, expect, it } from 'vitest';
import { isSame } from '../is-same.ts';
import { targetAddress } from '../target-host.ts';
import { countChanged, diffConfigs, entryText } from './config-diff.ts';
import type { RouteConfig } from './routes.ts';

const sampleConfig = (hosts: readonly string[] = ['192.0.2.10']): RouteConfig => ({
  traffic_action: 'upstream',
  upstreams: {
    protocol: 'http',
    targets: hosts.map((host) => ({ host, port: null, weight: 1, backup: false })),
    connection_limit: 0,
    tls_verification: 'strict',
    tls_ca: null,
  },
  plugins: [],
});

const withPlugin = (enabled: boolean, config: Record<string, unknown>): RouteConfig => ({
  ...sampleConfig(),
  plugins: [{ name: 'some-plugin', enabled, config }],
});

describe('diffConfigs', () => {
  it('tells settings of the connection, and takes what an old version lacks for the default', () => {
    const { connection_limit: _, tls_verification: __, tls_ca: ___, ...old } = sampleConfig().upstreams;
    const before = { ...sampleConfig(), upstreams: old } as RouteConfig;
    expect(diffConfigs(before, sampleConfig())).toEqual([]);
    expect(diffConfigs(null, sampleConfig()).map(({ field }) => field)).toEqual([
      'traffic_action',
      'protocol',
      'targets',
    ]);
    const after = { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, connection_limit: 9 } };
    expect(diffConfigs(before, after)).toEqual([
      { plugin: undefined, field: 'connection_limit', change: { kind: 'value', before: 0, after: 9 } },
    ]);
  });

  it('finds nothing between equal configurations, whatever the order of keys', () => {
    expect(diffConfigs(sampleConfig(), sampleConfig())).toEqual([]);
    expect(isSame({ a: 1, b: [1] }, { b: [1], a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
  });

  it('tells targets as added, removed and changed by their address', () => {
    const before = sampleConfig(['192.0.2.10', '192.0.2.11']);
    const after = sampleConfig(['192.0.2.10', '192.0.2.12']);
    (after.upstreams.targets[0] as { weight: number }).weight = 3;
    const [change, ...rest] = diffConfigs(before, after);
    expect(rest).toEqual([]);
    expect(change).toMatchObject({ plugin: undefined, field: 'targets', change: { kind: 'targets' } });
    if (change?.change.kind !== 'targets') throw new Error('not targets');
    expect(change.change.added.map((target) => target.host)).toEqual(['192.0.2.12']);
    expect(change.change.removed.map((target) => target.host)).toEqual(['192.0.2.11']);
    expect(change.change.changed.map((one) => [one.before.weight, one.after.weight])).toEqual([[1, 3]]);
  });

  it('tells lists of a plugin as added and removed', () => {
    const changes = diffConfigs(withPlugin(true, { allow: ['a', 'b'] }), withPlugin(true, { allow: ['b', 'c'] }));
    expect(changes).toEqual([
      { plugin: 'some-plugin', field: 'allow', change: { kind: 'list', added: ['c'], removed: ['a'] } },
    ]);
  });

  it('names only what was chosen when a plugin is switched on for the first time', () => {
    const defaults = () => ({ enabled: false, config: { allow: [], isStrict: false } });
    const changes = diffConfigs(sampleConfig(), withPlugin(true, { allow: ['a'], isStrict: false }), defaults);
    expect(changes.map((change) => change.field)).toEqual(['enabled', 'allow']);
  });

  it('names what was chosen when a plugin leaves the configuration', () => {
    const defaults = () => ({ enabled: false, config: { allow: [], isStrict: false } });
    const set = { allow: ['a'], isStrict: false, seconds: 9 };
    expect(diffConfigs(withPlugin(true, set), sampleConfig(), defaults)).toEqual([
      { plugin: 'some-plugin', field: 'enabled', change: { kind: 'value', before: true, after: false } },
      { plugin: 'some-plugin', field: 'allow', change: { kind: 'list', added: [], removed: ['a'] } },
      { plugin: 'some-plugin', field: 'seconds', change: { kind: 'value', before: 9, after: undefined } },
    ]);
  });

  it('takes a field that an older configuration does not have for its default', () => {
    const defaults = () => ({ enabled: false, config: { allow: [], isStrict: true } });
    const before = withPlugin(true, { allow: ['a'] });
    expect(diffConfigs(before, withPlugin(true, { allow: ['a'], isStrict: true }), defaults)).toEqual([]);
    expect(diffConfigs(before, withPlugin(true, { allow: ['a'], isStrict: false }), defaults)).toHaveLength(1);
  });

  it('counts a plugin that is set up but off, as the API does', () => {
    const changes = diffConfigs(sampleConfig(), withPlugin(false, { allow: ['a'] }));
    expect(changes).toEqual([
      { plugin: 'some-plugin', field: 'enabled', change: { kind: 'value', before: undefined, after: false } },
    ]);
  });

  it('names no plugin that was tried and is off again, with nothing set', () => {
    const defaults = () => ({ enabled: false, config: { allow: [], seconds: 60 } });
    const off = (config: Record<string, unknown>) => diffConfigs(sampleConfig(), withPlugin(false, config), defaults);
    expect(off({ allow: [], seconds: 60 })).toEqual([]);
    expect(off({ seconds: 60 })).toEqual([]);
    expect(off({ allow: [], seconds: 90 })).toHaveLength(1);
    expect(diffConfigs(null, withPlugin(false, { seconds: 60 }), defaults)).not.toContainEqual(
      expect.objectContaining({ plugin: 'some-plugin' }),
    );
  });

  it('knows that a plugin which is on by default is switched off by the first entry, and changed by another', () => {
    const defaults = () => ({ enabled: true, config: { seconds: 60 } });
    expect(diffConfigs(sampleConfig(), withPlugin(false, { seconds: 60 }), defaults)).toEqual([
      { plugin: 'some-plugin', field: 'enabled', change: { kind: 'value', before: true, after: false } },
    ]);
    expect(diffConfigs(sampleConfig(), withPlugin(true, { seconds: 60 }), defaults)).toEqual([]);
    expect(diffConfigs(sampleConfig(), withPlugin(true, { seconds: 90 }), defaults)).toEqual([
      { plugin: 'some-plugin', field: 'seconds', change: { kind: 'value', before: 60, after: 90 } },
    ]);
    expect(diffConfigs(withPlugin(false, { seconds: 60 }), sampleConfig(), defaults)).toEqual([
      { plugin: 'some-plugin', field: 'enabled', change: { kind: 'value', before: false, after: true } },
    ]);
  });

  it('tells entries that are objects as added and removed, as they are', () => {
    const header = (value: string) => ({ name: 'X-Shop', value });
    const [change] = diffConfigs(
      withPlugin(true, { headers: [header('a')] }),
      withPlugin(true, { headers: [header('b')] }),
    );
    expect(change?.change).toEqual({ kind: 'list', added: [header('b')], removed: [header('a')] });
    expect(entryText({ path: '/a', methods: ['GET', 'HEAD'] })).toBe('path: /a, methods: GET, HEAD');
  });

  it('counts what people changed: all of one plugin is one, settings of the domain are one each', () => {
    const before = sampleConfig();
    const after = {
      ...withPlugin(true, { allow: ['a'], seconds: 9 }),
      upstreams: { ...sampleConfig(['192.0.2.77']).upstreams, connection_limit: 5 },
    };
    const changes = diffConfigs(before, after);
    expect(changes.map(({ field }) => field)).toEqual(['targets', 'connection_limit', 'enabled', 'allow', 'seconds']);
    expect(countChanged(changes)).toBe(3);
    expect(countChanged([])).toBe(0);
  });

  it('keeps no setting quiet that it does not know', () => {
    const after = { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, limit: 5 }, extra: ['a'] };
    expect(diffConfigs(sampleConfig(), after as RouteConfig)).toEqual([
      { plugin: undefined, field: 'limit', change: { kind: 'value', before: undefined, after: 5 } },
      { plugin: undefined, field: 'extra', change: { kind: 'list', added: ['a'], removed: [] } },
    ]);
  });

  it('shows everything as new where nothing was live', () => {
    expect(diffConfigs(null, sampleConfig()).map((change) => change.field)).toEqual([
      'traffic_action',
      'protocol',
      'targets',
    ]);
  });
});

it('writes IPv6 with brackets only where a port follows', () => {
  expect(targetAddress({ host: '2001:db8::1', port: 443 })).toBe('[2001:db8::1]:443');
  expect(targetAddress({ host: '2001:db8::1', port: null })).toBe('2001:db8::1');
});
