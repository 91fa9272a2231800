import { formatAddress, parseAddress } from '@cordon/contract/address';
import type { EdgeRoute, EdgeSettings, EdgeTarget } from '@cordon/contract/edge-config';
import { PHASES } from '@cordon/plugin-kit';
import type { OriginRequest } from '@cordon/plugin-kit/edge';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { findDefinition } from '@cordon/plugins/definitions';
import { handlers } from '@cordon/plugins/handlers';
import type { RunnerRoute, RunnerSettings, RunnerTarget } from '../runner/payload.ts';
import type { OriginResolver } from './resolver.ts';
import type { TlsReuse } from './tls-reuse.ts';
import type { UpstreamGuard } from './upstream-guard.ts';

/** Without fields that are null: Lua's JSON reads null as a value that is neither nil nor false. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null && entry !== undefined)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}

/** An `allow` verdict skips everything up to and including the WAF (product design). */
function isProtection(name: string): boolean {
  const phase = findDefinition(name)?.phase;
  return phase !== undefined && PHASES.indexOf(phase) <= PHASES.indexOf('waf');
}

/** Ports that a target is connected to: `http_https` without a port means both. */
function portsOf(target: EdgeTarget, protocol: 'http' | 'https' | 'http_https'): number[] {
  if (target.port !== null) return [target.port];
  return protocol === 'http' ? [80] : protocol === 'https' ? [443] : [80, 443];
}

/** Addresses of a target that the edge may connect to, without brackets. */
export function usableAddresses(
  target: EdgeTarget,
  protocol: 'http' | 'https' | 'http_https',
  resolver: OriginResolver,
  guard: UpstreamGuard,
): string[] {
  const literal = parseAddress(target.host);
  const addresses = literal ? [formatAddress(literal)] : resolver.addressesOf(target.host);
  return addresses.filter((text) => {
    const address = parseAddress(text);
    return address && portsOf(target, protocol).every((port) => guard.refusal(address, port) === undefined);
  });
}

/** Names that the route's TLS connections to origins are opened with; a wildcard stands for all that it covers. */
function serverNames(route: EdgeRoute): string[] {
  const origin: OriginRequest = { host: undefined };
  for (const { name, config } of route.plugins) {
    const handler = handlers[name];
    handler?.upstream?.(handler.prepare(withoutNulls(config), edgeKit), origin);
  }
  return origin.host === undefined ? route.hosts.map(({ name }) => name) : [origin.host];
}

/** `address:port SNI` pairs that the route opens TLS connections with. */
export function tlsUses(
  route: EdgeRoute,
  resolver: OriginResolver,
  guard: UpstreamGuard,
): { address: string; name: string }[] {
  const { upstream } = route;
  if (!upstream || upstream.protocol === 'http') return [];
  const names = serverNames(route);
  return upstream.targets.flatMap((target) =>
    usableAddresses(target, upstream.protocol, resolver, guard).flatMap((address) =>
      names.map((name) => ({ address: `${address} ${target.port ?? 443}`, name })),
    ),
  );
}

/** A route as nginx gets it. */
export function toRunnerRoute(
  route: EdgeRoute,
  revision: number,
  resolver: OriginResolver,
  guard: UpstreamGuard,
  reuse: TlsReuse,
): RunnerRoute {
  const now = Date.now();
  const { upstream } = route;
  const names = upstream && upstream.protocol !== 'http' ? serverNames(route) : [];
  const soleName = names.length === 1 ? names[0] : undefined;
  const toTarget = (target: EdgeTarget, protocol: 'http' | 'https' | 'http_https'): RunnerTarget => {
    const addresses = usableAddresses(target, protocol, resolver, guard);
    return {
      name: target.host,
      addresses: addresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
      ...(target.port === null ? {} : { port: target.port }),
      weight: target.weight,
      backup: target.backup,
      tls_keepalive:
        protocol !== 'http' &&
        soleName !== undefined &&
        !soleName.startsWith('*') &&
        addresses.every((address) => reuse.mayReuse(`${address} ${target.port ?? 443}`, soleName, now)),
    };
  };
  return {
    id: route.id,
    account_id: route.account_id,
    version: route.version,
    revision,
    tier: route.tier,
    brand: route.brand,
    hosts: route.hosts,
    ...(upstream
      ? {
          upstream: {
            protocol: upstream.protocol,
            targets: upstream.targets.map((target) => toTarget(target, upstream.protocol)),
            tries: upstream.tries,
            connect_timeout_ms: upstream.connect_timeout_ms,
            send_timeout_ms: upstream.send_timeout_ms,
            read_timeout_ms: upstream.read_timeout_ms,
            fail_timeout_ms: upstream.fail_timeout_ms,
            max_fails: upstream.max_fails,
          },
        }
      : {}),
    plugins: route.plugins.map(({ name, config }) => ({
      name,
      is_protection: isProtection(name),
      config: withoutNulls(config),
    })),
  };
}

export function toRunnerSettings(settings: EdgeSettings): RunnerSettings {
  return {
    preview_key: settings.preview_key,
    probe_key: settings.probe_key,
    default_brand: settings.default_brand,
    cdn_loop_id: settings.cdn_loop_id,
    brands: Object.fromEntries(
      Object.entries(settings.brands).map(([key, { name, primary_color, abuse_contact, hides_provider }]) => [
        key,
        { name, primary_color, abuse_contact, hides_provider },
      ]),
    ),
  };
}
