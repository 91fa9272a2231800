// @vitest-environment happy-dom
import type { HealthFinding, Route, ShadowDomain } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import ShadowDomainsTab from './shadow-domains-tab';

const api = vi.hoisted(() => ({ listShadowDomains: vi.fn(), verifyShadowDomains: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const alias = (name: string): ShadowDomain => ({
  name,
  name_unicode: name,
  created_at: '2026-11-20T10:00:00Z',
  ownership: { ...sampleRoute().ownership, state: 'verified', method: 'cname' },
});
const gone = (params: HealthFinding['params']): Route['health'] => ({
  ...sampleRoute().health,
  findings: [{ check: 'ownership', state: 'warning', finding: 'alias_elsewhere', params, advice: null, since: null }],
});
const statesOf = async (health: Route['health']) => {
  api.listShadowDomains.mockResolvedValue({ results: [alias('a.test'), alias('b.test'), alias('c.test')], count: 3 });
  await needCatalogs('shadowDomains');
  await renderDomains(<ShadowDomainsTab route={sampleRoute({ version_live: 1, health })} />);
  await screen.findByText('c.test');
  return screen.getAllByText(/^(CNAME set up|Does not point here)$/).map(({ textContent }) => textContent);
};

it('says of each alias whose record is gone that it does not point here', async () => {
  const health = gone({ alias: 'a.test', more: 1, aliases: 'a.test, c.test' });
  expect(await statesOf(health)).toEqual(['Does not point here', 'CNAME set up', 'Does not point here']);
});

it('says so of the one that is named where the others are not', async () => {
  expect(await statesOf(gone({ alias: 'b.test', more: 1 }))).toEqual([
    'CNAME set up',
    'Does not point here',
    'CNAME set up',
  ]);
});
