// @vitest-environment happy-dom
import { ApiError, type ErrorBody, type Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { routeOptions } from '../queries';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import UpstreamsTab from './upstreams-tab';

const api = vi.hoisted(() => ({
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
  getOriginHealth: vi.fn(),
  getOriginAccess: vi.fn(),
  changeOriginLock: vi.fn(),
  revealOriginKey: vi.fn(),
  readCertificates: vi.fn(),
  verifyUpstreamProtocol: vi.fn(),
}));
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
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.getOriginHealth.mockResolvedValue({ result: { minutes: 15, is_measured: true, targets: [] } });
  api.getOriginAccess.mockResolvedValue({
    result: { addresses: ['203.0.113.10'], lock: { state: 'off', changed_at: null } },
  });
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

it.each([
  ['mine', /^Yours/, ['192.0.2.77']],
  ['theirs', /^ana@example.com’s/, ['192.0.2.10', '192.0.2.99']],
] as const)('shows what both changed and takes what is chosen: %s', async (_side, choice, expected) => {
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
  const sides = within(screen.getByRole('radiogroup', { name: 'Whose change of “Targets” counts' }));
  expect((sides.getByRole('radio', { name: /^Yours.*192\.0\.2\.77/ }) as HTMLInputElement).checked).toBe(true);
  expect(sides.getByRole('radio', { name: /^ana@example.com’s.*192\.0\.2\.99/ })).toBeTruthy();
  await user.click(sides.getByRole('radio', { name: choice }));
  await user.click(screen.getByRole('button', { name: 'Go on with what I chose' }));
  await waitFor(() => expect(hosts()).toEqual(expected));
  // The choice is typed, not saved: it goes to the API with the next save only.
  expect(api.updateRoute).toHaveBeenCalledTimes(1);
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

describe('redirecting', () => {
  const redirecting = (url: string, change: Partial<Route> = {}): Route => {
    const plugins = [{ name: 'redirect', enabled: true, config: { redirect_url: url, preserve_path: false } }];
    return sampleRoute({ draft: { ...sampleConfig(), traffic_action: 'redirect', plugins }, ...change });
  };
  const choose = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(screen.getByRole('radio', { name: /Redirect elsewhere/ }));
    return screen.findByRole('textbox', { name: /Redirect to/ });
  };

  it('asks for the address and whether the path is kept, shows an example, and sends no upstream', async () => {
    const { user } = await open(sampleRoute());
    const url = await choose(user);
    expect(screen.queryByRole('textbox', { name: /Address/ })).toBeNull();
    await user.type(url, 'https://new.example.org/base/');
    await user.click(screen.getByRole('switch', { name: /Keep path and query/ }));
    expect(screen.getByText(/is sent to https:\/\/new.example.org\/base\/shop\/shoes\?page=2/)).toBeTruthy();
    api.updateRoute.mockResolvedValue({ result: redirecting('https://new.example.org/base/', { draft_revision: 13 }) });
    await user.click(screen.getByRole('button', { name: 'Save and deploy' }));
    await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
    const config = { redirect_url: 'https://new.example.org/base/', preserve_path: true };
    expect(api.updateRoute.mock.calls[0]?.[0].body).toEqual({
      traffic_action: 'redirect',
      plugins: [{ name: 'redirect', enabled: true, config }],
      deploy: true,
    });
  });

  it('is not held up by a target that was typed before', async () => {
    const { user } = await open(sampleRoute());
    await user.type(screen.getAllByRole('textbox', { name: /Address/ })[0] as HTMLElement, ' no address');
    await user.type(await choose(user), 'https://new.example.org');
    api.updateRoute.mockResolvedValue({ result: redirecting('https://new.example.org/', { draft_revision: 13 }) });
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  });

  it.each([
    ['', /Required|Fill in|Enter/i],
    ['www.example.org', /begins with https/],
    ['https://a:b@example.org', /user name and password/],
    ['https://www.example.com/new', /redirected forever/],
  ])('to %j is refused in words that teach, and the focus goes there', async (typed, words) => {
    const { user } = await open(sampleRoute());
    const url = await choose(user);
    if (typed !== '') await user.type(url, typed);
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() => expect(url.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
    await waitFor(() => expect(document.activeElement).toBe(url));
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it('shows what the API refuses at the address', async () => {
    const { user } = await open(sampleRoute());
    const url = await choose(user);
    await user.type(url, 'https://shop.example.com/');
    const code = { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' };
    const body: ErrorBody = { success: false, code: 'VALIDATION_FAILED', message: 'No', request_id: 'r', ...code };
    api.updateRoute.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', body, []));
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    expect(await screen.findByText(/redirected forever/)).toBeTruthy();
    expect(url.getAttribute('aria-invalid')).toBe('true');
  });

  it('is shown as it is saved, and leads back to the servers', async () => {
    api.getRoute.mockResolvedValue({ result: redirecting('https://new.example.org/') });
    api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
    await renderDomains(<Page />);
    const user = userEvent.setup({ delay: null });
    const url = (await screen.findByRole('textbox', { name: /Redirect to/ })) as HTMLInputElement;
    expect(url.value).toBe('https://new.example.org/');
    await user.click(screen.getByRole('radio', { name: /Serve from your servers/ }));
    api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
    expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({
      traffic_action: 'upstream',
      upstreams: { targets: [{ host: '192.0.2.10' }] },
    });
    expect(api.updateRoute.mock.calls[0]?.[0].body).not.toHaveProperty('plugins');
  });
});

it('offers what may be set about the requests to the servers, and says what needs a VIP plan', async () => {
  await open(sampleRoute());
  const card = await screen.findByRole('article', { name: 'Host name for your servers' });
  expect(((await within(card).findByRole('button', { name: 'Set up' })) as HTMLButtonElement).disabled).toBe(false);
});
