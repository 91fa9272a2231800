import { isDeepStrictEqual } from 'node:util';
import type { PluginEntry, RouteConfig } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';

/** What a change of a draft gives; absent parts stay. Given plugins replace those of the same name. */
export interface DraftChange {
  readonly traffic_action?: RouteConfig['traffic_action'] | undefined;
  readonly upstreams?: RouteConfig['upstreams'] | undefined;
  readonly plugins?: readonly PluginEntry[] | undefined;
}

export const EMPTY_CONFIG: RouteConfig = {
  traffic_action: 'upstream',
  upstreams: { protocol: 'http', targets: [] },
  plugins: [],
};

/** Whether the plugin is what the traffic action `redirect` switches on. */
export const isRedirecting = (plugin: PluginEntry): boolean => findDefinition(plugin.name)?.phase === 'redirect';

/**
 * The draft with the change. A plugin that is off and has no configuration leaves the draft. A new traffic action
 * switches what redirects on or off, unless the change itself says what to do with it.
 */
export function applyChange(draft: RouteConfig, change: DraftChange): RouteConfig {
  const plugins = new Map(draft.plugins.map((plugin) => [plugin.name, plugin]));
  if (change.traffic_action !== undefined && change.traffic_action !== draft.traffic_action) {
    const enabled = change.traffic_action === 'redirect';
    for (const plugin of draft.plugins) if (isRedirecting(plugin)) plugins.set(plugin.name, { ...plugin, enabled });
  }
  for (const plugin of change.plugins ?? []) {
    if (!plugin.enabled && Object.keys(plugin.config).length === 0) plugins.delete(plugin.name);
    else plugins.set(plugin.name, plugin);
  }
  return {
    traffic_action: change.traffic_action ?? draft.traffic_action,
    upstreams: change.upstreams ?? draft.upstreams,
    plugins: [...plugins.values()],
  };
}

/** Settings in which two configurations differ: `traffic_action`, `upstreams.protocol`, `upstreams.targets`, `plugins.<name>`. */
export function changedPaths(from: RouteConfig, to: RouteConfig): string[] {
  const paths: string[] = [];
  if (from.traffic_action !== to.traffic_action) paths.push('traffic_action');
  if (from.upstreams.protocol !== to.upstreams.protocol) paths.push('upstreams.protocol');
  if (!isDeepStrictEqual(from.upstreams.targets, to.upstreams.targets)) paths.push('upstreams.targets');
  const before = new Map(from.plugins.map((plugin) => [plugin.name, plugin]));
  const after = new Map(to.plugins.map((plugin) => [plugin.name, plugin]));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (!isDeepStrictEqual(before.get(name), after.get(name))) paths.push(`plugins.${name}`);
  }
  return paths;
}

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
