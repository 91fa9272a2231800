import { createHash, createHmac } from 'node:crypto';
import { formatAddress, parseAddress } from '@cordon/contract/address';
import type { EdgeRoute, EdgeSettings, EdgeTarget, EdgeUpstream } from '@cordon/contract/edge-config';
import { withoutNulls } from '@cordon/plugin-kit';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { preparePlugins } from '@cordon/plugin-kit/pipeline';
import { handlers } from '@cordon/plugins/handlers';
import type { RunnerPlugin, RunnerRoute, RunnerSettings, RunnerTarget, RunnerUpstream } from '../runner/payload.ts';
import { toRunnerRecaptcha } from './recaptcha.ts';
import type { OriginResolver } from './resolver.ts';
import { withSecrets } from './route-secrets.ts';
import type { Shields } from './shields.ts';
import type { TlsCaSet, TlsCaSlots } from './tls-ca.ts';
import type { TlsReuse } from './tls-reuse.ts';
import type { UpstreamGuard } from './upstream-guard.ts';

/** What of the node decides how a route's origins are met. */
export interface OriginParts {
  readonly resolver: OriginResolver;
  readonly guard: UpstreamGuard;
  readonly reuse: TlsReuse;
  readonly tlsCas: TlsCaSlots;
  /** Of requests of test attacks. */
  readonly testKey: string;
  readonly shields?: Pick<Shields, 'toRunner'>;
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

const pluginsOf = (route: EdgeRoute, keys: EdgeSettings['secret_keys']) =>
  withoutNulls(withSecrets(route, keys)) as RunnerPlugin[];

/** Names that the route's TLS connections to origins are opened with; a wildcard stands for all that it covers. */
function serverNames(route: EdgeRoute): string[] {
  const { originHost } = preparePlugins(pluginsOf(route, undefined), handlers, edgeKit, () => {});
  return originHost === undefined ? route.hosts.map(({ name }) => name) : [originHost];
}

/**
 * What distinguishes TLS connections besides their SNI: an unverified one, or one verified by other CA
 * certificates, must not be taken for a verified one.
 */
function trustOf({ tls_verification = 'off', tls_ca = '' }: EdgeUpstream): string {
  return tls_verification === 'custom'
    ? ` ${createHash('sha256').update(tls_ca).digest('hex')}`
    : ` ${tls_verification}`;
}

/** `address:port` and SNI with trust of the TLS connections that the route opens. */
export function tlsUses(
  route: EdgeRoute,
  { resolver, guard }: Pick<OriginParts, 'resolver' | 'guard'>,
): { address: string; name: string }[] {
  const { upstream } = route;
  if (!upstream || upstream.protocol === 'http') return [];
  const names = serverNames(route).map((name) => name + trustOf(upstream));
  return upstream.targets.flatMap((target) =>
    usableAddresses(target, upstream.protocol, resolver, guard).flatMap((address) =>
      names.map((name) => ({ address: `${address} ${target.port ?? 443}`, name })),
    ),
  );
}

/** CA certificates of its own that the route's origins are verified by. */
export function tlsCaOf({ upstream, account_id, tier }: EdgeRoute): TlsCaSet | undefined {
  if (!upstream || upstream.protocol === 'http' || upstream.tls_verification !== 'custom') return undefined;
  return upstream.tls_ca === undefined ? undefined : { pem: upstream.tls_ca, accountId: account_id, tier };
}

/** Where nginx verifies the route's origins; nothing where they are met without TLS or verified by public CAs. */
function tlsSettings(upstream: EdgeUpstream, tlsCas: TlsCaSlots): Partial<RunnerUpstream> {
  const { protocol, tls_verification = 'off', tls_ca } = upstream;
  if (protocol === 'http' || tls_verification === 'strict') return {};
  if (tls_verification === 'off') return { tls_location: '@unverified', tls_unverified: true };
  const slot = tls_ca === undefined ? undefined : tlsCas.slotOf(tls_ca);
  if (slot === undefined) return { tls_refused: true };
  return { tls_location: `@tls_ca_${slot}`, tls_direct_location: `@tls_ca_direct_${slot}` };
}

/** The value that the API shows for the seed (apps/api/src/modules/origins/lock-service.ts). */
function originKey(route: EdgeRoute, key: string | undefined): string | undefined {
  if (route.origin_key_seed === undefined || key === undefined) return undefined;
  const text = `${route.id} ${route.origin_key_seed}`;
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');
}

/** A route as nginx gets it. */
export function toRunnerRoute(
  route: EdgeRoute,
  revision: number,
  { resolver, guard, reuse, tlsCas }: OriginParts,
  settings: Pick<EdgeSettings, 'origin_key' | 'secret_keys'> | undefined,
): RunnerRoute {
  const originValue = originKey(route, settings?.origin_key);
  const now = Date.now();
  const { upstream } = route;
  const names = upstream && upstream.protocol !== 'http' ? serverNames(route) : [];
  const trust = upstream ? trustOf(upstream) : '';
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
        addresses.every((address) => reuse.mayReuse(`${address} ${target.port ?? 443}`, soleName + trust, now)),
    };
  };
  return {
    id: route.id,
    account_id: route.account_id,
    czone: route.czone,
    version: route.version,
    revision,
    tier: route.tier,
    brand: route.brand,
    hosts: route.hosts,
    wildcard_levels: route.wildcard_levels ?? 'one',
    ...(route.off === undefined ? {} : { off: route.off }),
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
            ...(upstream.connection_limit ? { connection_limit: upstream.connection_limit } : {}),
            ...tlsSettings(upstream, tlsCas),
          },
        }
      : {}),
    ...(originValue === undefined ? {} : { origin_key: originValue }),
    ...(route.https === undefined ? {} : { https: route.https }),
    plugins: pluginsOf(route, settings?.secret_keys),
  };
}

/** @param shields Of `Shields.toRunner`. */
export function toRunnerSettings(
  settings: EdgeSettings,
  testKey: string,
  shields: Pick<RunnerSettings, 'shields' | 'peer_addresses'> = {},
): RunnerSettings {
  return {
    ...shields,
    test_key: testKey,
    preview_key: settings.preview_key,
    probe_key: settings.probe_key,
    default_brand: settings.default_brand,
    cdn_loop_id: settings.cdn_loop_id,
    challenge_keys: settings.challenge_keys ?? [],
    ...(settings.recaptcha ? { recaptcha: toRunnerRecaptcha(settings.recaptcha) } : {}),
    brands: Object.fromEntries(
      Object.entries(settings.brands).map(
        ([key, { name, primary_color, abuse_contact, console_url, hides_provider }]) => [
          key,
          { name, primary_color, abuse_contact, console_url, hides_provider },
        ],
      ),
    ),
  };
}
