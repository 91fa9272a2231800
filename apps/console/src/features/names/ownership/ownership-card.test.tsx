// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { OwnershipCard } from './ownership-card';

const api = vi.hoisted(() => ({ verifyOwnership: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => void api.verifyOwnership.mockReturnValue(new Promise(() => undefined)));

const verified = (method: 'demo' | 'cname') => {
  const route = sampleRoute();
  return { ...route, ownership: { ...route.ownership, state: 'verified' as const, method } };
};

it('has in the demo, which needs no DNS, the record of a real domain at hand', async () => {
  await renderDomains(<OwnershipCard route={verified('demo')} />);
  expect(screen.getByText('The record that a real domain would need').closest('details')?.open).toBe(false);
  expect(screen.queryByRole('button', { name: 'Create command' })).toBeNull();
});

it('says that DNS did not answer, which is not the same as no record', async () => {
  const route = sampleRoute();
  const checked_at = new Date().toISOString();
  const ownership = { ...route.ownership, state: 'pending' as const, method: null, checked_at, seen: null };
  await renderDomains(<OwnershipCard route={{ ...route, ownership }} />);
  expect(screen.getByText(/DNS did not answer/)).toBeTruthy();
  expect(screen.queryByText(/no record found/)).toBeNull();
});

it('says that there is no network for as long as that is so', async () => {
  api.verifyOwnership.mockRejectedValue(new ApiError(0, undefined, undefined, []));
  const ownership = { ...sampleRoute().ownership, state: 'pending' as const, method: null };
  await renderDomains(<OwnershipCard route={sampleRoute({ ownership })} />);
  await screen.findByText('Please check your network');
  networkReturns();
  expect(screen.queryByText('Please check your network')).toBeNull();
});

it('keeps the record of a name that points here at hand', async () => {
  await renderDomains(<OwnershipCard route={verified('cname')} />);
  expect(screen.getByText(/Show the record/).closest('details')?.open).toBe(false);
  expect(screen.queryByRole('button', { name: 'Create command' })).toBeNull();
});
