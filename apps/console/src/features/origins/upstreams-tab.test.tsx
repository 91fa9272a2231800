// @vitest-environment happy-dom
import { ApiError, type ErrorBody, type Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { routeOptions } from '../../domain/data/queries';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../../domain/testing/sample-route';
import { accessibleDescription } from '../../testing/accessible-description';
import { enterText } from '../../testing/enter-text';
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
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

function Page() {
  const route = useQuery(routeOptions(ROUTE_ID));
  return route.data ? (
    <>
      <output>revision {route.data.draft_revision}</output>
      <UpstreamsTab route={route.data} onDeploy={vi.fn()} onCopy={vi.fn()} />
    </>
  ) : null;
}
async function open(route: Route) {
  api.getRoute.mockResolvedValue({ result: route });
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  const { client } = await renderDomains(<Page />);
  const user = userEvent.setup({ delay: null });
  const hosts = () =>
    screen.getAllByRole('textbox', { name: /Address/ }).map((input) => (input as HTMLInputElement).value);
  await screen.findAllByRole('textbox', { name: /Address/ });
  const asked = () => client.invalidateQueries({ queryKey: routeOptions(ROUTE_ID).queryKey });
  return { user, hosts, asked };
}
/** Enters the address of the first target and saves it. */
async function saveAddress(user: UserEvent, address: string) {
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await enterText(user, host as HTMLElement, address);
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
}
const stale = () => {
  const body: ErrorBody = { success: false, code: 'STALE_REVISION', message: 'Stale', request_id: 'r' };
  return new ApiError(409, 'STALE_REVISION', body, ['code.STALE_REVISION']);
};
beforeEach(() => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.getOriginHealth.mockResolvedValue({ result: { minutes: 15, is_measured: true, checked_at: null, targets: [] } });
  api.getOriginAccess.mockResolvedValue({
    result: { addresses: ['203.0.113.10'], lock: { state: 'off', changed_at: null } },
  });
});

it('does not send a private key anywhere', async () => {
  const draft = sampleConfig();
  const upstreams = { ...draft.upstreams, protocol: 'https' as const, tls_verification: 'custom' as const };
  const { user } = await open(sampleRoute({ draft: { ...draft, upstreams: { ...upstreams, tls_ca: null } } }));
  const field = await screen.findByRole('textbox', { name: /Certificates to trust|CA certificates/ });
  await enterText(user, field, '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText(/^This is a private key/)).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('says how to get past the limit of sets of CA certificates, and goes to the field', async () => {
  const draft = sampleConfig();
  const upstreams = { ...draft.upstreams, protocol: 'https' as const, tls_verification: 'custom' as const };
  const { user } = await open(sampleRoute({ draft: { ...draft, upstreams: { ...upstreams, tls_ca: 'old' } } }));
  const field = await screen.findByRole('textbox', { name: /Certificates to trust|CA certificates/ });
  await enterText(user, field, '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----');
  const code = { 'upstreams.tls_ca': 'TLS_CA_LIMIT', params: { 'upstreams.tls_ca': { limit: 1 } } };
  const body: ErrorBody = { success: false, code: 'VALIDATION_FAILED', message: 'No', request_id: 'r', ...code };
  api.updateRoute.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', body, []));
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText(/Larger plans/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field));
});

/** What is said aloud; the place of an error is there before it. */
const alerts = () => screen.queryAllByRole('alert').filter(({ textContent }) => textContent);

const TWICE = 'This origin is already in the list';
const addresses = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: /Address/ });
const ports = () => screen.queryAllByRole<HTMLInputElement>('spinbutton', { name: /Port/ });

