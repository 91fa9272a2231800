import { type DiagnosisItem, type EdgeRoute, isWildcardName, parseAddress, specialAddressKind } from '@cordon/contract';
import type { Trace, TraceStep } from '@cordon/plugin-kit/trace';
import type { Found } from '../health/service.ts';
import type { RouteRow } from '../routes/service.ts';
import type { TraceService } from './trace-service.ts';

export type RunTrace = (
  route: EdgeRoute,
  visitor: { readonly host: string; readonly address: string; readonly country?: string },
) => Promise<Trace>;

/** Ordinary visitors, far from each other: addresses of well-known servers and where they stand. */
const SAMPLES = [
  { address: '4.2.2.2', country: 'US' },
  { address: '194.25.0.60', country: 'DE' },
  { address: '114.114.114.114', country: 'CN' },
  { address: '200.160.0.8', country: 'BR' },
  { address: '196.25.1.1', country: 'ZA' },
  { address: '2001:dc7::1', country: 'CN' },
] as const;

const isOrdinary = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== undefined && specialAddressKind(address) === undefined;
};

const endingOf = (trace: Trace): TraceStep | undefined =>
  trace.steps.find(({ step, outcome }) => step === 'plugin' && (outcome === 'block' || outcome === 'redirect'));

function itemOf(trace: Trace, kind: 'you' | 'sample', visitor: { address: string; country?: string }): DiagnosisItem {
  const ending = endingOf(trace);
  const params = {
    ...(visitor.country !== undefined && { country: visitor.country }),
    ...(ending ? { plugin: ending.plugin, reason: ending.reason, rule: ending.rule } : {}),
  };
  const base = { label: visitor.address, kind, params };
  if (ending === undefined) return { ...base, state: 'ok', finding: 'lets_in' };
  if (ending.outcome === 'redirect') return { ...base, state: 'ok', finding: 'redirects' };
  return { ...base, state: kind === 'you' ? 'error' : 'warning', finding: 'blocks' };
}

/**
 * Whether the plugins let ordinary visitors of the front page in, and the customer who asks: by running them. Says
 * nothing about limits that count requests. Of a domain that is off, nobody gets as far as the plugins.
 */
export async function checkAccess(
  route: EdgeRoute,
  domainName: string,
  ownAddress: string,
  run: RunTrace,
): Promise<Found> {
  // The cause, and what to do about it, is the line of the status.
  if (route.off !== undefined) return { state: 'unknown', finding: 'off', params: { why: route.off } };
  const host = isWildcardName(domainName) ? `www.${domainName.slice(2)}` : domainName;
  const look = async (kind: 'you' | 'sample', visitor: { address: string; country?: string }) =>
    itemOf(await run(route, { host, ...visitor }), kind, visitor);
  const you = isOrdinary(ownAddress) ? [await look('you', { address: ownAddress })] : [];
  const others = await Promise.all(SAMPLES.map((visitor) => look('sample', visitor)));
  const items = [...you, ...others];
  const isBlocked = (item: DiagnosisItem) => item.finding === 'blocks';
  const blocked = items.find(isBlocked);
  const params: DiagnosisItem['params'] = blocked
    ? { ...blocked.params, address: you[0]?.label ?? '' }
    : { asked: items.length };
  if (items.every(isBlocked))
    return { state: 'error', finding: 'blocks_everybody', params, advice: 'change_access', items };
  if (others.every(isBlocked))
    return { state: 'warning', finding: 'lets_only_you_in', params, advice: 'change_access', items };
  if (you.some(isBlocked)) return { state: 'warning', finding: 'blocks_you', params, advice: 'change_access', items };
  if (others.some(isBlocked)) return { state: 'ok', finding: 'blocks_some', params, items };
  if (items.every((item) => item.finding === 'redirects')) return { state: 'ok', finding: 'redirects', params, items };
  return { state: 'ok', finding: 'lets_in', params, items };
}

/**
 * The same of the live version by itself, of no customer's address, and whether or not the domain is off or paused. Of one
 * that was never deployed nothing is known.
 */
export const createLiveAccessCheck =
  (traces: Pick<TraceService, 'edgeRouteOf' | 'visit'>) =>
  async (route: RouteRow): Promise<Found> =>
    route.live === null
      ? { state: 'unknown', finding: 'off', params: { why: 'never_deployed' } }
      : checkAccess(await traces.edgeRouteOf(route, route.live, false), route.domain_name, '', traces.visit);
