import type { DiagnosisItem } from '@cordon/contract';
import type { DnsResolver } from '../../platform/resolver.ts';
import { type DnsView, needsTxtProof, type OwnershipProof, pointRecords, probeName, viewOf } from '../names/service.ts';
import type { RouteRow } from '../routes/service.ts';
import { type Aim, lackingRecord, pointsByName, pointsHere, seenOf } from './aim.ts';
import { type Found, textOf } from './line.ts';

export interface OwnershipCheckParts {
  readonly resolver: DnsResolver;
  readonly proof: OwnershipProof;
}

const SHADOW_DOMAINS_SHOWN_MAX = 20;
const PARAM_CHARACTERS_MAX = 2048;

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

/** As many of the names as a value of a finding has room for. */
const whatFits = (names: readonly string[]): string =>
  names.filter((_, index) => names.slice(0, index + 1).join(', ').length <= PARAM_CHARACTERS_MAX).join(', ');

type Name = Pick<
  RouteRow,
  'account_id' | 'domain_name' | 'cname' | 'ownership_state' | 'ownership_method' | 'proof_needed_until'
>;

/** What was seen of a name; `items` of its shadow domains. A view that is null: DNS did not answer. */
export interface OwnershipView {
  readonly view: DnsView | null;
  readonly hasTxt: boolean;
  readonly items: DiagnosisItem[];
}

/** The line about a name as it was seen. A name that is not proved yet is so by what was seen, where that is enough. */
export function judgeOwnership(
  route: Name,
  { view, hasTxt, items }: OwnershipView,
  aim: Aim,
  proof: Pick<OwnershipProof, 'txtRecord'>,
): Found {
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
  const isVerified = route.ownership_state === 'verified';
  // A name that is not proved is not served, whatever is the reason.
  if (!view) return { state: isVerified ? 'unknown' : 'error', finding: 'no_answer', params, advice: 'retry', items };
  const advice = record.type === 'CNAME' ? 'add_cname' : 'add_address';
  if (pointsHere(view, aim)) {
    const isProved = isVerified || hasTxt || (pointsByName(view, aim) && !needsTxtProof(route));
    if (!isProved) return { state: 'error', finding: 'proof_missing', params, advice: 'add_txt', items };
    if (lacking) return { state: 'warning', finding: 'address_missing', params, advice, items };
    const strays = items.filter((item) => item.state === 'warning').map(({ label }) => label);
    const [alias, ...more] = strays;
    if (alias === undefined) return { state: 'ok', finding: 'points_here', params, items };
    const ofAlias = { ...params, alias, more: more.length, aliases: whatFits(strays) };
    return { state: 'warning', finding: 'alias_elsewhere', params: ofAlias, advice: 'add_cname', items };
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

/** Whether the line says that the name leads here and is proved. */
export const isProvedBy = ({ finding }: Found): boolean =>
  ['points_here', 'alias_elsewhere', 'address_missing'].includes(finding);

/** Looks at the name of a domain and at its shadow domains by the deployment's own resolver. */
export async function checkOwnership(
  route: Name,
  shadowDomains: readonly string[],
  aim: Aim,
  { resolver, proof }: OwnershipCheckParts,
): Promise<Found> {
  if (route.ownership_method === 'demo') return { state: 'ok', finding: 'demo', params: { name: route.domain_name } };
  const [view, hasTxt, items] = await Promise.all([
    viewOf(resolver, probeName(route.domain_name)).catch(() => null),
    // Of a name that is proved nothing more has to be proved.
    route.ownership_state === 'verified' ? false : proof.hasTxtProof(route.account_id, route.domain_name),
    Promise.all(shadowDomains.slice(0, SHADOW_DOMAINS_SHOWN_MAX).map((name) => viewShadowDomain(resolver, name, aim))),
  ]);
  return judgeOwnership(route, { view, hasTxt, items }, aim, proof);
}