it.each([
  ['address', () => addresses()[0]],
  ['port', () => ports()[0]],
  ['port of the other', () => ports()[1]],
] as const)('takes back that a target is twice in the list once the %s of either changes', async (_, fieldOf) => {
  const { user } = await open(sampleRoute({ draft: sampleConfig(['192.0.2.10', '192.0.2.11']) }));
  const second = addresses()[1] as HTMLElement;
  await user.clear(second);
  await enterText(user, second, '192.0.2.10');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText(new RegExp(TWICE))).toBeTruthy();
  await user.type(fieldOf() as HTMLElement, '1');
  await waitFor(() => expect(screen.queryByText(new RegExp(TWICE))).toBeNull());
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('keeps what only the API knows of a field while another one changes', async () => {
  const { user } = await open(sampleRoute({ draft: sampleConfig(['192.0.2.10', '192.0.2.11']) }));
  const code = { 'upstreams.targets.1.host': 'UPSTREAM_FORBIDDEN' };
  const body: ErrorBody = { success: false, code: 'VALIDATION_FAILED', message: 'No', request_id: 'r', ...code };
  api.updateRoute.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', body, []));
  await user.type(addresses()[0] as HTMLElement, '1');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(addresses()[1]?.getAttribute('aria-invalid')).toBe('true'));
  await user.type(addresses()[0] as HTMLElement, '2');
  expect(addresses()[1]?.getAttribute('aria-invalid')).toBe('true');
});

it('keeps typed ports while the protocol is the visitor’s, and sends none then', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const { user } = await open(sampleRoute());
  await user.type(ports()[0] as HTMLElement, '8080');
  await user.click(screen.getByRole('radio', { name: /^Match visitor/ }));
  expect(ports()).toEqual([]);
  await user.click(screen.getByRole('radio', { name: 'HTTP' }));
  expect(ports()[0]?.value).toBe('8080');
  await user.click(screen.getByRole('radio', { name: /^Match visitor/ }));
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  const { upstreams } = api.updateRoute.mock.calls[0]?.[0].body ?? {};
  expect(upstreams).toMatchObject({ protocol: 'http_https', targets: [{ port: null }] });
});

it('goes to the next target when one is removed', async () => {
  const { user, hosts } = await open(sampleRoute({ draft: sampleConfig(['192.0.2.10', '192.0.2.11']) }));
  await user.click(screen.getByRole('button', { name: /Remove .*1/ }));
  await waitFor(() => expect(hosts()).toEqual(['192.0.2.11']));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Address/ })));
});

it('asks for no levels of wildcards where the domain has none', async () => {
  await open(sampleRoute({ domain_name: 'www.example.com', shadow_domains: [] }));
  expect(screen.queryByText(/^Names covered by/)).toBeNull();
});

it('offers all levels for a wildcard, with what that means for certificates', async () => {
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 13 }) });
  const { user } = await open(sampleRoute({ domain_name: 'www.example.com', shadow_domains: ['*.example.com'] }));
  const group = screen.getByRole('radiogroup', { name: 'Names covered by *.example.com' });
  expect((within(group).getByRole('radio', { name: /^One level/ }) as HTMLInputElement).checked).toBe(true);
  await user.click(within(group).getByRole('radio', { name: /^All levels/ }));
  expect(within(group).getByText(/browsers warn over HTTPS/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0].body).toMatchObject({ wildcard_levels: 'all' });
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
  expect(screen.queryByRole('button', { name: 'Save and deploy' })).toBeNull();
  await saveAddress(user, '192.0.2.77');
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
  expect(api.updateRoute.mock.calls[0]?.[0]).toMatchObject({
    params: { id: ROUTE_ID },
    ifMatch: 12,
    body: { deploy: false },
  });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save as draft' })).toBeNull());
  expect(hosts()).toEqual(['192.0.2.77']);
});

it.each([
  ['no change of its own', [], 0],
  [
    'changes of another part, however many settings',
    [{ name: 'geoip', enabled: true, config: { mode: 'Whitelist' } }],
    1,
  ],
])('counts %s among what a deploy takes along', async (_, plugins, count) => {
  const draft = { ...sampleConfig(['192.0.2.20']), plugins };
  const { user } = await open(sampleRoute({ draft, pending_changes: count + 1 }));
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.type(host as HTMLElement, '1');
  await screen.findByRole('button', { name: 'Discard changes' });
  const told = screen.queryByText(/Also deploys/)?.textContent ?? 'nothing';
  expect(told).toMatch(count === 0 ? /^nothing$/ : new RegExp(`deploys ${count} pending change`));
});

