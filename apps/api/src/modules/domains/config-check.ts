import {
  type DeploymentFeature,
  isForbiddenPort,
  onlySwitchesOff,
  type PlanTier,
  type PluginEntry,
  type PluginErrorCode,
  parseAddress,
  type RouteConfig,
  UPSTREAM_PORTS,
} from '@cordon/contract';
import { answersFor, candidateNames } from '@cordon/contract/host-name';
import { findDefinition } from '@cordon/plugins/definitions';
import type { Executor } from '../../platform/database.ts';
import { type Egress, EgressError } from '../../platform/egress.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import { findName } from '../names/service.ts';
import { readTlsCa } from '../origins/service.ts';
import type { ResolvePlugins } from '../publishing/service.ts';
import { EMPTY_CONFIG, isRedirecting, visitorTargets } from '../routes/service.ts';
import type { PlanFeatures } from '../subscriptions/service.ts';
import { findOversized } from './config-size.ts';
import { checkExclusions, checkNeeds, checkPluginEntry, type FoundFaults } from './plugin-check.ts';

/** What the account may use. */
export interface PlanLimits {
  readonly tier: PlanTier;
  readonly features: PlanFeatures;
}

export interface ConfigCheck {
  /**
   * The configuration with every plugin's defaults written out. Throws one error that names every wrong field:
   * plugins by their own schemas (`plugins.0.config.allow.3`), plan, upstream rules of spec section 5, a redirect that
   * is missing, unused or leads back to the domain, targets that are, or resolve to, forbidden addresses, and, unless it
   * is only kept as a draft, what plugins cannot fetch. Asks DNS and the network: not for use inside a transaction.
   */
  check(config: RouteConfig, limits: PlanLimits, domain: CheckedDomain, how?: CheckHow): Promise<RouteConfig>;
  /** Plugins alone, as a rule keeps them: what needs no domain to be judged. Those that only switch off stay so. */
  checkPlugins(plugins: readonly PluginEntry[], limits: PlanLimits): Promise<PluginEntry[]>;
}

export interface CheckHow {
  /** Where the plugins are in the request, by name: faults of others have the plugin's name in place of a position. */
  readonly positions?: ReadonlyMap<string, number>;
  /** It goes no further than the draft: what plugins fetch is asked for by the check before its deploy. */
  readonly isDraft?: boolean;
  /** Its targets are those of the draft before it: DNS is asked about them again before the deploy. */
  readonly hasKnownTargets?: boolean;
}

export interface CheckedDomain {
  /** Whose domain it is: DNS is asked on this account's behalf. */
  readonly accountId: string;
  readonly name: string;
  /** Undefined for one that does not exist yet. */
  readonly routeId?: string;
}

const RESOLVES_AT_ONCE = 10;

type Positions = ReadonlyMap<string, number> | undefined;

const indexOf = (plugins: readonly PluginEntry[], plugin: string) => plugins.findIndex(({ name }) => name === plugin);

/** Path of a plugin in the request; of one that is only in the draft, by its name. */
const placeOf = (positions: Positions, plugin: string, index: number): string =>
  `plugins.${positions ? (positions.get(plugin) ?? plugin) : index}`;

export interface ConfigCheckParts {
  readonly db: Executor;
  readonly egress: Egress;
  readonly isOwnHost: (host: string) => boolean;
  readonly resolvePlugins: ResolvePlugins;
  /** What plugins may need of the deployment. */
  readonly features: readonly DeploymentFeature[];
}

