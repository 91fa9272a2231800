import type { DiagnosisItem } from '@cordon/contract';
import type { DnsResolver } from '../../platform/resolver.ts';
import { type OwnershipProof, pointRecords, probeName } from '../names/service.ts';
import type { RouteRow } from '../routes/service.ts';
import { type Aim, type DnsView, lackingRecord, pointsByName, pointsHere, seenOf, viewOf } from './dns-view.ts';
import { type Found, textOf } from './line.ts';

export interface OwnershipCheckParts {
  readonly resolver: DnsResolver;
  readonly proof: OwnershipProof;
  /** Looks once more and writes down that the name is proved. */
  readonly confirm: () => Promise<void>;
}

const SHADOW_DOMAINS_SHOWN_MAX = 20;

type Item = Pick<DiagnosisItem, 'state' | 'finding' | 'params'>;

/** One name as a resolver sees it. */
export function judgeView(view: DnsView, aim: Aim): Item {
  const seen = seenOf(view);
  const params = { seen: textOf(seen) };
  if (pointsHere(view, aim)) return { state: 'ok', finding: 'points_here', params };
  return { state: 'warning', finding: seen.length === 0 ? 'no_record' : 'points_elsewhere', params };
}

async function viewShadowDomain(resolver: DnsResolver, name: string, aim: Aim): Promise<DiagnosisItem> {
  const item = await viewOf(resolver, probeName(name)).then(
    (view): Item => {
      const lacking = pointsHere(view, aim) ? lackingRecord(name, view, aim) : undefined;
      if (!lacking) return judgeView(view, aim);
      const params = { record_type: lacking.type, target: textOf(lacking.value) };
      return { state: 'warning', finding: 'address_missing', params };
    },
    (): Item => ({ state: 'unknown', finding: 'no_answer', params: {} }),
  );
  return { label: name, kind: '', ...item };
}

/** Whether the name of the domain, and its shadow domains, lead here, by the deployment's own resolver. */
export async function checkOwnership(
  route: RouteRow,
  shadowDomains: readonly string[],
  aim: Aim,
  parts: OwnershipCheckParts,
): Promise<Found> {
  const { resolver, proof } = parts;
  if (route.ownership_method === 'demo') return { state: 'ok', finding: 'demo', params: { name: route.domain_name } };
  const [view, hasTxt, items] = await Promise.all([
    viewOf(resolver, probeName(route.domain_name)).catch(() => undefined),
    proof.hasTxtProof(route.account_id, route.domain_name),
    Promise.all(shadowDomains.slice(0, SHADOW_DOMAINS_SHOWN_MAX).map((name) => viewShadowDomain(resolver, name, aim))),
  ]);
  const txt = proof.txtRecord(route.account_id, route.domain_name);
  const lacking = view && lackingRecord(route.domain_name, view, aim);
  const record = lacking ?? pointRecords(route, aim).record;
  const params = {
    name: route.domain_name,
    record_type: record.type,
    target: textOf(record.value),
    txt_name: txt.name,
    txt_value: txt.value,
    seen: view ? textOf(seenOf(view)) : '',
  };
  if (!view) return { state: 'unknown', finding: 'no_answer', params, advice: 'retry', items };
  const needsProof = route.proof_needed_until !== null && Date.parse(route.proof_needed_until) > Date.now();
  const isVerified = route.ownership_state === 'verified';
  const advice = record.type === 'CNAME' ? 'add_cname' : 'add_address';
  if (pointsHere(view, aim)) {
    const isProved = isVerified || hasTxt || (pointsByName(view, aim) && !needsProof);
    if (!isProved) return { state: 'error', finding: 'proof_missing', params, advice: 'add_txt', items };
    if (!isVerified) await parts.confirm();
    if (lacking) return { state: 'warning', finding: 'address_missing', params, advice, items };
    const state = items.some((item) => item.state !== 'ok') ? 'warning' : 'ok';
    return {
      state,
      finding: 'points_here',
      params,
      ...(state === 'ok' ? {} : { advice: 'add_cname' as const }),
      items,
    };
  }
  const isEmpty = params.seen === '';
  const finding = isVerified
    ? isEmpty
      ? 'proved_but_no_record'
      : 'proved_but_elsewhere'
    : isEmpty
      ? 'no_record'
      : 'points_elsewhere';
  return { state: 'error', finding, params, advice, items };
}