it('keeps what is typed while a save is on its way, as a change of what was saved', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const saved = sampleRoute({ draft_revision: 13, draft: sampleConfig(['192.0.2.10', '192.0.2.20']) });
  api.updateRoute.mockImplementationOnce(async () => {
    await answered;
    return { result: saved };
  });
  const { user, hosts } = await open(sampleRoute({ draft: sampleConfig(['192.0.2.10', '192.0.2.2']) }));
  const last = () => screen.getAllByRole('textbox', { name: /Address/ }).at(-1) as HTMLElement;
  await user.type(last(), '0');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await user.type(last(), '7');
  answer();
  await screen.findByText(/^Saved as draft/);
  expect(hosts()).toEqual(['192.0.2.10', '192.0.2.207']);
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 14 }) });
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(2));
  expect(api.updateRoute.mock.calls[1]?.[0]).toMatchObject({
    ifMatch: 13,
    body: { upstreams: { targets: [{ host: '192.0.2.10' }, { host: '192.0.2.207' }] } },
  });
});

it('takes a pasted address apart, and says what of it is left out', async () => {
  const { user } = await open(sampleRoute());
  const [host] = screen.getAllByRole<HTMLInputElement>('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await user.paste('http://origin.example.com:8080/shop');
  expect(host?.value).toBe('origin.example.com');
  expect(await screen.findByText('/shop was removed: an origin has no path.')).toBeTruthy();
});

it('says of a typed URL what is left out while it is typed: what is pressed next stays in its place', async () => {
  const { user } = await open(sampleRoute());
  const [host] = screen.getAllByRole<HTMLInputElement>('textbox', { name: /Address/ });
  await user.clear(host as HTMLElement);
  await user.type(host as HTMLElement, 'http://origin.example.com:8080/shop');
  expect(screen.getByText('/shop was removed: an origin has no path.')).toBeTruthy();
  await user.tab();
  expect(host?.value).toBe('origin.example.com');
  expect(screen.getByText('/shop was removed: an origin has no path.')).toBeTruthy();
});

it('forgets the port of the address before when one without a port is pasted in its place', async () => {
  const { user } = await open(sampleRoute());
  const [host] = screen.getAllByRole<HTMLInputElement>('textbox', { name: /Address/ });
  const [port] = screen.getAllByRole<HTMLInputElement>('spinbutton', { name: /Port/ });
  await user.clear(host as HTMLElement);
  await user.paste('[2606:4700::1]:8443');
  expect(port?.value).toBe('8443');
  await user.tripleClick(host as HTMLElement);
  host?.setSelectionRange(0, host.value.length);
  await user.paste('https://origin.example.com/');
  expect(host?.value).toBe('origin.example.com');
  expect(port?.value).toBe('');
});

it('says beside the buttons why it was not saved, until something else is typed', async () => {
  const refused = { success: false as const, message: '', request_id: 'r' };
  api.updateRoute.mockRejectedValue(new ApiError(409, 'OPERATION_RUNNING', refused, ['OPERATION_RUNNING']));
  const { user } = await open(sampleRoute());
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  await user.type(host as HTMLElement, '1');
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(alerts()).toHaveLength(1));
  const [told] = alerts();
  expect(told?.parentElement?.contains(screen.getByRole('button', { name: 'Save as draft' }))).toBe(true);
  await user.type(host as HTMLElement, '{Backspace}');
  await waitFor(() => expect(alerts()).toEqual([]));
});

