import type { PluginEntry, RouteConfig, UpstreamTarget } from '@cordon/contract';
import { targetAddress } from './target-text';

/** A setting's value before and after; undefined where there was none. */
export interface ValueChange {
  readonly kind: 'value';
  readonly before: unknown;
  readonly after: unknown;
}

/** A list, as what came and what went. */
export interface ListChange {
  readonly kind: 'list';
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface TargetsChange {
  readonly kind: 'targets';
  readonly added: readonly UpstreamTarget[];
  readonly removed: readonly UpstreamTarget[];
  /** Same address, other weight or part. */
  readonly changed: readonly { readonly before: UpstreamTarget; readonly after: UpstreamTarget }[];
}

/** One setting that differs. `plugin` is undefined for the domain's own settings. */
export interface ConfigChange {
  readonly plugin: string | undefined;
  /** `traffic_action`, `protocol`, `targets`, `enabled`, or a key of the plugin's configuration. */
  readonly field: string;
  readonly change: ValueChange | ListChange | TargetsChange;
}

const isList = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number');

/** Equality of JSON values; the order of keys does not matter, the order of lists does. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => isSame(left[key], right[key]));
}

function targetsChange(before: readonly UpstreamTarget[], after: readonly UpstreamTarget[]): TargetsChange {
  const old = new Map(before.map((target) => [targetAddress(target), target]));
  const fresh = new Map(after.map((target) => [targetAddress(target), target]));
  return {
    kind: 'targets',
    added: after.filter((target) => !old.has(targetAddress(target))),
    removed: before.filter((target) => !fresh.has(targetAddress(target))),
    changed: after.flatMap((target) => {
      const known = old.get(targetAddress(target));
      return known && !isSame(known, target) ? [{ before: known, after: target }] : [];
    }),
  };
}

function valueChange(before: unknown, after: unknown): ValueChange | ListChange {
  if (
    (isList(before) || isList(after)) &&
    (isList(before) || before === undefined) &&
    (isList(after) || after === undefined)
  ) {
    const old = new Set((before ?? []).map(String));
    const fresh = new Set((after ?? []).map(String));
    const added = [...fresh].filter((entry) => !old.has(entry));
    const removed = [...old].filter((entry) => !fresh.has(entry));
    // A list in another order has nothing to add or remove; it is told as a value.
    if (added.length > 0 || removed.length > 0) return { kind: 'list', added, removed };
  }
  return { kind: 'value', before, after };
}

function pluginChanges(
  name: string,
  before: PluginEntry | undefined,
  after: PluginEntry | undefined,
  defaults: Record<string, unknown>,
): ConfigChange[] {
  const wasOn = before?.enabled ?? false;
  const isOn = after?.enabled ?? false;
  const changes: ConfigChange[] = [];
  // Set up but off: nothing for a visitor yet, but it waits in the draft and counts there.
  if (!before && after && !isOn)
    return [{ plugin: name, field: 'enabled', change: { kind: 'value', before: undefined, after: false } }];
  if (wasOn !== isOn)
    changes.push({ plugin: name, field: 'enabled', change: { kind: 'value', before: wasOn, after: isOn } });
  const old = before?.config ?? defaults;
  const fresh = after?.config ?? old;
  for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    if (isSame(old[key], fresh[key])) continue;
    changes.push({ plugin: name, field: key, change: valueChange(old[key], fresh[key]) });
  }
  return changes;
}

/**
 * What `after` would change for visitors compared to `before` (null: nothing was live), setting by setting. `defaults`
 * gives a plugin's default configuration, so that switching one on names only what was chosen.
 */
export function diffConfigs(
  before: RouteConfig | null,
  after: RouteConfig,
  defaults: (plugin: string) => Record<string, unknown> = () => ({}),
): ConfigChange[] {
  const changes: ConfigChange[] = [];
  const own = (field: string, old: unknown, fresh: unknown) => {
    if (!isSame(old, fresh))
      changes.push({ plugin: undefined, field, change: { kind: 'value', before: old, after: fresh } });
  };
  own('traffic_action', before?.traffic_action, after.traffic_action);
  const hasUpstreams = after.traffic_action === 'upstream' || after.upstreams.targets.length > 0;
  if (before || hasUpstreams) own('protocol', before?.upstreams.protocol, after.upstreams.protocol);
  const targets = targetsChange(before?.upstreams.targets ?? [], after.upstreams.targets);
  if (targets.added.length + targets.removed.length + targets.changed.length > 0)
    changes.push({ plugin: undefined, field: 'targets', change: targets });
  const names = new Set([...(before?.plugins ?? []), ...after.plugins].map((entry) => entry.name));
  for (const name of names) {
    const find = (config: RouteConfig | null) => config?.plugins.find((entry) => entry.name === name);
    changes.push(...pluginChanges(name, find(before), find(after), defaults(name)));
  }
  return changes;
}
