import { isDeepStrictEqual } from 'node:util';
import type { CheckState, DiagnosisCheck, Health, HealthFinding } from '@cordon/contract';
import type { Line } from './line.ts';

/** What costs visitors most comes first. */
const BY_COST: readonly DiagnosisCheck[] = [
  'service',
  'nodes',
  'upstream',
  'traffic',
  'ownership',
  'certificate',
  'deploy',
  'access',
  'quota',
  'propagation',
];
const BY_STATE: readonly CheckState[] = ['error', 'warning', 'unknown', 'ok'];
/** The owner does not want it served. */
const OFF: readonly string[] = ['never_deployed', 'deactivated', 'deleting'];
/** What of a domain that is off has to be mended all the same before it can be served. */
const MATTERS_WHEN_OFF: readonly DiagnosisCheck[] = ['service', 'ownership'];

const isUnwell = (line: Line): boolean => line.state === 'error' || line.state === 'warning';

/** Whether the first is what a customer must hear of before the second. */
export const isWorse = (one: Pick<Line, 'state'>, other: Pick<Line, 'state'>): boolean =>
  BY_STATE.indexOf(one.state) < BY_STATE.indexOf(other.state);

const wordsOf = (findings: readonly HealthFinding[]) =>
  findings.map(({ check, finding, state }) => `${check}/${finding} ${state}`).sort();

/** Whether the same was found, in whatever order and since when. */
export const hasSameFindings = (some: readonly HealthFinding[], others: readonly HealthFinding[]): boolean =>
  isDeepStrictEqual(wordsOf(some), wordsOf(others));

export const isSameHealth = (one: Health, other: Health): boolean =>
  one.state === other.state && hasSameFindings(one.findings, other.findings);

const toFinding = ({ check, state, finding, params, advice, since }: Line): HealthFinding => ({
  check,
  state,
  finding,
  params: params ?? {},
  advice: advice ?? null,
  since: since ?? null,
});

/** Of each check the worst line. */
function worstByCheck(lines: readonly Line[]): Line[] {
  const worst = new Map<DiagnosisCheck, Line>();
  for (const line of lines) {
    const known = worst.get(line.check);
    if (!known || isWorse(line, known)) worst.set(line.check, line);
  }
  return [...worst.values()];
}

/**
 * What lines about a domain come to: the only judgement of its health. What could not be found out makes none unwell.
 * Several lines of one check count as the worst of them.
 */
export function judge(lines: readonly Line[], lookedAt: string | null): Health {
  const found = worstByCheck(lines).filter(isUnwell);
  const isOff = found.some(({ check, finding }) => check === 'service' && OFF.includes(finding));
  const isDeleting = found.some(({ check, finding }) => check === 'service' && finding === 'deleting');
  // A name that leads elsewhere is one trouble, however many name servers say so.
  const isAstray = found.some(({ check, state }) => check === 'ownership' && state === 'error');
  const upstream = found.find(({ check }) => check === 'upstream');
  // Server errors of an origin that fails are no second fault, unless they cost visitors more than what is known of it.
  const isOfUpstream = (line: Line) =>
    line.check === 'traffic' && line.finding === 'server_errors' && upstream !== undefined && !isWorse(line, upstream);
  const findings = found
    .filter((line) => (line.check !== 'propagation' || !isAstray) && !isOfUpstream(line))
    .filter(({ check }) => !isOff || check === 'service' || (!isDeleting && MATTERS_WHEN_OFF.includes(check)))
    .sort(
      (a, b) =>
        BY_STATE.indexOf(a.state) - BY_STATE.indexOf(b.state) || BY_COST.indexOf(a.check) - BY_COST.indexOf(b.check),
    )
    .map(toFinding);
  const worst = findings[0]?.state;
  const state = isOff ? 'off' : worst === 'error' || worst === 'warning' ? worst : 'ok';
  return { state, findings, looked_at: lookedAt };
}