export function createConfigCheck({ db, egress, isOwnHost, resolvePlugins, features }: ConfigCheckParts): ConfigCheck {
  /** Each in a turn of the event loop of its own. */
  async function checkPlugins(
    config: RouteConfig,
    limits: PlanLimits,
    found: FoundFaults,
    { positions, ofRule = false }: { positions?: Positions; ofRule?: boolean },
  ): Promise<RouteConfig['plugins']> {
    const seen = new Set<string>();
    const checkOne = (plugin: PluginEntry, index: number) => {
      const place = placeOf(positions, plugin.name, index);
      if (seen.has(plugin.name)) found.fields[`${place}.name`] ??= 'DUPLICATE_ENTRY';
      seen.add(plugin.name);
      const definition = findDefinition(plugin.name);
      if (!definition) {
        found.fields[`${place}.name`] ??= 'PLUGIN_UNKNOWN';
        return plugin;
      }
      if (ofRule && onlySwitchesOff(plugin)) return plugin;
      if (plugin.enabled && definition.tier === 'vip' && limits.tier !== 'vip')
        found.fields[`${place}.enabled`] ??= 'PLUGIN_NEEDS_VIP';
      const entry = checkPluginEntry(definition, plugin, place, found);
      // What is off needs nothing, and is looked at again when it is switched on.
      if (entry !== plugin && entry.enabled) checkNeeds(definition, entry.config, features, place, found);
      return entry;
    };
    const checked: PluginEntry[] = [];
    for (const [index, plugin] of config.plugins.entries()) checked.push(await inTurn(() => checkOne(plugin, index)));
    checkExclusions(
      checked.flatMap(({ name, enabled }) => (enabled ? (findDefinition(name) ?? []) : [])),
      (plugin) => positions?.has(plugin) ?? true,
      (plugin) => placeOf(positions, plugin, indexOf(config.plugins, plugin)),
      found,
    );
    return checked;
  }

  const isShadowDomain = async (host: string, { routeId }: CheckedDomain): Promise<boolean> =>
    routeId !== undefined && (await findName(db, host))?.route_id === routeId;

  async function checkTarget(
    config: RouteConfig,
    index: number,
    limits: PlanLimits,
    domain: CheckedDomain,
    found: FoundFaults,
  ): Promise<void> {
    const target = config.upstreams.targets[index];
    if (!target) return;
    const place = `upstreams.targets.${index}`;
    if (parseAddress(target.host) === undefined) {
      if (!limits.features.domain_upstream) found.fields[`${place}.host`] ??= 'DOMAIN_UPSTREAM_NEEDS_VIP';
      else if (target.host === domain.name || isOwnHost(target.host) || (await isShadowDomain(target.host, domain)))
        found.fields[`${place}.host`] ??= 'UPSTREAM_LOOP';
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
        await egress.resolve(domain.accountId, target.host, port);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        if (error.failure === 'rate_limited') throw new AppError('TOO_MANY_REQUESTS');
        // An origin may come later than its domain; one that leads inside is refused where it is resolved.
        if (error.failure !== 'forbidden') continue;
        if (isForbiddenPort(port)) found.fields[`${place}.port`] ??= 'PORT_NOT_WEB';
        else found.fields[`${place}.host`] ??= 'UPSTREAM_FORBIDDEN';
      }
    }
  }

  /** `tls_ca` as it is stored: certificates only, re-encoded. */
  function checkTlsCa({ tls_verification, tls_ca }: RouteConfig['upstreams'], found: FoundFaults): string | null {
    const place = 'upstreams.tls_ca';
    const isUsed = tls_verification === 'custom';
    if (tls_ca === null || tls_ca.trim() === '') {
      if (isUsed) found.fields[place] ??= 'TLS_CA_REQUIRED';
      return null;
    }
    const read = readTlsCa(tls_ca, new Date());
    // What is only kept for later may have expired meanwhile.
    if (!read.ok && (isUsed || read.code !== 'TLS_CA_EXPIRED')) {
      found.fields[place] ??= read.code;
      if (read.params) found.params[place] = read.params;
    }
    return read.ok ? read.pem : tls_ca;
  }

  /** Whether a request for the host comes back to the domain: by name, or through a wildcard that nothing is nearer to. */
  async function leadsBack(
    host: string,
    domain: CheckedDomain,
    levels: RouteConfig['wildcard_levels'],
  ): Promise<boolean> {
    for (const candidate of candidateNames(host)) {
      const isReached = answersFor(candidate, host, levels);
      if (candidate === domain.name && isReached) return true;
      const holder = await findName(db, candidate);
      if (holder && (isReached || holder.route_id !== domain.routeId)) return holder.route_id === domain.routeId;
    }
    return false;
  }

  /** The traffic action and the plugin that redirects need each other. */
  async function checkRedirect(
    config: RouteConfig,
    domain: CheckedDomain,
    found: FoundFaults,
    positions?: Positions,
  ): Promise<void> {
    const enabled = config.plugins.filter((plugin) => plugin.enabled && isRedirecting(plugin));
    const place = (name: string) => placeOf(positions, name, indexOf(config.plugins, name));
    if (config.traffic_action === 'redirect') {
      if (enabled.length === 0) found.fields.traffic_action = 'REDIRECT_REQUIRED';
    } else {
      for (const { name } of enabled) found.fields[`${place(name)}.enabled`] ??= 'REDIRECT_UNUSED';
    }
    for (const { plugin, path, url } of visitorTargets(config)) {
      const host = new URL(url).hostname.replace(/\.$/, '');
      if (await leadsBack(host, domain, config.wildcard_levels))
        found.fields[`${place(plugin)}.config.${path}`] ??= 'REDIRECT_LOOP';
    }
  }

  function requireSize(config: RouteConfig, limits: PlanLimits, positions?: Positions): RouteConfig {
    const oversized = findOversized(config, limits.tier);
    if (oversized === undefined) return config;
    throw fieldErrors({
      [`${placeOf(positions, config.plugins[oversized]?.name ?? '', oversized)}.config`]: 'TOO_LARGE',
    });
  }

  return {
    async checkPlugins(plugins, limits) {
      const found: FoundFaults = { fields: {}, params: {} };
      const checked = await checkPlugins({ ...EMPTY_CONFIG, plugins: [...plugins] }, limits, found, { ofRule: true });
      if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
      return requireSize({ ...EMPTY_CONFIG, plugins: checked }, limits).plugins;
    },
    async check(config, limits, domain, { positions, isDraft = false, hasKnownTargets = false } = {}) {
      const found: FoundFaults = { fields: {}, params: {} };
      const plugins = await checkPlugins(config, limits, found, { positions });
      await checkRedirect(config, domain, found, positions);
      const { targets } = config.upstreams;
      const tlsCa = checkTlsCa(config.upstreams, found);
      if (config.traffic_action === 'upstream' && targets.length === 0)
        found.fields['upstreams.targets'] = 'UPSTREAM_REQUIRED';
      const asked = isDraft && hasKnownTargets ? [] : targets;
      for (let start = 0; start < asked.length; start += RESOLVES_AT_ONCE) {
        const part = asked.slice(start, start + RESOLVES_AT_ONCE);
        await Promise.all(part.map((_, offset) => checkTarget(config, start + offset, limits, domain, found)));
      }
      if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
      const upstreams = { ...config.upstreams, tls_ca: tlsCa };
      const checked = await inTurn(() => requireSize({ ...config, upstreams, plugins }, limits, positions));
      if (isDraft) return checked;
      for (const { plugin, fault } of await resolvePlugins(domain.accountId, plugins)) {
        const place = `${placeOf(positions, plugin, indexOf(plugins, plugin))}.config.${fault.path}`;
        found.fields[place] ??= fault.code as PluginErrorCode;
        found.params[place] ??= { ...fault.params };
      }
      if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
      return checked;
    },
  };
}