it('says beside the buttons how many settings need fixing, until they are mended', async () => {
  const { user } = await open(sampleRoute({ draft: sampleConfig(['192.0.2.10', '192.0.2.11']) }));
  const code = { 'upstreams.targets.0.host': 'UPSTREAM_FORBIDDEN', 'upstreams.targets.1.host': 'UPSTREAM_FORBIDDEN' };
  const body: ErrorBody = { success: false, code: 'VALIDATION_FAILED', message: 'No', request_id: 'r', ...code };
  api.updateRoute.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', body, []));
  await user.type(addresses()[0] as HTMLElement, '1');
  expect(alerts()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  const told = await screen.findByText('2 settings need fixing');
  expect(told.closest('.sticky')?.contains(screen.getByRole('button', { name: 'Save as draft' }))).toBe(true);
  await user.type(addresses()[0] as HTMLElement, '{Backspace}2');
  expect(await screen.findByText('1 setting needs fixing')).toBeTruthy();
});

it('takes a save whose answer was lost for nobody else’s: it is sent again, and answered by what was done', async () => {
  const { user, asked } = await open(sampleRoute());
  api.updateRoute.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Request error']));
  await saveAddress(user, '192.0.2.77');
  await screen.findByText('Please check your network. Your input is kept: save it again.');
  const [{ body, ifMatch }] = api.updateRoute.mock.calls[0] as [
    { body: { upstreams: Route['draft']['upstreams'] }; ifMatch: number },
  ];
  const done = sampleRoute({
    draft: { ...sampleConfig(), upstreams: body.upstreams },
    draft_revision: ifMatch + 1,
    draft_updated_by: 'ana@example.com',
  });
  api.getRoute.mockResolvedValue({ result: done });
  await act(asked);
  await screen.findByText(`revision ${ifMatch + 1}`);
  expect(screen.queryByText(/changed this draft/)).toBeNull();
  api.updateRoute.mockResolvedValueOnce({ result: done });
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(2));
  expect(api.updateRoute.mock.calls[1]?.[0]).toMatchObject({ body, ifMatch });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save as draft' })).toBeNull());
});

it('saves what was typed since upon what its own lost save has made of the draft, and asks nothing', async () => {
  const { user } = await open(sampleRoute());
  const saved: { ifMatch: number; body: { upstreams: Route['draft']['upstreams'] }; idempotencyKey: string }[] = [];
  const resultOf = (call: (typeof saved)[number]) => ({
    result: sampleRoute({
      draft: { ...sampleConfig(), upstreams: call.body.upstreams },
      draft_revision: call.ifMatch + 1,
      draft_updated_by: 'ana@example.com',
    }),
  });
  // The API: the answer to the first is lost, the same key is answered by what it did, and a past revision is refused.
  api.updateRoute.mockImplementation(async (call: (typeof saved)[number]) => {
    const before = saved.find(({ idempotencyKey }) => idempotencyKey === call.idempotencyKey);
    if (before) return resultOf(before);
    if (saved.some(({ ifMatch }) => ifMatch >= call.ifMatch)) throw stale();
    saved.push(call);
    api.getRoute.mockResolvedValue(resultOf(call));
    if (saved.length === 1) throw new ApiError(0, undefined, undefined, ['Request error']);
    return resultOf(call);
  });
  await saveAddress(user, '192.0.2.77');
  await screen.findByText('Please check your network. Your input is kept: save it again.');
  await saveAddress(user, '192.0.2.78');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save as draft' })).toBeNull());
  expect(screen.queryByText(/changed this draft/)).toBeNull();
  const hostsOf = saved.map(({ body }) => body.upstreams.targets[0]?.host);
  expect(hostsOf).toEqual(['192.0.2.77', '192.0.2.78']);
});

it('asks about another user’s change where the save whose answer was lost was not done', async () => {
  const { user, hosts } = await open(sampleRoute());
  const [host] = screen.getAllByRole('textbox', { name: /Address/ });
  api.updateRoute.mockRejectedValueOnce(new ApiError(0, undefined, undefined, ['Request error']));
  await saveAddress(user, '192.0.2.77');
  await screen.findByText('Please check your network. Your input is kept: save it again.');
  await user.clear(host as HTMLElement);
  await enterText(user, host as HTMLElement, '192.0.2.78');
  api.updateRoute.mockRejectedValue(stale());
  api.getRoute.mockResolvedValue({
    result: sampleRoute({
      draft: sampleConfig(['192.0.2.99']),
      draft_revision: 13,
      draft_updated_by: 'ana@example.com',
    }),
  });
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText(/ana@example.com changed this draft/)).toBeTruthy();
  expect(hosts()).toEqual(['192.0.2.78']);
});

