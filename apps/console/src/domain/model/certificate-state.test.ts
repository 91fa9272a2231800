import type { Health, RouteSummary } from '@cordon/contract';
import { expect, it } from 'vitest';
import { certificateState } from './certificate-state';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const inDays = (days: number) => new Date(NOW + (days + 0.5) * 86_400_000).toISOString();
const healthWith = (finding: string, state?: 'error' | 'warning'): Health => ({
  state: state ?? 'ok',
  looked_at: null,
  findings: state ? [{ check: 'certificate', state, finding, params: {}, advice: null, since: null }] : [],
});

it.each<
  [RouteSummary['certificate_finding'], number | null, 'error' | 'warning' | undefined, string, string | undefined]
>([
  ['demo', null, undefined, 'demo', undefined],
  ['default_certificate', null, 'warning', 'none', 'warning'],
  ['default_certificate', null, 'error', 'none', 'danger'],
  ['no_handshake', null, undefined, 'unknown', undefined],
  [null, null, undefined, 'none', undefined],
  ['valid', 61, undefined, 'days', undefined],
  ['expires_soon', 13, 'warning', 'days', 'warning'],
  // By the clock of the browser, which may be wrong.
  ['valid', 13, undefined, 'days', undefined],
  ['valid', -1, undefined, 'days', undefined],
  ['not_trusted', 61, 'warning', 'days', 'warning'],
  ['expired', -1, 'error', 'expired', 'danger'],
])('a certificate that is %s and ends in %s days (%s) is called %s', (finding, days, state, word, tone) => {
  const route = {
    certificate_finding: finding,
    certificate_expires_at: days === null ? null : inDays(days),
    health: healthWith(finding ?? '', state),
  };
  expect(certificateState(route, NOW)).toMatchObject({ word, tone });
});
