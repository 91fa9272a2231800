import type { Subscription, TrafficAction, UpstreamProtocol, Upstreams, UpstreamTarget } from '@cordon/contract';
import { parseUpstreamHost, UPSTREAM_PORTS } from '@cordon/contract';
import type { FieldCodes } from '../form/contract-form';
import { targetAddress } from '../model/target-text';

/** The part of a form that edits upstreams; `UpstreamFields` works in any form that has it. */
export interface UpstreamValues {
  traffic_action: TrafficAction;
  upstreams: { protocol: UpstreamProtocol; targets: UpstreamTarget[] };
}

export const emptyTarget = (): UpstreamTarget => ({ host: '', port: null, weight: 1, backup: false });

/** Values of a form from a configuration; a form always has a row to type into. */
export function toUpstreamValues(action: TrafficAction, upstreams: Upstreams): UpstreamValues {
  return {
    traffic_action: action,
    upstreams: {
      protocol: upstreams.protocol,
      targets: upstreams.targets.length > 0 ? upstreams.targets : [emptyTarget()],
    },
  };
}

/** What is sent: a redirect needs no upstream, so an empty row is not one. */
export function toUpstreamBody(values: UpstreamValues): Pick<UpstreamValues, 'traffic_action' | 'upstreams'> {
  const { protocol, targets } = values.upstreams;
  const kept = values.traffic_action === 'redirect' ? targets.filter((target) => target.host.trim() !== '') : targets;
  return { traffic_action: values.traffic_action, upstreams: { protocol, targets: kept } };
}

/** What only the plan knows: a free account cannot have targets by name (spec section 5). */
export function planErrors(values: UpstreamValues, subscription: Subscription | undefined): FieldCodes {
  if (!subscription || subscription.features.domain_upstream) return {};
  const errors: Record<string, string> = {};
  values.upstreams.targets.forEach((target, index) => {
    const read = parseUpstreamHost(target.host);
    if (read.ok && !read.isAddress) errors[`upstreams.targets.${index}.host`] = 'DOMAIN_UPSTREAM_NEEDS_VIP';
  });
  return errors;
}

/** Port that an empty port field stands for; null where none may be given. */
export const defaultPort = (protocol: UpstreamProtocol): number | null =>
  protocol === 'http_https' ? null : UPSTREAM_PORTS[protocol];

/** Targets as `verifyUpstreamProtocol` takes them; undefined for a row that is no target yet. */
export function detectableTarget(target: UpstreamTarget): string | undefined {
  const read = parseUpstreamHost(target.host);
  return read.ok ? targetAddress({ host: read.host, port: target.port }) : undefined;
}
