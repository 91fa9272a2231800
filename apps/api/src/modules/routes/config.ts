import { isDeepStrictEqual } from 'node:util';
import {
  changedSettings,
  diffConfigs,
  onlySwitchesOff,
  type PluginDefaults,
  type PluginEntry,
  type PluginErrorCode,
  type RouteConfig,
  type RuleLists,
  type UpstreamsChange,
} from '@cordon/contract';
import { PluginFault } from '@cordon/plugin-kit';
import { mergeConfig } from '@cordon/plugin-kit/merge-config';
import { defaultEntry, materialise } from '@cordon/plugin-kit/schema';
import { findDefinition } from '@cordon/plugins/definitions';
import { fieldErrors } from '../../platform/errors.ts';

/** What a change of a draft gives; absent parts stay. Given plugins replace those of the same name. */
export interface DraftChange {
  readonly traffic_action?: RouteConfig['traffic_action'] | undefined;
  readonly wildcard_levels?: RouteConfig['wildcard_levels'];
  /** Settings beside the targets that are left out stay. */
  readonly upstreams?: UpstreamsChange | undefined;
  readonly plugins?: readonly PluginEntry[] | undefined;
}

export const EMPTY_CONFIG: RouteConfig = {
  traffic_action: 'upstream',
  upstreams: { protocol: 'http', targets: [], connection_limit: 0, tls_verification: 'strict', tls_ca: null },
  plugins: [],
};

/** Whether the plugin is what the traffic action `redirect` switches on. */
export const isRedirecting = (plugin: PluginEntry): boolean => findDefinition(plugin.name)?.phase === 'redirect';

/** Whether the configuration says the same without the entry: it is off, or on of a plugin that is on by itself, and no more. */
const saysNothing = ({ name, enabled, config }: PluginEntry): boolean =>
  enabled === (findDefinition(name)?.isAlwaysOn ?? false) && Object.keys(config).length === 0;

/**
 * The draft with the change. A plugin of which it says what holds without it leaves the draft. A new traffic action
 * switches what redirects on or off, unless the change itself says what to do with it.
 */
export function applyChange(draft: RouteConfig, change: DraftChange): RouteConfig {
  const plugins = new Map(draft.plugins.map((plugin) => [plugin.name, plugin]));
  if (change.traffic_action !== undefined && change.traffic_action !== draft.traffic_action) {
    const enabled = change.traffic_action === 'redirect';
    for (const plugin of draft.plugins) if (isRedirecting(plugin)) plugins.set(plugin.name, { ...plugin, enabled });
  }
  for (const plugin of change.plugins ?? []) {
    if (saysNothing(plugin)) plugins.delete(plugin.name);
    else plugins.set(plugin.name, plugin);
  }
  const levels = change.wildcard_levels ?? draft.wildcard_levels;
  return {
    traffic_action: change.traffic_action ?? draft.traffic_action,
    // What is left out is one level: two ways to say it would look like a change.
    ...(levels === 'all' ? { wildcard_levels: levels } : {}),
    upstreams: mergeUpstreams(draft.upstreams, change.upstreams),
    plugins: [...plugins.values()],
  };
}

/** Entries with every default of their plugins written out: they may have been kept before a field existed. */
const materialisePlugins = (plugins: readonly PluginEntry[]): PluginEntry[] =>
  plugins.map((plugin) => {
    const definition = findDefinition(plugin.name);
    return definition ? { ...plugin, config: materialise(definition.schema, plugin.config) } : plugin;
  });

export const materialiseConfig = (config: RouteConfig): RouteConfig => ({
  ...config,
  plugins: materialisePlugins(config.plugins),
});

/** What was brought and read: to many domains the same comes, which is never changed in place. */
const readBrought = new WeakMap<readonly PluginEntry[], PluginEntry[]>();

/** Entries of a rule with every default written out; those that only switch off stay as they are. */
export function materialiseBrought(plugins: readonly PluginEntry[]): PluginEntry[] {
  const known = readBrought.get(plugins);
  if (known) return known;
  const read = plugins.flatMap((plugin) => (onlySwitchesOff(plugin) ? plugin : materialisePlugins([plugin])));
  readBrought.set(plugins, read);
  return read;
}

/** What a domain has of a plugin that is only switched off: its own settings; nothing where there is nothing to switch off. */
function switchOff(own: PluginEntry | undefined, name: string): PluginEntry | undefined {
  const definition = findDefinition(name);
  const entry = own ?? (definition?.isAlwaysOn ? defaultEntry(definition) : undefined);
  return entry && { ...entry, enabled: false };
}

/**
 * What an entry that is brought from elsewhere makes of a domain's own, if it has one; not checked by the schema. To merge
 * lists, both must be on: what the domain has switched off counts for nothing, and what is to be switched off keeps its lists.
 * One that only switches off keeps all that the domain has configured. Undefined: the domain still has none.
 * Throws PluginFault where they cannot be merged.
 */
export function bringEntry(
  own: PluginEntry | undefined,
  brought: PluginEntry,
  lists: RuleLists,
): PluginEntry | undefined {
  if (onlySwitchesOff(brought)) return switchOff(own, brought.name);
  if (!own || lists === 'replace') return brought;
  if (!brought.enabled) return { ...own, enabled: false };
  if (!own.enabled) return brought;
  const definition = findDefinition(brought.name);
  const ownConfig = definition ? materialise(definition.schema, own.config) : own.config;
  const config = (definition?.merge ?? mergeConfig)(ownConfig, brought.config) as PluginEntry['config'];
  return { ...brought, config };
}

