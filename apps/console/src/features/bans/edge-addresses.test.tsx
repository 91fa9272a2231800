// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import EdgeAddresses from './edge-addresses';

const api = vi.hoisted(() => ({
  listEdgeAddresses: async () => ({ result: { addresses: ['192.0.2.7', '2001:db8::7'] } }),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

it('shows the addresses that reach the origin, as text and as JSON', async () => {
  await needCatalogs('bans');
  await renderDomains(<EdgeAddresses />);
  expect((await screen.findByText(/192\.0\.2\.7/)).textContent).toBe('192.0.2.7\n2001:db8::7');
  await userEvent.click(screen.getByRole('radio', { name: 'JSON' }));
  expect(JSON.parse(screen.getByText(/192\.0\.2\.7/).textContent ?? '')).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
});
