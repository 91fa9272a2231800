import {
  type DiagnosisItem,
  type Health,
  type HealthFinding,
  type OperationError,
  parseAddress,
  type RouteSummary,
  type RunningOperation,
  type UpstreamTarget,
} from '@cordon/contract';
import type { OwnershipProof } from '../names/service.ts';
import { marksOf, standingOf } from '../origins/service.ts';
import { pauseOf } from '../publishing/service.ts';
import { type RouteRow, suspensionOf } from '../routes/service.ts';
import { judgeCertificate } from './certificate-check.ts';
import { judgeUnmet } from './challenge-check.ts';
import { judge } from './judge.ts';
import { type Found, type Line, textOf } from './line.ts';
import type { NodeState } from './node-repository.ts';
import { judgeOwnership } from './ownership-check.ts';
import { checkDeploy, checkNodes, checkQuota, checkService } from './state-checks.ts';

/** What is stored of a domain that its health is judged by: `FACT_COLUMNS` of `facts-repository.ts`. */
export interface Facts
  extends Pick<
    RouteRow,
    | 'id'
    | 'account_id'
    | 'czone'
    | 'domain_name'
    | 'cname'
    | 'status'
    | 'version_live'
    | 'pending_changes'
    | 'suspended_at'
    | 'suspended_reason'
    | 'paused_at'
    | 'paused_until'
    | 'paused_by'
    | 'ownership_state'
    | 'ownership_method'
    | 'ownership_seen'
    | 'ownership_checked_at'
    | 'ownership_pending_since'
    | 'proof_needed_until'
    | 'certificate_id'
  > {
  readonly account_suspended_at: string | null;
  readonly account_suspended_reason: string | null;
  readonly subscription_status: 'active' | 'expired' | 'suspended';
  readonly subscription_ipv6: boolean;
  readonly names_used: number;
  readonly names_limit: number;
  readonly plan_label: string;
  readonly op_action: RunningOperation['action'] | null;
  readonly op_state: RunningOperation['state'] | null;
  readonly op_started_at: string | null;
  readonly op_error: OperationError | null;
  readonly op_version: number | null;
  readonly looked_at: string | null;
  readonly origins_looked_at: string | null;
  readonly look_version: number | null;
  readonly look_domain_name: string | null;
  readonly look_ownership_state: 'pending' | 'verified' | null;
  readonly look_certificate_id: string | null;
  readonly look_findings: readonly HealthFinding[] | null;
  readonly look_expires_at: string | null;
  readonly errors_requests: number | null;
  readonly errors_failed: number | null;
  readonly errors_since: string | null;
  readonly unmet_challenges: number | null;
  readonly unmet_since: string | null;
}

/** What visitors of a domain got in the last `RECENT_MINUTES`; requests that were blocked are none of the failed ones. */
export interface Answers {
  readonly requests: number;
  readonly failed: number;
}
export const RECENT_MINUTES = 5;
/** Requests and failed ones below which errors are chance, and the share of them that is too many. */
export interface ErrorBounds {
  readonly requestsMin: number;
  readonly failedMin: number;
  readonly shareMin: number;
}
export const ERRORS: ErrorBounds = { requestsMin: 20, failedMin: 5, shareMin: 0.05 };
/** The same of a domain that has them already: lower, or it would be unwell and well by turns. */
export const ERRORS_GO_ON: ErrorBounds = { requestsMin: 10, failedMin: 2, shareMin: 0.02 };
/** The share of a domain that counts as not served. */
export const ERRORS_MOSTLY = 0.5;

/**
 * The line about the answers that visitors got in the last minutes.
 * @param since Since when they get server errors; of a domain that has none yet nothing.
 */
export function judgeTraffic({ requests, failed }: Answers, since?: string | null): Found {
  const { requestsMin, failedMin, shareMin } = since ? ERRORS_GO_ON : ERRORS;
  const share = requests === 0 ? 0 : failed / requests;
  const params = { share: Math.round(share * 1000) / 10, requests, minutes: RECENT_MINUTES };
  if (requests === 0) return { state: 'ok', finding: 'quiet', params };
  if (share < shareMin) return { state: 'ok', finding: 'served', params };
  if (requests < requestsMin || failed < failedMin) return { state: 'unknown', finding: 'too_few', params };
  return {
    state: share >= ERRORS_MOSTLY ? 'error' : 'warning',
    finding: 'server_errors',
    params,
    advice: 'check_origin',
    ...(since ? { since } : {}),
  };
}

/**
 * The line about origins that nodes leave out; undefined where they leave out none. An address that is none of the
 * targets is of a name among them, or of a configuration that is gone.
 */