describe('on 409', () => {
  const theirs = () =>
    sampleRoute({
      draft: { ...sampleConfig(), upstreams: { ...sampleConfig().upstreams, protocol: 'https' } },
      draft_revision: 13,
      draft_updated_by: 'ana@example.com',
    });
  async function refused() {
    const opened = await open(sampleRoute());
    api.updateRoute.mockRejectedValueOnce(stale());
    api.getRoute.mockResolvedValue({ result: theirs() });
    const [host] = screen.getAllByRole('textbox', { name: /Address/ });
    await opened.user.clear(host as HTMLElement);
    await enterText(opened.user, host as HTMLElement, '192.0.2.77');
    await opened.user.click(screen.getByRole('button', { name: 'Save and deploy' }));
    expect(await screen.findByText(/ana@example.com changed this draft/)).toBeTruthy();
    return opened;
  }

  it('shows who changed what, and keeps what was typed', async () => {
    const { hosts } = await refused();
    expect(screen.getByText('Protocol to your origin', { selector: 'dt' })).toBeTruthy();
    expect(hosts()).toEqual(['192.0.2.77']);
    expect((screen.getByRole('button', { name: 'Save and deploy' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('saves upon a revision whose remarks alone are others, and asks nothing', async () => {
    const { user } = await open(sampleRoute());
    api.updateRoute.mockRejectedValueOnce(stale());
    const remarked = sampleRoute({ remarks: 'theirs', draft_revision: 13 });
    api.getRoute.mockResolvedValue({ result: remarked });
    api.updateRoute.mockResolvedValueOnce({ result: { ...remarked, draft_revision: 14 } });
    const [host] = screen.getAllByRole('textbox', { name: /Address/ });
    await user.clear(host as HTMLElement);
    await enterText(user, host as HTMLElement, '192.0.2.77');
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(2));
    expect(api.updateRoute.mock.calls[1]?.[0]).toMatchObject({
      ifMatch: 13,
      body: { upstreams: { targets: [{ host: '192.0.2.77' }] } },
    });
    expect(screen.queryByText(/changed this draft/)).toBeNull();
  });

  it('keeps what was typed when others change the remarks alone, before a save and after it', async () => {
    const { user, hosts, asked } = await open(sampleRoute());
    const remark = async (route: Partial<Route> & { draft_revision: number }) => {
      api.getRoute.mockResolvedValue({ result: sampleRoute({ ...route, remarks: `of ${route.draft_revision}` }) });
      await asked();
      expect(await screen.findByText(`revision ${route.draft_revision}`)).toBeTruthy();
    };
    const type = async (text: string) => {
      const [host] = screen.getAllByRole('textbox', { name: /Address/ });
      await user.clear(host as HTMLElement);
      await enterText(user, host as HTMLElement, text);
    };
    await type('192.0.2.77');
    await remark({ draft_revision: 13 });
    expect(hosts()).toEqual(['192.0.2.77']);
    const draft = () => ({
      ...sampleConfig(),
      upstreams: { ...sampleConfig().upstreams, targets: [{ host: '192.0.2.77', port: 80, weight: 1, backup: false }] },
    });
    api.updateRoute.mockResolvedValueOnce({ result: sampleRoute({ draft: draft(), draft_revision: 14 }) });
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    expect(await screen.findByText('revision 14')).toBeTruthy();
    expect(api.updateRoute.mock.calls[0]?.[0]).toMatchObject({
      ifMatch: 13,
      body: { upstreams: { targets: [{ host: '192.0.2.77' }] } },
    });
    await type('192.0.2.78');
    await remark({ draft: draft(), draft_revision: 15 });
    expect(hosts()).toEqual(['192.0.2.78']);
  });

  it('saves on top of the newer draft', async () => {
    const { user, hosts } = await refused();
    await user.click(screen.getByRole('button', { name: 'Use theirs, keep what I typed elsewhere' }));
    await waitFor(() => expect(hosts()).toEqual(['192.0.2.77']));
    expect((screen.getByRole('radio', { name: 'HTTPS' }) as HTMLInputElement).checked).toBe(true);
    api.updateRoute.mockResolvedValueOnce({ result: { ...theirs(), draft_revision: 14 } });
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
  await saveAddress(user, '192.0.2.77');
  expect(await screen.findByText(/You both changed: Origins/)).toBeTruthy();
  const sides = within(screen.getByRole('radiogroup', { name: 'Which “Origins” to keep' }));
  expect((sides.getByRole('radio', { name: /^Yours.*192\.0\.2\.77/ }) as HTMLInputElement).checked).toBe(true);
  expect(sides.getByRole('radio', { name: /^ana@example.com’s.*192\.0\.2\.99/ })).toBeTruthy();
  await user.click(sides.getByRole('radio', { name: choice }));
  await user.click(screen.getByRole('button', { name: 'Continue with my choice' }));
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
  await user.click(await screen.findByRole('button', { name: 'Use theirs' }));
  await waitFor(() => expect(hosts()).toEqual(['192.0.2.99']));
});

it('forbids a port where the edge follows the visitor', async () => {
  const route = sampleRoute();
  route.draft.upstreams.targets[0] = { host: '192.0.2.10', port: 8080, weight: 1, backup: false };
  const { user } = await open(route);
  expect(screen.getByRole('spinbutton', { name: 'Port' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Match visitor protocol' }));
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
    await enterText(user, url, 'https://new.example.org/base/');
    await user.click(screen.getByRole('switch', { name: /Keep path and query/ }));
    expect(screen.getByText(/is redirected to https:\/\/new.example.org\/base\/shop\/shoes\?page=2/)).toBeTruthy();
    api.updateRoute.mockResolvedValue({ result: redirecting('https://new.example.org/base/', { draft_revision: 13 }) });
    await user.click(screen.getByRole('button', { name: 'Save and deploy' }));
    await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(1));
    const config = { redirect_url: 'https://new.example.org/base/', preserve_path: true };
    expect(api.updateRoute.mock.calls[0]?.[0].body).toEqual({
      traffic_action: 'redirect',
      wildcard_levels: 'one',
      plugins: [{ name: 'redirect', enabled: true, config }],
      deploy: true,
    });
  });

  it('is not held up by a target that was typed before', async () => {
    const { user } = await open(sampleRoute());
    await enterText(user, screen.getAllByRole('textbox', { name: /Address/ })[0] as HTMLElement, ' no address');
    await enterText(user, await choose(user), 'https://new.example.org');
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
    if (typed !== '') await enterText(user, url, typed);
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() => expect(url.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
    await waitFor(() => expect(document.activeElement).toBe(url));
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it('shows what the API refuses at the address', async () => {
    const { user } = await open(sampleRoute());
    const url = await choose(user);
    await enterText(user, url, 'https://shop.example.com/');
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
    await user.click(screen.getByRole('radio', { name: /Serve from your origin/ }));
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

describe.each(['en', 'zh'] as const)('the rules of specification section 5, told at the field in %s', (locale) => {
  const say = (en: string, zh: string) => (locale === 'en' ? en : zh);
  async function fill({ hosts = ['192.0.2.10'], tier = 'vip' as 'free' | 'vip' } = {}) {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ draft: sampleConfig(hosts), draft_revision: 12 }) });
    api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription(tier)] });
    await renderDomains(<Page />, locale);
    const user = userEvent.setup({ delay: null });
    const fields = await screen.findAllByRole('textbox', { name: say('Address', '地址') });
    return { user, last: fields.at(-1) as HTMLInputElement };
  }
  const save = (user: ReturnType<typeof userEvent.setup>) =>
    user.click(screen.getByRole('button', { name: say('Save as draft', '保存为草稿') }));

  it.each([
    ['', 'Add at least one origin', '请至少添加一个源站'],
    ['0.0.0.0/0', 'A /0 mask is not allowed: it would mean the whole Internet', '不允许 /0 掩码：它表示整个互联网'],
    ['198.41.128.0/24', 'Enter a single address, not a range', '请输入单个地址，而不是网段'],
    ['not a host', 'Enter a host name or an IP address', '请输入主机名或 IP 地址'],
    ['192.0.2.10', 'This origin is already in the list', '该源站已在列表中'],
  ])('target %j', async (typed, en, zh) => {
    const { user, last } = await fill({ hosts: ['192.0.2.10', '192.0.2.11'] });
    await user.clear(last);
    if (typed !== '') await enterText(user, last, typed);
    await save(user);
    await waitFor(() => expect(accessibleDescription(last)).toContain(say(en, zh)));
    expect(last.getAttribute('aria-invalid')).toBe('true');
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it('a name as target on a free account, with the upgrade prompt', async () => {
    const { user, last } = await fill({ tier: 'free' });
    await user.clear(last);
    await enterText(user, last, 'origin.example.net');
    await save(user);
    await waitFor(() =>
      expect(accessibleDescription(last)).toContain(
        say(
          'Origins given by name need a VIP plan. Enter an IP address',
          '以域名作为源站需要 VIP 套餐，请输入 IP 地址',
        ),
      ),
    );
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it.each([
    [
      'host',
      'UPSTREAM_FORBIDDEN',
      'Private or reserved address: the edge cannot reach it. Enter your origin’s public address',
      '内网或保留地址无法访问，请填写公网地址',
    ],
    ['port', 'PORT_NOT_WEB', 'This port belongs to another kind of service', '此端口属于邮件、数据库等其他服务'],
  ])('what only the API knows about the %s: %s', async (name, code, en, zh) => {
    const { user, last } = await fill();
    await user.type(last, '1');
    const body = { success: false as const, message: '', request_id: 'r', [`upstreams.targets.0.${name}`]: code };
    api.updateRoute.mockRejectedValueOnce(new ApiError(422, undefined, body, []));
    await save(user);
    const field = name === 'host' ? last : screen.getByRole('spinbutton', { name: say('Port', '端口') });
    await waitFor(() => expect(accessibleDescription(field)).toContain(say(en, zh)));
  });

  it('more than 5000 requests at a time', async () => {
    const { user } = await fill();
    const limit = await screen.findByRole('spinbutton', {
      name: say('Max concurrent origin requests (per node)', '最大并发回源数'),
    });
    await user.clear(limit);
    await enterText(user, limit, '5001');
    await save(user);
    await waitFor(() =>
      expect(accessibleDescription(limit)).toContain(
        say('Enter a whole number from 0 to 5,000; 0 means unlimited', '请输入 0 到 5,000 的整数；0 表示不限制'),
      ),
    );
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it.each([
    [
      'www.example.org',
      'Enter a full address that begins with https://',
      '请输入以 https:// 或 http:// 开头的完整地址',
    ],
    ['https://www.example.com/new', 'visitors would be redirected forever', '形成无限重定向'],
  ])('a redirect to %j', async (typed, en, zh) => {
    const { user } = await fill();
    await user.click(screen.getByRole('radio', { name: new RegExp(say('Redirect elsewhere', '重定向到其他地址')) }));
    const url = await screen.findByRole('textbox', { name: new RegExp(say('Redirect to', '重定向到')) });
    await enterText(user, url, typed);
    await save(user);
    await waitFor(() => expect(accessibleDescription(url)).toContain(say(en, zh)));
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it.each([
    ['https://origin.example.net', 'Enter only the name, without https://', '只需输入域名，不含 https:// 和路径'],
    ['origin.example.net:8080', 'ports belong to the origins', '端口应填写在源站中'],
    ['198.41.128.7', 'addresses belong to the origins', '地址应填写在源站中'],
  ])('a host name for the servers: %j', async (typed, en, zh) => {
    const { user } = await fill();
    const card = await screen.findByRole('article', { name: say('Origin Host header', '回源 HOST') });
    await user.click(within(card).getByRole('button', { name: new RegExp(say('^Set up', '^设置')) }));
    const name = await screen.findByRole('textbox', { name: say('Host name', '主机名') });
    await enterText(user, name, typed);
    await user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: say('Save as draft', '保存为草稿') }),
    );
    await waitFor(() => expect(accessibleDescription(name)).toContain(say(en, zh)));
    expect(api.updateRoute).not.toHaveBeenCalled();
  });

  it('a host name for the servers on a free account', async () => {
    await fill({ tier: 'free' });
    const card = await screen.findByRole('article', { name: say('Origin Host header', '回源 HOST') });
    expect(within(card).getByText(say('This plugin needs a VIP plan.', '此插件需要 VIP 套餐。'))).toBeTruthy();
    const setUp = within(card).getByRole('button', { name: new RegExp(say('^Set up', '^设置')) });
    expect((setUp as HTMLButtonElement).disabled).toBe(true);
  });
});

it('has the health of the origin first, then the draft, then what takes effect at once, and last the buttons of what was typed', async () => {
  const { user } = await open(sampleRoute());
  await user.type(addresses()[0] as HTMLElement, '1');
  const parts = [
    await screen.findByRole('heading', { name: 'Health' }),
    screen.getByRole('heading', { name: 'Where traffic goes' }),
    screen.getByText('Changes need a deploy'),
    await screen.findByRole('article', { name: 'Origin Host header' }),
    await screen.findByRole('heading', { name: 'Origin lock' }),
    screen.getByText('Instant'),
    screen.getByRole('heading', { name: 'Forwarded headers' }),
    screen.getByRole('button', { name: 'Save and deploy' }),
  ];
  const isBefore = (one: Element, next: Element | undefined) =>
    !next || (one.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  expect(parts.filter((part, index) => !isBefore(part, parts[index + 1]))).toEqual([]);
});

it('offers what may be set about the requests to the servers', async () => {
  await open(sampleRoute());
  const card = await screen.findByRole('article', { name: 'Origin Host header' });
  expect(((await within(card).findByRole('button', { name: /^Set up/ })) as HTMLButtonElement).disabled).toBe(false);
});

it('says at its buttons that nothing has answered a save for long, and lets one wait no longer: what was entered is kept', async () => {
  const { user } = await open(sampleRoute());
  await user.type(addresses()[0] as HTMLElement, '1');
  let lose: (reason: unknown) => void = () => {};
  api.updateRoute.mockReturnValueOnce(new Promise((_, reject) => (lose = reject)));
  api.updateRoute.mockReturnValue(new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    fireEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(screen.queryByText(/^No answer yet/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.getByText('No answer yet. What you entered is kept.')).toBeTruthy();
    const [{ signal }] = api.updateRoute.mock.calls[0] as [{ signal: AbortSignal }];
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(signal.aborted).toBe(true);
    await act(() => lose(signal.reason));
    expect(screen.queryByText(/^No answer yet/)).toBeNull();
    expect((addresses()[0] as HTMLInputElement).value).toMatch(/1$/);
    fireEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(api.updateRoute).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('says which plugin of the draft a deploy is refused for, until something is typed', async () => {
  const { user } = await open(sampleRoute());
  const fields = { 'plugins.custom-error-page.config.error_404': 'ERROR_PAGE_UNREACHABLE' };
  const body = {
    success: false,
    code: 'VALIDATION_FAILED',
    message: '',
    request_id: 'r',
    ...fields,
  } as unknown as ErrorBody;
  const list = ['code.VALIDATION_FAILED', 'plugins.custom-error-page.config.error_404.ERROR_PAGE_UNREACHABLE'];
  api.updateRoute.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', body, list));
  await user.type(addresses()[0] as HTMLElement, '1');
  await user.click(screen.getByRole('button', { name: 'Save and deploy' }));
  const link = await screen.findByRole('link', { name: 'Error pages: Not found (404)' });
  expect(link.closest('[role=alert]')?.textContent).toMatch(/This page could not be fetched/);
  await user.type(addresses()[0] as HTMLElement, '2');
  expect(screen.queryByRole('link', { name: /^Error pages/ })).toBeNull();
});
