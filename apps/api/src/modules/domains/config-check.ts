import {
  type FieldErrorCode,
  fieldErrorsOf,
  isForbiddenPort,
  parseAddress,
  type RouteConfig,
  UPSTREAM_PORTS,
} from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import type { PlanFeatures } from '../../platform/database-schema.ts';
import { type Egress, EgressError } from '../../platform/egress.ts';
import { fieldErrors } from '../../platform/errors.ts';
import { findOversized } from './config-size.ts';

/** What the account may use. */
export interface PlanLimits {
  readonly tier: 'free' | 'vip';
  readonly features: PlanFeatures;
}

export interface ConfigCheck {
  /**
   * The configuration with every plugin's defaults written out. Throws one error that names every wrong field:
   * plugins by their own schemas (`plugins.0.config.allow.3`), plan, upstream rules of spec section 5, and targets
   * that are, or resolve to, forbidden addresses. Asks DNS: not for use inside a transaction.
   */
  check(
    config: RouteConfig,
    limits: PlanLimits,
    domainName: string,
    pluginPositions?: ReadonlyMap<string, number>,
  ): Promise<RouteConfig>;
}

interface Found {
  readonly fields: Record<string, FieldErrorCode>;
  readonly params: Record<string, Record<string, string | number>>;
}

const RESOLVES_AT_ONCE = 10;

export function createConfigCheck(egress: Egress, isOwnHost: (host: string) => boolean): ConfigCheck {
  function checkPlugins(
    config: RouteConfig,
    limits: PlanLimits,
    found: Found,
    positions?: ReadonlyMap<string, number>,
  ): RouteConfig['plugins'] {
    const seen = new Set<string>();
    return config.plugins.map((plugin, index) => {
      // Errors are told at the position in the request, not in the merged draft.
      const place = `plugins.${positions?.get(plugin.name) ?? index}`;
      if (seen.has(plugin.name)) found.fields[`${place}.name`] ??= 'DUPLICATE_ENTRY';
      seen.add(plugin.name);
      const definition = findDefinition(plugin.name);
      if (!definition) {
        found.fields[`${place}.name`] ??= 'PLUGIN_UNKNOWN';
        return plugin;
      }
      if (plugin.enabled && definition.tier === 'vip' && limits.tier !== 'vip')
        found.fields[`${place}.enabled`] ??= 'PLUGIN_NEEDS_VIP';
      const parsed = definition.schema.safeParse(plugin.config);
      if (parsed.success) return { ...plugin, config: parsed.data as Record<string, unknown> };
      const errors = fieldErrorsOf(parsed.error);
      for (const [path, code] of Object.entries(errors.fields)) {
        const full = path === 'body' ? `${place}.config` : `${place}.config.${path}`;
        found.fields[full] ??= code;
        if (errors.params[path]) found.params[full] = errors.params[path];
      }
      return plugin;
    });
  }

  async function checkTarget(
    config: RouteConfig,
    index: number,
    limits: PlanLimits,
    domainName: string,
    found: Found,
  ): Promise<void> {
    const target = config.upstreams.targets[index];
    if (!target) return;
    const place = `upstreams.targets.${index}`;
    if (parseAddress(target.host) === undefined) {
      if (!limits.features.domain_upstream) found.fields[`${place}.host`] ??= 'DOMAIN_UPSTREAM_NEEDS_VIP';
      else if (target.host === domainName || isOwnHost(target.host)) found.fields[`${place}.host`] ??= 'UPSTREAM_LOOP';
    }
    if (found.fields[`${place}.host`]) return;
    const { protocol } = config.upstreams;
    const ports =
      target.port !== null
        ? [target.port]
        : protocol === 'http_https'
          ? [UPSTREAM_PORTS.http, UPSTREAM_PORTS.https]
          : [UPSTREAM_PORTS[protocol]];
    for (const port of ports) {
      try {
        await egress.resolve(target.host, port);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        if (error.failure !== 'forbidden') continue; // An origin may come later than its domain.
        if (isForbiddenPort(port)) found.fields[`${place}.port`] ??= 'PORT_FORBIDDEN';
        else found.fields[`${place}.host`] ??= 'UPSTREAM_FORBIDDEN';
      }
    }
  }

  return {
    async check(config, limits, domainName, positions) {
      const found: Found = { fields: {}, params: {} };
      const plugins = checkPlugins(config, limits, found, positions);
      const { targets } = config.upstreams;
      if (config.traffic_action === 'upstream' && targets.length === 0)
        found.fields['upstreams.targets'] = 'UPSTREAM_REQUIRED';
      for (let start = 0; start < targets.length; start += RESOLVES_AT_ONCE) {
        const part = targets.slice(start, start + RESOLVES_AT_ONCE);
        await Promise.all(part.map((_, offset) => checkTarget(config, start + offset, limits, domainName, found)));
      }
      if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
      const checked = { ...config, plugins };
      const oversized = findOversized(checked, limits.tier);
      if (oversized !== undefined) {
        const position = positions?.get(plugins[oversized]?.name ?? '') ?? oversized;
        throw fieldErrors({ [`plugins.${position}.config`]: 'TOO_LARGE' });
      }
      return checked;
    },
  };
}