/**
 * Brings plugins from elsewhere: those of the same name give way, as far as `lists` says, to those given, switched off
 * ones too; the others stay. The traffic action follows the plugin that redirects: the one without the other would be
 * refused. Throws an error of the fields of `given` where lists cannot be merged.
 */
export function bringPlugins(draft: RouteConfig, given: readonly PluginEntry[], lists: RuleLists): RouteConfig {
  const plugins = lists === 'merge' ? materialiseBrought(given) : given;
  const redirecting = plugins.find(isRedirecting);
  const merged = new Map(draft.plugins.map((plugin) => [plugin.name, plugin]));
  for (const [index, plugin] of plugins.entries()) {
    try {
      const entry = bringEntry(merged.get(plugin.name), plugin, lists);
      if (entry) merged.set(plugin.name, entry);
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      const path = `plugins.${index}.config.${error.path}`;
      throw fieldErrors({ [path]: error.code as PluginErrorCode }, { [path]: error.params });
    }
  }
  const action = redirecting?.enabled ? 'redirect' : 'upstream';
  return {
    ...draft,
    traffic_action: redirecting ? action : draft.traffic_action,
    plugins: [...merged.values()],
  };
}

function mergeUpstreams(
  draft: RouteConfig['upstreams'],
  change: UpstreamsChange | undefined,
): RouteConfig['upstreams'] {
  return {
    protocol: change?.protocol ?? draft.protocol,
    targets: change?.targets ?? draft.targets,
    connection_limit: change?.connection_limit ?? draft.connection_limit,
    tls_verification: change?.tls_verification ?? draft.tls_verification,
    tls_ca: change?.tls_ca === undefined ? draft.tls_ca : change.tls_ca,
  };
}

/** Settings in which two configurations differ: `traffic_action`, `upstreams.protocol`, `upstreams.targets` and so on, `plugins.<name>`. */
export function changedPaths(from: RouteConfig, to: RouteConfig): string[] {
  const paths: string[] = [];
  const { upstreams: upstreamsBefore, plugins: pluginsBefore, ...ownBefore } = from;
  const { upstreams: upstreamsAfter, plugins: pluginsAfter, ...ownAfter } = to;
  const compare = (old: object, fresh: object, prefix: string) => {
    const [before, after] = [old as Record<string, unknown>, fresh as Record<string, unknown>];
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!isDeepStrictEqual(before[key], after[key])) paths.push(`${prefix}${key}`);
  };
  compare(ownBefore, ownAfter, '');
  compare(upstreamsBefore, upstreamsAfter, 'upstreams.');
  const before = new Map(pluginsBefore.map((plugin) => [plugin.name, plugin]));
  const after = new Map(pluginsAfter.map((plugin) => [plugin.name, plugin]));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (!isDeepStrictEqual(before.get(name), after.get(name))) paths.push(`plugins.${name}`);
  }
  return paths;
}

/** What a plugin starts with; nothing for one that is unknown. */
const pluginDefaults = (plugin: string): PluginDefaults => {
  const definition = findDefinition(plugin);
  return definition ? defaultEntry(definition) : { enabled: false, config: {} };
};

/** The changes that a deploy of the draft is, by name: those that the console lists before it. `live` null: nothing was deployed yet. */
export const settingsChanged = (live: RouteConfig | null, draft: RouteConfig): string[] =>
  changedSettings(diffConfigs(live, draft, pluginDefaults));

/** How many they are. */
export const countChanges = (live: RouteConfig | null, draft: RouteConfig): number =>
  settingsChanged(live, draft).length;

const SUMMARY_TARGETS = 2;

/** Where the configuration's enabled plugins send every visitor. */
export function visitorTargets({ plugins }: RouteConfig): { plugin: string; path: string; url: string }[] {
  return plugins.flatMap(({ name, enabled, config }) => {
    const definition = findDefinition(name);
    const parsed = enabled && definition?.visitorTargets ? definition.schema.safeParse(config) : undefined;
    return parsed?.success
      ? (definition?.visitorTargets?.(parsed.data) ?? []).map((target) => ({ plugin: name, ...target }))
      : [];
  });
}

/** First targets, for the eye: `https://192.0.2.1:8443, 192.0.2.2 +3`; where visitors are redirected, the address. */
export function upstreamSummary(config: RouteConfig): string {
  if (config.traffic_action === 'redirect') return visitorTargets(config)[0]?.url ?? '';
  const { protocol, targets } = config.upstreams;
  if (targets.length === 0) return '';
  const shown = targets.slice(0, SUMMARY_TARGETS).map(({ host, port }) => {
    const name = host.includes(':') && port !== null ? `[${host}]` : host;
    return port === null ? name : `${name}:${port}`;
  });
  const rest = targets.length - shown.length;
  const scheme = protocol === 'http_https' ? '' : `${protocol}://`;
  return `${scheme}${shown.join(', ')}${rest > 0 ? ` +${rest}` : ''}`;
}
