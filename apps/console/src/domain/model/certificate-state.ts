import type { RouteSummary } from '@cordon/contract';

const DAY_MS = 86_400_000;

/** What visitors over https are shown, in a word. Whether that is well says the one judgement of the domain's health. */
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
  return unwell?.finding === 'expired'
    ? { word: 'expired', days, tone }
    : { word: 'days', days: Math.max(0, days), tone };
}