export function judgeTargetsDown(
  routeId: string,
  targets: readonly UpstreamTarget[],
  nodes: readonly NodeState[],
): Found | undefined {
  const hasNames = targets.some(({ host }) => parseAddress(host) === undefined);
  const isOurs = (mark: NodeState['down'][number]) =>
    hasNames || targets.some((target) => standingOf(target, [mark]).state !== 'up');
  const byNode = nodes
    .filter((node) => node.is_live)
    .map((node) => ({ name: node.name, down: marksOf(routeId, node).filter(isOurs) }));
  const marks = byNode.flatMap(({ down }) => down);
  if (marks.length === 0) return undefined;
  const upAt = (down: NodeState['down']) =>
    targets.filter((target) => standingOf(target, down).state !== 'down').length;
  const good = Math.min(...byNode.filter(({ down }) => down.length > 0).map(({ down }) => upAt(down)));
  const isNone = byNode.every(({ down }) => upAt(down) === 0);
  const items = [...new Set(marks.map(({ target }) => target))].slice(0, 20).map(
    (label): DiagnosisItem => ({
      label,
      kind: '',
      state: 'warning',
      finding: 'seen_down',
      params: {
        nodes: textOf(byNode.filter(({ down }) => down.some((mark) => mark.target === label)).map(({ name }) => name)),
      },
    }),
  );
  return {
    state: isNone ? 'error' : 'warning',
    finding: isNone ? 'none_answers' : 'some_fail',
    params: { good, asked: targets.length, more: 0 },
    advice: 'check_origin',
    since: new Date(Math.min(...marks.map(({ since }) => since)) * 1000).toISOString(),
    items,
  };
}

/** The state of a name that is not proved yet, as it was seen last: an ownership job looks at it again and again. */
function pendingOwnership(facts: Facts, nodes: readonly NodeState[], proof: Pick<OwnershipProof, 'txtRecord'>): Found {
  const isAddress = (one: string) => parseAddress(one) !== undefined;
  const seen = facts.ownership_seen;
  const found = judgeOwnership(
    // Had it been proved by what was seen, it would not be pending.
    { ...facts, ownership_state: 'pending', proof_needed_until: new Date(Date.now() + 60_000).toISOString() },
    {
      view: seen && { cnames: seen.filter((one) => !isAddress(one)), addresses: seen.filter(isAddress) },
      hasTxt: false,
      items: [],
    },
    aimOf(facts, nodes),
    proof,
  );
  return { ...found, since: facts.ownership_pending_since };
}

const aimOf = (facts: Facts, nodes: readonly NodeState[]) => ({
  cname: facts.cname,
  czoneAddresses: [...new Set(nodes.flatMap(({ addresses }) => addresses))],
  ipv6: facts.subscription_ipv6,
});

/** While a domain is suspended or its protections are paused, what its configuration refuses concerns no visitor. */
export const isAccessOpened = (
  route: Pick<RouteRow, 'suspended_at' | 'paused_at' | 'paused_until' | 'paused_by'>,
): boolean => route.suspended_at !== null || pauseOf(route) !== null;

const isServed = ({ status, version_live }: Facts): boolean => status === 'running' && version_live !== null;

/** What of the last look still says something about the domain as it is now. */
function lookedLines(facts: Facts): HealthFinding[] {
  const isSameName =
    facts.look_domain_name === facts.domain_name && facts.look_ownership_state === facts.ownership_state;
  const isSameVersion = facts.look_version === facts.version_live;
  return (facts.look_findings ?? []).filter(({ check }) => {
    if (check === 'ownership' || check === 'propagation') return isSameName;
    if (check === 'certificate') return isSameName && facts.look_certificate_id === facts.certificate_id;
    return isSameVersion && !(check === 'access' && isAccessOpened(facts));
  });
}

const isCertificateShown = (facts: Facts): boolean =>
  facts.look_expires_at !== null &&
  facts.look_domain_name === facts.domain_name &&
  facts.look_certificate_id === facts.certificate_id;

/** Of the certificate that visitors are shown; null where none covers the name, or none was looked at. */
export const certificateExpiryOf = (facts: Facts): string | null =>
  isCertificateShown(facts) ? facts.look_expires_at : null;

/**
 * Whether visitors over https are shown a certificate of the domain that browsers take: its own, or one that was met when the name was
 * looked at last. What sends visitors to https asks for it.
 */
