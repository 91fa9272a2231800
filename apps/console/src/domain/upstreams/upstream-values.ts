import type {
  PluginEntry,
  RouteConfig,
  Subscription,
  TrafficAction,
  Upstreams,
  UpstreamTarget,
} from '@cordon/contract';
import { fieldErrorsOf, parseUpstreamHost, targetAddress } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { definitions } from '@cordon/plugins/definitions/upstreams';
import { type FieldCodes, partsError } from '../form/contract-form';
import { configPath, withEntry } from '../model/plugin-state';

/** The plugin that the traffic action `redirect` switches on. Without one there is no such choice. */
export const redirecting = definitions.find((definition) => definition.phase === 'redirect');

/** The part of a form that says where the traffic goes; the fields of this folder work in any form that has it. */
export interface UpstreamValues {
  traffic_action: TrafficAction;
  upstreams: Upstreams;
  /** Configuration of the plugin that redirects. */
  redirection: Record<string, unknown>;
}

export const emptyTarget = (): UpstreamTarget => ({ host: '', port: null, weight: 1, backup: false });

/** Of an error at the host of a target: the edge will refuse its certificate. */
export const CERTIFICATE_REFUSED = 'certificate_refused';

/** What a new domain begins with. */
export const emptyUpstreams = (): Upstreams => ({
  protocol: 'http',
  targets: [emptyTarget()],
  connection_limit: 0,
  tls_verification: 'strict',
  tls_ca: null,
});

export const emptyRedirect = (): Record<string, unknown> => (redirecting ? schemaDefaults(redirecting.schema) : {});

/** Values of a form from a configuration; a form always has a row to type into. */
export function toUpstreamValues({ traffic_action, upstreams, plugins }: RouteConfig): UpstreamValues {
  return {
    traffic_action,
    upstreams: {
      ...upstreams,
      targets: upstreams.targets.length > 0 ? upstreams.targets : [emptyTarget()],
    },
    redirection: plugins.find((plugin) => plugin.name === redirecting?.name)?.config ?? emptyRedirect(),
  };
}

/** Targets as they are meant: where the edge follows the visitor none has a port, though the form keeps what was typed. */
export const meantTargets = ({ protocol, targets }: Pick<Upstreams, 'protocol' | 'targets'>): UpstreamTarget[] =>
  protocol === 'http_https' ? targets.map((target) => ({ ...target, port: null })) : targets;

export interface UpstreamBody {
  traffic_action: TrafficAction;
  upstreams?: Upstreams;
  plugins?: PluginEntry[];
}

/** What is sent: only what the traffic action needs. The API keeps the other and switches the redirect on and off. */
export function toUpstreamBody({ traffic_action, upstreams, redirection }: UpstreamValues): UpstreamBody {
  if (traffic_action === 'upstream')
    return { traffic_action, upstreams: { ...upstreams, targets: meantTargets(upstreams) } };
  return {
    traffic_action,
    ...(redirecting && { plugins: [{ name: redirecting.name, enabled: true, config: redirection }] }),
  };
}

/** A configuration with what was typed in place of its own. */
export function toConfig(config: RouteConfig, { traffic_action, upstreams, redirection }: UpstreamValues): RouteConfig {
  const targets = meantTargets(upstreams);
  const own = { ...config, traffic_action, upstreams: { ...config.upstreams, ...upstreams, targets } };
  if (!redirecting) return own;
  const { name } = redirecting;
  const enabled = traffic_action === 'redirect';
  const wasSet = config.plugins.some((plugin) => plugin.name === name);
  return enabled || wasSet ? withEntry(own, { name, enabled, config: redirection }) : own;
}

/** What the redirect's own schema finds, and an address that leads back to one of the domain's names. */
export function redirectErrors(values: UpstreamValues, names: readonly string[]): FieldCodes {
  if (values.traffic_action !== 'redirect' || !redirecting) return {};
  const parsed = redirecting.schema.safeParse(values.redirection);
  const codes = parsed.success
    ? (redirecting.visitorTargets?.(parsed.data) ?? [])
        .filter(({ url }) => names.includes(new URL(url).hostname.replace(/\.$/, '')))
        .map(({ path }) => [path, 'REDIRECT_LOOP'] as const)
    : Object.entries(fieldErrorsOf(parsed.error).fields);
  return codes.length === 0 ? {} : { redirection: partsError(Object.fromEntries(codes)) };
}

/** The field of the form that shows an error of the API; undefined where it has none. */
export function upstreamField(path: string, action: TrafficAction): string | undefined {
  if (path === 'traffic_action') return path;
  if (action === 'redirect') {
    const inside = configPath(path);
    return inside === undefined ? undefined : `redirection.${inside}`;
  }
  const isField = /^upstreams\.(protocol|connection_limit|tls_verification|tls_ca|targets\.\d+\..*)$/.test(path);
  return isField ? path : undefined;
}

/** A private key must not leave the browser, not even to be refused. */
export function privateKeyErrors({ upstreams }: UpstreamValues): FieldCodes {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(upstreams.tls_ca ?? '')
    ? { 'upstreams.tls_ca': 'TLS_CA_IS_KEY' }
    : {};
}

/** What only the plan knows: a free account cannot have targets by name (spec section 5). */
export function planErrors(values: UpstreamValues, subscription: Subscription | undefined): FieldCodes {
  if (values.traffic_action === 'redirect' || !subscription || subscription.features.domain_upstream) return {};
  const errors: Record<string, string> = {};
  values.upstreams.targets.forEach((target, index) => {
    const read = parseUpstreamHost(target.host);
    if (read.ok && !read.isAddress) errors[`upstreams.targets.${index}.host`] = 'DOMAIN_UPSTREAM_NEEDS_VIP';
  });
  return errors;
}

/** Targets as `verifyUpstreamProtocol` takes them; undefined for a row that is no target yet. */
export function verifiableTarget(target: UpstreamTarget): string | undefined {
  const read = parseUpstreamHost(target.host);
  return read.ok ? targetAddress({ host: read.host, port: target.port }) : undefined;
}
