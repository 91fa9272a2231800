// @vitest-environment happy-dom
import type { Health } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { CertificateCard } from './certificate-card';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS + 60_000).toISOString();
const { ownership } = sampleRoute();
const finding = { check: 'certificate', state: 'warning', finding: 'default_certificate', params: {} } as const;
const told: Health = { state: 'warning', findings: [{ ...finding, advice: null, since: null }], looked_at: null };

it.each([
  ['for how long it holds', { certificate_expires_at: inDays(61) }, /^Until .+ \(61 days\)$/],
  ['that it is over', { certificate_expires_at: inDays(-2) }, /^Expired /],
  ['what visitors get without one', {}, 'Default certificate: browsers warn over HTTPS'],
  ['no more than that there is none where the health tells it', { health: told }, 'None'],
  ['that the demo needs none', { ownership: { ...ownership, method: 'demo' as const } }, 'Not needed in the demo'],
])('of the certificate says %s', async (_what, change, words) => {
  await renderDomains(<CertificateCard route={sampleRoute(change)} />);
  expect(await screen.findByText(words)).toBeTruthy();
});
