// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../app/intl-store';
import { renderDomains } from '../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../domain/testing/sample-route';
import DevelopmentPlace from './development-place';

const api = vi.hoisted(() => ({ getDevelopmentMode: vi.fn() }));
vi.mock('../app/api-client', () => ({ api, queryClient: {} }));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const show = () => renderDomains(<DevelopmentPlace route={sampleRoute({ development_ends_at: inMinutes(30) })} />);

beforeEach(() => needCatalogs('caching'));

it('the overview says at once that it is on, with the way to its end', async () => {
  api.getDevelopmentMode.mockReset().mockReturnValue(new Promise(() => {}));
  await show();
  expect(screen.getByText(/^Development mode is on for another 30\smin/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open Caching' }).getAttribute('href')).toBe(
    `#/domain/list/${ROUTE_ID}?tab=caching&panel=development`,
  );
});

it('the overview says nothing once it is over', async () => {
  api.getDevelopmentMode.mockReset().mockResolvedValue({ result: { ends_at: null } });
  await show();
  await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
});
