// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { domainKeys } from '../../../domain/data/keys';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID } from '../../../domain/testing/sample-route';
import type { AddressDialog } from '../../../domain/traffic/address-dialog';
import { RecentRequests } from './recent-requests';

const api = vi.hoisted(() => ({ listRecentRequests: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const request = (path: string) => ({
  time: '2026-11-20T10:00:00Z',
  request_id: path,
  domain_name: 'www.example.com',
  method: 'GET',
  path,
  query: '',
  scheme: 'http',
  status: 200,
  bytes_sent: 1,
  duration_ms: 3,
  client_address: '81.2.69.1',
  country: '',
  user_agent: '',
  referer: '',
  plugin: '',
  action: '',
  reason: '',
  rule: '',
  upstream_status: 200,
  version: 7,
});

/** Stands for the forms of another feature. */
const Asked: AddressDialog = ({ action, address, domain, onClose }) => (
  <div>
    <p data-testid="asked">{`${action} ${address} ${domain}`}</p>
    <button type="button" onClick={onClose}>
      close
    </button>
  </div>
);

it('shows requests of one kind alone, and all again where that is removed', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [] });
  const onRemove = vi.fn();
  await renderDomains(
    <RecentRequests
      AddressDialog={Asked}
      routeId={ROUTE_ID}
      only={{ match: { plugin: 'geoip', reason: 'country' }, text: 'Geo', onRemove }}
    />,
  );
  expect(await screen.findByText('No such request in the log.')).toBeTruthy();
  expect(api.listRecentRequests.mock.calls[0]?.[0].query).toMatchObject({
    route_id: ROUTE_ID,
    action: 'block',
    plugin: 'geoip',
    reason: 'country',
  });
  expect(screen.getByRole('heading', { name: 'Latest requests: Geo' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter' }));
  expect(onRemove).toHaveBeenCalledOnce();
});

it('says why it could not be read once, where the numbers above do', async () => {
  const AWAY = { success: false, code: 'TRAFFIC_UNAVAILABLE', message: 'Away', request_id: '1' } as const;
  const away = new ApiError(503, AWAY.code, AWAY, [`code.${AWAY.code}`]);
  api.listRecentRequests.mockRejectedValue(away);
  const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await screen.findByText(/^Traffic data is not available/);
  screen.getByRole('button', { name: 'Retry' });
  const key = domainKeys.trafficOverview(ROUTE_ID, '24h');
  await client.fetchQuery({ queryKey: key, queryFn: () => Promise.reject(away) }).catch(() => {});
  await waitFor(() => expect(screen.queryByText(/^Traffic data is not available/)).toBeNull());
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByText('This could not be loaded')).toBeTruthy();
});

it('holds room for its lines before they come, so that none of them moves what is below', async () => {
  window.localStorage.clear();
  api.listRecentRequests.mockResolvedValue({ result: [request('/')] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const section = screen.getByRole('region', { name: 'Latest requests' });
  expect(section.style.minHeight).toBe('22.25rem');
  await screen.findByText('/');
  expect(section.style.minHeight).toBe('22.25rem');
});

it('holds no room where there has been no request, unless only the blocked ones were asked for', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const section = screen.getByRole('region', { name: 'Latest requests' });
  await screen.findByText('No requests yet.');
  expect(section.style.minHeight).toBe('');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blocked only' }));
  await screen.findByText('No such request in the log.');
  expect(section.style.minHeight).toBe('22.25rem');
});

it('offers a first request to send only where there has been none of any kind', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} firstRequest={<p>send one</p>} />);
  expect(await screen.findByText('send one')).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blocked only' }));
  expect(await screen.findByText('No such request in the log.')).toBeTruthy();
  expect(screen.queryByText('send one')).toBeNull();
});

it('keeps no room for lines to come where nothing stands below', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [request('/')] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} isLast />);
  await screen.findByText('/');
  expect(screen.getByRole('region', { name: 'Latest requests' }).style.minHeight).toBe('');
});

