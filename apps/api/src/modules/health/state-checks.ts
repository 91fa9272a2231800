import type { DeploymentFeature, DiagnosisAdvice, DiagnosisItem, Pause, Receipt, Suspension } from '@cordon/contract';
import { findPluginInNeed, refusedPlugins } from '../publishing/service.ts';
import type { RouteRow } from '../routes/service.ts';
import type { Found } from './line.ts';
import type { NodeState } from './node-repository.ts';

/** From this share of the quota on its end is near. */
const NEARLY = 0.9;

/** Whether the domain is meant to be served at all. */
export function checkService(
  route: Pick<RouteRow, 'status' | 'version_live'>,
  suspension: Suspension | null,
  subscriptionStatus: 'active' | 'expired' | 'suspended',
  pause: Pause | null,
): Found {
  if (suspension)
    return {
      state: 'error',
      finding: 'route_suspended',
      params: { reason: suspension.reason.slice(0, 500) },
      advice: 'contact_support',
      since: suspension.since,
    };
  if (subscriptionStatus === 'suspended')
    return { state: 'error', finding: 'subscription_suspended', advice: 'contact_support' };
  if (route.status === 'deleting' || route.status === 'deleted') return { state: 'error', finding: 'deleting' };
  if (route.version_live === null) return { state: 'error', finding: 'never_deployed', advice: 'deploy' };
  if (route.status === 'deactivated') return { state: 'error', finding: 'deactivated', advice: 'resume' };
  if (subscriptionStatus === 'expired')
    return { state: 'warning', finding: 'subscription_expired', advice: 'renew_plan' };
  if (pause)
    return {
      state: 'warning',
      finding: pause.until === null ? 'paused' : 'paused_until',
      params: { by: pause.by, ...(pause.until === null ? {} : { until_at: pause.until }) },
      advice: 'end_pause',
      since: pause.since,
    };
  return { state: 'ok', finding: 'running', params: { version: route.version_live } };
}

/** Names of a plan, and how many of them are in use. */
export interface Quota {
  readonly used: number;
  readonly limit: number;
  readonly plan: string;
}

/** Spec section 8: "Quota reached: upgrade the plan". What is served stays served, whatever the quota. */
export function checkQuota({ used, limit, plan }: Quota): Found {
  const params = { used, limit, plan };
  if (used > limit) return { state: 'warning', finding: 'exceeded', params, advice: 'upgrade_plan' };
  if (used >= limit) return { state: 'ok', finding: 'reached', params, advice: 'upgrade_plan' };
  return { state: 'ok', finding: used >= limit * NEARLY ? 'nearly_reached' : 'within', params };
}

function nodeItem(node: NodeState): DiagnosisItem {
  const params: DiagnosisItem['params'] = node.last_seen_at === null ? {} : { last_seen_at: node.last_seen_at };
  const base = { label: node.name, kind: '', params };
  if (!node.is_live) return { ...base, state: 'error', finding: 'offline' };
  if (node.nginx !== null && node.nginx !== 'running') return { ...base, state: 'error', finding: 'nginx_down' };
  return { ...base, state: 'ok', finding: 'live' };
}

/** The edge nodes of the domain's czone. */
export function checkNodes(nodes: readonly NodeState[]): Found {
  const items = nodes.map(nodeItem);
  const live = items.filter((item) => item.state === 'ok').length;
  const params = { live, all: items.length };
  if (items.length === 0) return { state: 'error', finding: 'no_node', params, advice: 'contact_support' };
  if (live === 0) {
    const since = nodes.reduce<string | null>(
      (last, { last_seen_at: at }) => ((at ?? '') > (last ?? '') ? at : last),
      null,
    );
    return { state: 'error', finding: 'none_live', params, advice: 'contact_support', since, items };
  }
  if (live < items.length) return { state: 'warning', finding: 'some_live', params, advice: 'wait', items };
  return { state: 'ok', finding: 'all_live', params, items };
}

const RECEIPT_STATES = {
  live: { state: 'ok', finding: 'live' },
  waiting: { state: 'warning', finding: 'waiting' },
  failed: { state: 'error', finding: 'failed' },
  offline: { state: 'warning', finding: 'offline' },
} as const;

const LEAVING: readonly string[] = ['delete', 'deactivate'];

/** What the nodes have reported about the newest deploy. */
export function checkDeploy(
  route: Pick<RouteRow, 'version_live' | 'pending_changes' | 'live'>,
  isSuspended: boolean,
  receipt: Omit<Receipt, 'route_id'> | null,
  features: readonly DeploymentFeature[],
): Found {
  // Whatever the customer could do instead is refused.
  const adviceOf = (advice: DiagnosisAdvice): DiagnosisAdvice => (isSuspended ? 'contact_support' : advice);
  if (!receipt || route.version_live === null)
    return { state: 'error', finding: 'never_deployed', advice: adviceOf('deploy') };
  const items = receipt.nodes.map(
    (node): DiagnosisItem => ({
      label: node.node,
      kind: '',
      ...RECEIPT_STATES[node.state],
      params: {
        ...(node.version === null ? {} : { version: node.version }),
        ...(node.live_ms === null ? {} : { ms: Math.round(node.live_ms) }),
        ...(node.probe_status === null ? {} : { status: node.probe_status }),
      },
    }),
  );
  const params = {
    version: receipt.version,
    action: receipt.action,
    at: receipt.committed_at,
    pending: route.pending_changes,
  };
  const since = receipt.committed_at;
  // How it ends is not known yet; what ran before it is served.
  if (receipt.state === 'running')
    return { state: 'unknown', finding: 'running', params, advice: 'wait', items, since };
  if (receipt.state === 'failed')
    return { state: 'error', finding: 'failed', params, advice: adviceOf('deploy'), items, since };
  // Why nobody is served, and what to do about it, is the line of the status.
  if (LEAVING.includes(receipt.action))
    return { state: 'unknown', finding: 'left_edge', params, advice: adviceOf('resume'), items };
  if (isSuspended) return { state: 'unknown', finding: 'suspended', params };
  // That a node is offline is the line of the nodes.
  if (items.some((item) => item.state !== 'ok'))
    return { state: 'unknown', finding: 'not_everywhere', params, advice: 'wait', items };
  const refused = route.live === null ? [] : refusedPlugins(route.live);
  if (refused.length > 0)
    return {
      state: 'warning',
      finding: 'settings_refused',
      params: { ...params, plugin: refused[0] ?? '', more: refused.length - 1 },
      advice: 'correct_settings',
      items,
    };
  const inNeed = route.live === null ? undefined : findPluginInNeed(route.live, features);
  if (inNeed !== undefined)
    return {
      state: 'warning',
      finding: 'recaptcha_missing',
      params: { ...params, plugin: inNeed },
      advice: 'correct_settings',
      items,
    };
  return { state: 'ok', finding: 'live', params, items };
}