export function hasCertificate(facts: Facts): boolean {
  if (facts.certificate_id !== null) return true;
  const expiresAt = certificateExpiryOf(facts);
  const looked = lookedLines(facts).find(({ check }) => check === 'certificate');
  const isTaken = looked === undefined || looked.finding === 'expires_soon';
  return isTaken && expiresAt !== null && Date.parse(expiresAt) > Date.now();
}

/** What a diagnosis would say of the certificate, by what is stored; null while the domain is not served. */
export function certificateFindingOf(facts: Facts): RouteSummary['certificate_finding'] {
  if (!isServed(facts)) return null;
  const looked = lookedLines(facts).find(({ check }) => check === 'certificate');
  const finding = looked ?? (isCertificateShown(facts) ? { finding: 'valid' } : judgeCertificate(undefined, facts));
  return finding.finding as RouteSummary['certificate_finding'];
}

function ownershipLines(
  facts: Facts,
  looked: readonly HealthFinding[],
  nodes: readonly NodeState[],
  proof: Pick<OwnershipProof, 'txtRecord'>,
): Line[] {
  if (facts.ownership_state === 'verified') return [];
  const isLookNewer =
    (facts.looked_at ?? '') > (facts.ownership_checked_at ?? '') && looked.some(({ check }) => check === 'ownership');
  return isLookNewer ? [] : [{ check: 'ownership', ...pendingOwnership(facts, nodes, proof) }];
}

/**
 * Lines of everything that is stored about a domain.
 * @param nodes Of its czone.
 * @param targets Of its live version; only asked where a node leaves out one.
 */
export function linesOf(
  facts: Facts,
  nodes: readonly NodeState[],
  targets: readonly UpstreamTarget[] | undefined,
  proof: Pick<OwnershipProof, 'txtRecord'>,
): Line[] {
  const suspension = suspensionOf(facts, {
    suspended_at: facts.account_suspended_at,
    suspended_reason: facts.account_suspended_reason,
  });
  const lines: Line[] = [
    { check: 'service', ...checkService(facts, suspension, facts.subscription_status, pauseOf(facts)) },
  ];
  const looked = lookedLines(facts);
  if (facts.status !== 'deleting')
    lines.push(
      ...ownershipLines(facts, looked, nodes, proof),
      ...looked.filter((line) => line.check === 'ownership').map(toLine),
    );
  if (!isServed(facts)) return lines;
  lines.push({ check: 'nodes', ...checkNodes(nodes) });
  lines.push({
    check: 'quota',
    ...checkQuota({ used: facts.names_used, limit: facts.names_limit, plan: facts.plan_label }),
  });
  lines.push(...looked.filter((line) => line.check !== 'ownership').map(toLine));
  if (facts.certificate_id === null && !isCertificateShown(facts))
    lines.push({ check: 'certificate', ...judgeCertificate(undefined, facts) });
  if (facts.op_state !== null && facts.op_action !== null)
    lines.push({
      check: 'deploy',
      ...checkDeploy(
        { ...facts, live: null },
        suspension !== null,
        {
          version: facts.op_version ?? facts.version_live ?? 0,
          action: facts.op_action,
          state: facts.op_state,
          committed_at: facts.op_started_at ?? '',
          nodes: [],
        },
        [],
      ),
    });
  const down = targets && judgeTargetsDown(facts.id, targets, nodes);
  if (down) lines.push({ check: 'upstream', ...down });
  if (facts.errors_requests !== null && facts.errors_failed !== null)
    lines.push({
      check: 'traffic',
      ...judgeTraffic({ requests: facts.errors_requests, failed: facts.errors_failed }, facts.errors_since),
    });
  if (facts.unmet_challenges !== null && !isAccessOpened(facts))
    lines.push({ check: 'traffic', ...judgeUnmet(facts.unmet_challenges, facts.unmet_since) });
  return lines;
}

const toLine = ({ advice, ...finding }: HealthFinding): Line => ({ ...finding, ...(advice ? { advice } : {}) });

/** When all there is to look at was looked at; the names of the demo lead nowhere, and are not. */
function lookedAt({ ownership_method, looked_at, origins_looked_at }: Facts): string | null {
  const isOriginsOnly = ownership_method === 'demo' && (origins_looked_at ?? '') > (looked_at ?? '');
  return isOriginsOnly ? origins_looked_at : looked_at;
}

/** The health of a domain by what is stored about it. */
export const healthOf = (
  facts: Facts,
  nodes: readonly NodeState[],
  targets: readonly UpstreamTarget[] | undefined,
  proof: Pick<OwnershipProof, 'txtRecord'>,
): Health => judge(linesOf(facts, nodes, targets, proof), lookedAt(facts));
