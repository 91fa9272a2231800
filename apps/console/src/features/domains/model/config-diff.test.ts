import type { RouteConfig } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { sampleConfig } from '../testing/sample-route';
import { diffConfigs, isSame } from './config-diff';

const withPlugin = (enabled: boolean, config: Record<string, unknown>): RouteConfig => ({
  ...sampleConfig(),
  plugins: [{ name: 'some-plugin', enabled, config }],
});

describe('diffConfigs', () => {
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
    const defaults = () => ({ allow: [], isStrict: false });
    const changes = diffConfigs(sampleConfig(), withPlugin(true, { allow: ['a'], isStrict: false }), defaults);
    expect(changes.map((change) => change.field)).toEqual(['enabled', 'allow']);
  });

  it('counts a plugin that is set up but off, as the API does', () => {
    const changes = diffConfigs(sampleConfig(), withPlugin(false, { allow: ['a'] }));
    expect(changes).toEqual([
      { plugin: 'some-plugin', field: 'enabled', change: { kind: 'value', before: undefined, after: false } },
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