it('asks for fewer on a phone, where each takes two lines', async () => {
  const matchMedia = vi.spyOn(window, 'matchMedia');
  matchMedia.mockImplementation((query) => ({ matches: query.includes('max-width') }) as MediaQueryList);
  api.listRecentRequests.mockResolvedValue({ result: [request('/')] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await waitFor(() => expect(api.listRecentRequests.mock.lastCall?.[0].query.limit).toBe(4));
  expect(screen.getByRole('region', { name: 'Latest requests' }).style.minHeight).toBe('20rem');
  matchMedia.mockRestore();
});

it('says of a request of a test attack that it was one, and of no other', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [{ ...request('/.env'), is_test: true }, request('/')] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  expect((await screen.findByText('/.env')).closest('tr')?.textContent).toContain('Test attack');
  expect(screen.getAllByText('Test attack')).toHaveLength(1);
});

it('tells each request in columns, with why it was blocked once', async () => {
  const blocked = {
    ...request('/admin'),
    status: 403,
    country: 'RU',
    plugin: 'ip-restriction',
    action: 'block',
    reason: 'in_deny_list',
  };
  api.listRecentRequests.mockResolvedValue({ result: [{ ...blocked, duration_ms: 0.4 }] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const row = within((await screen.findByText('/admin')).closest('tr') as HTMLElement);
  await row.findByText('Blocked IP');
  expect(
    row.getAllByRole('cell').map((cell) => cell.querySelector('span:not(.sr-only):not([aria-hidden])')?.textContent),
  ).toEqual([
    expect.stringMatching(/Nov 20, 2026/),
    '403',
    'GET /admin',
    '81.2.69.1',
    'RURussia',
    expect.stringMatching(/^0\sms$/),
    'Blocked IP',
    'Trace it',
  ]);
  await userEvent.click(row.getByRole('button', { name: 'Actions on 81.2.69.1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ban 81.2.69.1' }));
  expect(screen.getByTestId('asked').textContent).toBe(`ban 81.2.69.1 ${ROUTE_ID}`);
  await userEvent.click(screen.getByText('close'));
  await userEvent.click(row.getByRole('button', { name: 'Actions on 81.2.69.1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Add 81.2.69.1 to the allow list' }));
  expect(screen.getByTestId('asked').textContent).toBe(`allow 81.2.69.1 ${ROUTE_ID}`);
  expect(row.getByText('Blocked IP').title).toBe('Blocked by IP restriction');
  expect(row.getByRole('link', { name: 'Trace it' })).toBeTruthy();
});

it('leads from a request that a ban refused to that ban, in place of another', async () => {
  const banned = { ...request('/'), status: 403, plugin: 'ban', action: 'block', reason: 'banned' };
  api.listRecentRequests.mockResolvedValue({ result: [banned] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions on 81.2.69.1' }));
  const unban = await screen.findByRole('menuitem', { name: 'Unban 81.2.69.1' });
  expect(unban.getAttribute('href')).toBe('#/manage-ip?q=81.2.69.1');
  expect(screen.queryByRole('menuitem', { name: 'Ban 81.2.69.1' })).toBeNull();
});

it('says by which rule a request was let past or noted, which is no block', async () => {
  const noted = {
    ...request('/noted'),
    plugin: 'blackrules',
    action: 'log',
    reason: 'rule_logged',
    rule: 'Old clients',
  };
  api.listRecentRequests.mockResolvedValue({ result: [noted] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const reason = await screen.findByText('Custom rules · Old clients');
  expect([reason.title, reason.className.includes('danger')]).toEqual([
    'Custom rules · Old clients: Matched a rule that only logs',
    false,
  ]);
});

it.each([
  [
    { plugin: 'ip-restriction', reason: 'in_deny_list', rule: '81.2.0.0/16' },
    'Blocked IP: 81.2.0.0/16',
    'Blocked by IP restriction: 81.2.0.0/16',
  ],
  [
    { plugin: 'blackrules', reason: 'rule_matched', rule: 'Bad traffic' },
    'Custom rules · Bad traffic',
    'Custom rules · Bad traffic: Matched a custom rule',
  ],
  // The line has them already.
  [{ plugin: 'ban', reason: 'banned', rule: '81.2.69.1' }, 'Banned IP', 'Blocked by Bans'],
  [{ plugin: 'geoip', reason: 'country_refused', rule: 'RU' }, 'Blocked country', 'Blocked by Country restriction'],
])('names the entry by which a request was blocked: %j', async (decided, said, onHover) => {
  const blocked = { ...request('/a'), country: 'RU', status: 403, action: 'block', ...decided };
  api.listRecentRequests.mockResolvedValue({ result: [blocked] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await waitFor(() => expect(screen.getByText(said).title).toBe(onHover));
});

it('says of who was made to wait that it was so', async () => {
  const decided = { plugin: 'seclink', action: 'challenge', reason: 'wait_required', rule: '^/files' };
  api.listRecentRequests.mockResolvedValue({ result: [{ ...request('/files/a'), ...decided }] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  expect(await screen.findByText('Held on the waiting page: ^/files')).toBeTruthy();
});

it('names the path for which a challenge was asked', async () => {
  const decided = { plugin: 'challenge', action: 'challenge', reason: 'proof_required', rule: '^/login' };
  api.listRecentRequests.mockResolvedValue({ result: [{ ...request('/login'), ...decided }] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await waitFor(() => expect(screen.getByText('Challenged: ^/login').title).toMatch(/: \^\/login$/));
});

it('says of a challenge that once, with by what and why on hover', async () => {
  const challenged = { ...request('/a'), plugin: 'under-attack', action: 'challenge', reason: 'under_attack' };
  api.listRecentRequests.mockResolvedValue({ result: [challenged] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await waitFor(() => expect(screen.getByText('Challenged').title).toMatch(/^(?!the edge).+ · Under attack$/));
});

it('tells what was refused here from what the origin answered', async () => {
  const refused = { ...request('/refused'), status: 403, plugin: 'geoip', action: 'block', reason: 'country' };
  api.listRecentRequests.mockResolvedValue({ result: [refused, { ...request('/missing'), status: 404 }] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  expect((await screen.findByText('403')).className).toContain('text-danger');
  expect(screen.getByText('404').className).toContain('text-warning');
});

it('stays still while it is asked about an address of it', async () => {
  api.listRecentRequests.mockResolvedValueOnce({ result: [request('/first')] });
  api.listRecentRequests.mockResolvedValue({ result: [request('/second')] });
  const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const first = await screen.findByText('/first');
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /^Actions on/ }));
  await user.click(await screen.findByRole('menuitem', { name: /^Ban/ }));
  await user.unhover(first);
  (document.activeElement as HTMLElement | null)?.blur();
  await client.refetchQueries();
  await screen.findByText('1 new');
  expect(screen.getByText('/first')).toBe(first);
});

it('stays still under the pointer, counts what came meanwhile, and shows it when asked or left', async () => {
  api.listRecentRequests.mockResolvedValueOnce({ result: [request('/first')] });
  api.listRecentRequests.mockResolvedValue({ result: [request('/second'), request('/first')] });
  const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  const first = await screen.findByText('/first');
  const user = userEvent.setup();
  await user.hover(first);
  await client.refetchQueries({ queryKey: domainKeys.traffic(ROUTE_ID) });
  const fresh = await screen.findByText('1 new');
  expect(screen.queryByText('/second')).toBeNull();
  await user.click(fresh);
  expect(await screen.findByText('/second')).toBeTruthy();
});

it('shows those alone that were blocked, when asked', async () => {
  api.listRecentRequests.mockReset();
  api.listRecentRequests.mockResolvedValue({ result: [] });
  await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await screen.findByText('No requests yet.');
  expect(api.listRecentRequests.mock.calls[0]?.[0].query.action).toBe('all');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blocked only' }));
  await screen.findByText('No such request in the log.');
  expect(api.listRecentRequests.mock.calls.at(-1)?.[0].query.action).toBe('block');
});

it('stays still under the pointer that chose those that were blocked', async () => {
  api.listRecentRequests.mockReset();
  api.listRecentRequests.mockImplementation(async ({ query }) => ({
    result: [request(query.action === 'block' ? '/blocked' : '/any')],
  }));
  const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} />);
  await screen.findByText('/any');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blocked only' }));
  await screen.findByText('/blocked');
  api.listRecentRequests.mockResolvedValue({ result: [request('/later'), request('/blocked')] });
  await client.refetchQueries({ queryKey: domainKeys.traffic(ROUTE_ID), type: 'active' });
  await screen.findByText('1 new');
  expect(screen.queryByText('/later')).toBeNull();
});

it('adds to the requests of a kind, which are read, only when asked', async () => {
  api.listRecentRequests.mockReset();
  api.listRecentRequests.mockResolvedValueOnce({ result: [request('/first')] });
  api.listRecentRequests.mockResolvedValue({ result: [request('/second'), request('/first')] });
  const only = { match: { plugin: 'geoip', reason: 'country' }, text: 'Geo', onRemove: vi.fn() };
  const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} only={only} />);
  await screen.findByText('/first');
  await client.refetchQueries({ queryKey: domainKeys.traffic(ROUTE_ID) });
  await userEvent.click(await screen.findByRole('button', { name: '1 new' }));
  expect(await screen.findByText('/second')).toBeTruthy();
  expect(screen.getByRole('button', { name: '0 new', hidden: true }).className).toContain('invisible');
});

it.each([
  [true, undefined, 0],
  [true, 0, 0],
  // The numbers of the day know better.
  [true, 3, 1],
  [false, undefined, 1],
])(
  'of a version that has just come (%s) draws no lines that would fold away, with %s requests',
  async (isNew, requests, tables) => {
    api.listRecentRequests.mockReturnValue(new Promise(() => {}));
    const { client } = await renderDomains(<RecentRequests AddressDialog={Asked} routeId={ROUTE_ID} isNew={isNew} />);
    if (requests !== undefined)
      act(() => void client.setQueryData(domainKeys.trafficOverview(ROUTE_ID, '24h'), { totals: { requests } }));
    await waitFor(() => expect(screen.queryAllByRole('table')).toHaveLength(tables));
    const held = tables === 0 ? '' : '22.25rem';
    expect(screen.getByRole('region', { name: 'Latest requests' }).style.minHeight).toBe(held);
  },
);
