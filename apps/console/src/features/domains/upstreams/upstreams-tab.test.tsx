// @vitest-environment happy-dom
import { ApiError, type ErrorBody, type Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { routeOptions } from '../queries';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import UpstreamsTab from './upstreams-tab';

const api = vi.hoisted(() => ({ getRoute: vi.fn(), updateRoute: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

function Page() {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? <UpstreamsTab route={route.data} /> : null;
}
async function open(route: Route) {
  api.getRoute.mockResolvedValue({ result: route });
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  await renderDomains(<Page />);
  const user = userEvent.setup({ delay: null });
  const hosts = () =>
    screen.getAllByRole('textbox', { name: /Address/ }).map((input) => (input as HTMLInputElement).value);
  await screen.findAllByRole('textbox', { name: /Address/ });
  return { user, hosts };
}
const stale = () => {
  const body: ErrorBody = { success: false, code: 'STALE_REVISION', message: 'Stale', request_id: 'r' };
  return new ApiError(409, 'STALE_REVISION', body, ['code.STALE_REVISION']);
};
beforeEach(() => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
});

it('saves with the revision it was based on, and nothing before something was typed', async () => {
  api.updateRoute.mockImplementation(async ({ body }) => ({
    result: sampleRoute({
      draft: { ...sampleConfig(), upstreams: body.upstreams },
      draft_revision: 13,
      pending_changes: 1,
    }),
  }));
  const { user, hosts } = await open(sampleRoute());
  expect((screen.getByRole('button', { name: 'Save and deploy' }) as HTMLButtonElement).disabled).toBe(true);
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await user.type(host as HTMLElement, '192.0.2.77');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0]).toMatchObject({
    params: { id: ROUTE_ID },
    ifMatch: 12,
    body: { deploy: false },
  });
  await waitFor(() =>
    expect((screen.getByRole('button', { name: 'Save as draft' }) as HTMLButtonElement).disabled).toBe(true),
  );
  expect(hosts()).toEqual(['192.0.2.77']);
});

it('on 409 shows who changed what, keeps what was typed, and saves on top of the newer draft', async () => {
  const { user, hosts } = await open(sampleRoute());
  const theirs = sampleRoute({
    draft: { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, protocol: 'https' } },
    draft_revision: 13,
    draft_updated_by: 'ana@example.com',
  });
  api.updateRoute.mockRejectedValueOnce(stale());
  api.getRoute.mockResolvedValue({ result: theirs });
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await user.type(host as HTMLElement, '192.0.2.77');
  await user.click(screen.getByRole('button', { name: 'Save and deploy' }));

  expect(await screen.findByText(/ana@example.com changed this draft/)).toBeTruthy();
  expect(screen.getByText('Protocol to your servers', { selector: 'dt' })).toBeTruthy();
  expect(hosts()).toEqual(['192.0.2.77']);
  expect((screen.getByRole('button', { name: 'Save and deploy' }) as HTMLButtonElement).disabled).toBe(true);

  await user.click(screen.getByRole('button', { name: 'Take theirs in, keep what I typed' }));
  await waitFor(() => expect(hosts()).toEqual(['192.0.2.77']));
  expect((screen.getByRole('radio', { name: 'HTTPS' }) as HTMLInputElement).checked).toBe(true);
  api.updateRoute.mockResolvedValueOnce({ result: { ...theirs, draft_revision: 14 } });
  await waitFor(() =>
    expect((screen.getByRole('button', { name: 'Save and deploy' }) as HTMLButtonElement).disabled).toBe(false),
  );
  await user.click(screen.getByRole('button', { name: 'Save and deploy' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(2));
  expect(api.updateRoute.mock.calls[1]?.[0]).toMatchObject({
    ifMatch: 13,
    body: { deploy: true, upstreams: { protocol: 'https', targets: [{ host: '192.0.2.77' }] } },
  });
});

it('says when both changed the same, and replaces theirs only once saved', async () => {
  const { user, hosts } = await open(sampleRoute());
  api.updateRoute.mockRejectedValueOnce(stale());
  api.getRoute.mockResolvedValue({
    result: sampleRoute({
      draft: sampleConfig(['192.0.2.10', '192.0.2.99']),
      draft_revision: 13,
      draft_updated_by: 'ana@example.com',
    }),
  });
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await user.type(host as HTMLElement, '192.0.2.77');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText(/You both changed: Targets/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Take theirs in, keep what I typed' }));
  await waitFor(() => expect(hosts()).toEqual(['192.0.2.77']));
});

it('takes their version when what was typed is dropped', async () => {
  const { user, hosts } = await open(sampleRoute());
  api.updateRoute.mockRejectedValueOnce(stale());
  api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: sampleConfig(['192.0.2.99']), draft_revision: 13 }) });
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.type(host as HTMLElement, '1');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await user.click(await screen.findByRole('button', { name: 'Drop what I typed' }));
  await waitFor(() => expect(hosts()).toEqual(['192.0.2.99']));
});

it('forbids a port where the edge follows the visitor', async () => {
  const route = sampleRoute();
  route.draft.upstreams.targets[0] = { host: '192.0.2.10', port: 8080, weight: 1, backup: false };
  const { user } = await open(route);
  expect(screen.getByRole('spinbutton', { name: 'Port' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'As the visitor came' }));
  expect(screen.queryByRole('spinbutton', { name: 'Port' })).toBeNull();
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute.mock.calls[0]?.[0].body.upstreams.targets[0].port).toBeNull());
});
