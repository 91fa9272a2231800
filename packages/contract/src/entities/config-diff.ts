import { isSame } from '../is-same.ts';
import { targetAddress } from '../target-host.ts';
import type { PluginEntry, RouteConfig, UpstreamTarget } from './routes.ts';

/** A setting's value before and after; undefined where there was none. */
interface ValueChange {
  readonly kind: 'value';
  readonly before: unknown;
  readonly after: unknown;
}

/** A list, as what came and what went. */
interface ListChange {
  readonly kind: 'list';
  readonly added: readonly unknown[];
  readonly removed: readonly unknown[];
}

interface TargetsChange {
  readonly kind: 'targets';
  readonly added: readonly UpstreamTarget[];
  readonly removed: readonly UpstreamTarget[];
  /** Same address, other weight or part. */
  readonly changed: readonly { readonly before: UpstreamTarget; readonly after: UpstreamTarget }[];
}

/** One setting that differs. `plugin` is undefined for the domain's own settings. */
export interface ConfigChange {
  readonly plugin: string | undefined;
  /** `traffic_action`, `protocol`, `targets` or another key of the upstreams, `enabled`, or a key of the plugin's configuration. */
  readonly field: string;
  readonly change: ValueChange | ListChange | TargetsChange;
}

/** The things people changed, by name: `plugins.NAME` for whatever was set of a plugin, else the field. */
export const changedSettings = (changes: readonly Pick<ConfigChange, 'plugin' | 'field'>[]): string[] => [
  ...new Set(changes.map(({ plugin, field }) => (plugin === undefined ? field : `plugins.${plugin}`))),
];

/** How many things people changed: what they set of a plugin is one. */
export const countChanged = (changes: readonly ConfigChange[]): number => changedSettings(changes).length;

/** An entry of a list as one line: itself, or `key: value` for each part of an object. */
export function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  if (Array.isArray(entry)) return entry.map(entryText).join(', ');
  const { name, value, ...others } = entry as Record<string, unknown>;
  // A header field, or whatever else is written in this way.
  if (typeof name === 'string' && typeof value === 'string' && Object.keys(others).length === 0)
    return `${name}: ${value}`;
  return Object.entries(entry)
    .map(([key, part]) => `${key}: ${entryText(part)}`)
    .join(', ');
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

/** A list may have 10,000 entries: nothing is made for each but its place in the map. */
function byText(list: readonly unknown[] = []): ReadonlyMap<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const entry of list) entries.set(entryText(entry), entry);
  return entries;
}

function entriesNotIn(others: ReadonlyMap<string, unknown>, entries: ReadonlyMap<string, unknown>): unknown[] {
  const found: unknown[] = [];
  for (const [text, entry] of entries) if (!others.has(text)) found.push(entry);
  return found;
}

function valueChange(before: unknown, after: unknown): ValueChange | ListChange {
  const isList = (value: unknown) => Array.isArray(value) || value === undefined;
  if (isList(before) && isList(after)) {
    const old = byText(before as unknown[] | undefined);
    const fresh = byText(after as unknown[] | undefined);
    const added = entriesNotIn(old, fresh);
    const removed = entriesNotIn(fresh, old);
    // A list in another order has nothing to add or remove; it is shown as a value.
    if (added.length > 0 || removed.length > 0) return { kind: 'list', added, removed };
  }
  return { kind: 'value', before, after };
}

/** What holds of a plugin that a configuration does not mention. */
export type PluginDefaults = Pick<PluginEntry, 'enabled' | 'config'>;

function pluginChanges(
  name: string,
  before: PluginEntry | undefined,
  after: PluginEntry | undefined,
  defaults: PluginDefaults,
): ConfigChange[] {
  const wasOn = before?.enabled ?? defaults.enabled;
  const isOn = after?.enabled ?? defaults.enabled;
  const changes: ConfigChange[] = [];
  if (!before && after && !wasOn && !isOn) {
    // Switched on and off again, with nothing set: as if it had never been.
    if (Object.entries(after.config).every(([key, value]) => isSame(defaults.config[key], value))) return [];
    // Set up but off: nothing for a visitor yet, but it waits in the draft and counts there.
    return [{ plugin: name, field: 'enabled', change: { kind: 'value', before: undefined, after: false } }];
  }
  if (wasOn !== isOn)
    changes.push({ plugin: name, field: 'enabled', change: { kind: 'value', before: wasOn, after: isOn } });
  // A version may have been made before a field existed: then its default counted.
  const old = { ...defaults.config, ...before?.config };
  const fresh = { ...defaults.config, ...after?.config };
  for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    if (isSame(old[key], fresh[key])) continue;
    changes.push({ plugin: name, field: key, change: valueChange(old[key], fresh[key]) });
  }
  return changes;
}

/** What holds where a configuration says nothing; of a first version only what differs from it is worth a line. */
const UPSTREAM_DEFAULTS = { connection_limit: 0, tls_verification: 'strict', tls_ca: null } as const;

/**
 * What `after` would change for visitors compared to `before` (null: nothing was live), setting by setting. `defaults`
 * gives what a plugin starts with, so that switching one on names only what was chosen, and whether it is on by default.
 */
export function diffConfigs(
  before: RouteConfig | null,
  after: RouteConfig,
  defaults: (plugin: string) => PluginDefaults = () => ({ enabled: false, config: {} }),
): ConfigChange[] {
  const changes: ConfigChange[] = [];
  const own = (field: string, old: unknown, fresh: unknown) => {
    if (!isSame(old, fresh)) changes.push({ plugin: undefined, field, change: valueChange(old, fresh) });
  };
  own('traffic_action', before?.traffic_action, after.traffic_action);
  const hasUpstreams = after.traffic_action === 'upstream' || after.upstreams.targets.length > 0;
  if (before || hasUpstreams) own('protocol', before?.upstreams.protocol, after.upstreams.protocol);
  const targets = targetsChange(before?.upstreams.targets ?? [], after.upstreams.targets);
  if (targets.added.length + targets.removed.length + targets.changed.length > 0)
    changes.push({ plugin: undefined, field: 'targets', change: targets });
  // Whatever else the upstreams and the configuration hold: nothing that differs is kept quiet.
  const further = (from: object | undefined, to: object, listed: readonly string[]) => {
    const [old, fresh] = [(from ?? {}) as Record<string, unknown>, to as Record<string, unknown>];
    for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)]))
      if (!listed.includes(key)) own(key, old[key], fresh[key]);
  };
  if (before || hasUpstreams) {
    const settings = (config: RouteConfig | null) => ({ ...UPSTREAM_DEFAULTS, ...config?.upstreams });
    further(settings(before), settings(after), ['protocol', 'targets']);
  }
  further(before ?? undefined, after, ['traffic_action', 'upstreams', 'plugins']);
  const names = new Set([...(before?.plugins ?? []), ...after.plugins].map((entry) => entry.name));
  for (const name of names) {
    const find = (config: RouteConfig | null) => config?.plugins.find((entry) => entry.name === name);
    changes.push(...pluginChanges(name, find(before), find(after), defaults(name)));
  }
  return changes;
}
