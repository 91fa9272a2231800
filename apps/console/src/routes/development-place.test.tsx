// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../app/intl-store';
import { renderDomains } from '../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute } from '../domain/testing/sample-route';
// It would come late where other tests are run beside it.
import '../features/caching/development-mode/development-note';
import DevelopmentPlace from './development-place';

const api = vi.hoisted(() => ({ getDevelopmentMode: vi.fn() }));
vi.mock('../app/api-client', () => ({ api, queryClient: {} }));

const mode = (ends_at: string | null) => ({ result: { ends_at } });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const cachedRoute = () =>
  sampleRoute({ live: { ...sampleConfig(), plugins: [{ name: 'proxy-cache', enabled: true, config: {} }] } });

beforeEach(async () => {
  api.getDevelopmentMode.mockReset().mockResolvedValue(mode(null));
  await needCatalogs('caching');
});

it('the overview says that it is on, with the way to its end', async () => {
  api.getDevelopmentMode.mockResolvedValue(mode(inMinutes(30)));
  await renderDomains(<DevelopmentPlace route={cachedRoute()} />);
  expect(await screen.findByText(/^Development mode is on for another 30\smin/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open Caching' }).getAttribute('href')).toBe(
    `#/domain/list/${ROUTE_ID}?tab=caching&panel=development`,
  );
});

it('the overview says nothing where it is off, and does not ask where nothing is cached', async () => {
  await renderDomains(<DevelopmentPlace route={sampleRoute()} />);
  expect(api.getDevelopmentMode).not.toHaveBeenCalled();
  await renderDomains(<DevelopmentPlace route={cachedRoute()} />);
  await waitFor(() => expect(api.getDevelopmentMode).toHaveBeenCalled());
  expect(screen.queryByRole('link')).toBeNull();
});
