// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import ShadowDomainSheet from './shadow-domain-sheet';

const api = vi.hoisted(() => ({ verifyShadowDomains: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

it('says that there is no network for as long as that is so', async () => {
  api.verifyShadowDomains.mockRejectedValue(new ApiError(0, undefined, undefined, []));
  const ownership = { ...sampleRoute().ownership, state: 'pending' as const, method: null };
  const shadowDomain = { name: 'a.test', name_unicode: 'a.test', created_at: '2026-11-20T10:00:00Z', ownership };
  const parts = { isLost: false, isLocked: false, onOpenChange: vi.fn(), onPromote: vi.fn() };
  await needCatalogs('shadowDomains');
  await renderDomains(<ShadowDomainSheet routeId={ROUTE_ID} shadowDomain={shadowDomain} open {...parts} />);
  const sheet = within(await screen.findByRole('dialog'));
  await userEvent.click(sheet.getByRole('button', { name: 'Check now' }));
  await sheet.findByText(/check your network/);
  networkReturns();
  expect(sheet.queryByText(/check your network/)).toBeNull();
});
