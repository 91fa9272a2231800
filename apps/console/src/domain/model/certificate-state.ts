import type { RouteSummary } from '@cordon/contract';

const DAY_MS = 86_400_000;
const EXPIRES_SOON_DAYS = 14;

/** What visitors over https are shown, in a word: lists and pages say the same as a diagnosis. */
export interface CertificateState {
  /** `unknown`: it was not looked at yet. */
  readonly word: 'none' | 'demo' | 'unknown' | 'expired' | 'days';
  readonly days: number;
  readonly tone: 'danger' | 'warning' | undefined;
}

export function certificateState(
  {
    certificate_finding: finding,
    certificate_expires_at: end,
    health,
  }: Pick<RouteSummary, 'certificate_finding' | 'certificate_expires_at' | 'health'>,
  now: number,
): CertificateState {
  const unwell = health.findings.find(({ check }) => check === 'certificate');
  const tone = unwell && (unwell.state === 'error' ? 'danger' : 'warning');
  if (end === null)
    return { word: finding === 'demo' ? 'demo' : finding === 'no_handshake' ? 'unknown' : 'none', days: 0, tone };
  const days = Math.floor((Date.parse(end) - now) / DAY_MS);
  if (days < 0) return { word: 'expired', days, tone: 'danger' };
  return { word: 'days', days, tone: tone ?? (days < EXPIRES_SOON_DAYS ? 'warning' : undefined) };
}
