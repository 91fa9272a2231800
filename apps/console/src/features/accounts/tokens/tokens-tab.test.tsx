// @vitest-environment happy-dom
import { ApiError, type ApiToken, type TokenScope, tokenScope } from '@cordon/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs, setLocale } from '../../../app/intl-store';
import { networkReturns } from '../../../domain/testing/network-returns';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { curlExample, triedCallOf } from './curl-example';
import { PRESETS, type Preset, presetOf, SCOPE_GROUPS } from './token-scopes';
import TokensTab from './tokens-tab';

const api = vi.hoisted(() => ({
  listTokens: vi.fn(),
  createToken: vi.fn(),
  renameToken: vi.fn(),
  revokeToken: vi.fn(),
  getRoute: vi.fn(),
  listRoutes: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const DAY_MS = 86_400_000;
const SECRET = 'cdn_aVeryLongSecretOfATokenThatIsShownOnceAnd';
const tokenOf = (change: Partial<ApiToken> = {}): ApiToken => ({
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  name: 'Deploys',
  hint: 'cdn_…x7Qe',
  scopes: ['cache:clear'],
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: new Date(Date.now() + 22.5 * DAY_MS).toISOString(),
  last_used_at: null,
  last_used_from: null,
  ...change,
});

function Tab({ begin, from }: { begin: Preset | undefined; from: string | undefined }) {
  const [creating, setCreating] = useState(begin);
  return <TokensTab creating={creating} onCreatingChange={setCreating} domainId={from} />;
}
async function open(tokens: readonly ApiToken[] = [], begin?: Preset, from?: string) {
  api.listTokens.mockResolvedValue({ results: tokens });
  await needCatalogs('accounts');
  const { router } = await renderDomains(<Tab begin={begin} from={from} />);
  here = () => router.state.location;
  await screen.findByText(begin || tokens.length > 0 ? /API tokens|Deploys/ : 'No API tokens yet');
  return userEvent.setup({ delay: null });
}
let here: () => { pathname: string; search: object };
beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.getRoute.mockImplementation(({ params }) => Promise.resolve({ result: sampleRoute(params) }));
  api.listRoutes.mockResolvedValue({ results: [], count: 0 });
  api.createToken.mockImplementation(({ body }) => Promise.resolve({ result: { ...tokenOf(body), secret: SECRET } }));
  await setLocale('en');
});
const dialog = () => screen.findByRole('dialog');
const checked = async () =>
  within(await dialog())
    .getAllByRole('checkbox', { checked: true })
    .map((box) => box.closest('label')?.textContent?.replace(/Also.*|Part.*/, ''));

it('teaches what tokens are for where there is none, makes one, and shows its secret once', async () => {
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  const within_ = within(await dialog());
  await user.type(within_.getByRole('textbox', { name: 'Name' }), ' CI ');
  await user.click(within_.getByRole('radio', { name: 'Clear cache' }));
  await user.click(within_.getByRole('combobox', { name: 'Expires after' }));
  await user.click(await screen.findByRole('option', { name: '30 days' }));
  api.listTokens.mockResolvedValue({ results: [tokenOf()] });
  await user.click(within_.getByRole('button', { name: 'Create token' }));
  await screen.findByText(/it is not shown again/);
  expect(api.createToken).toHaveBeenCalledWith({ body: { name: 'CI', scopes: ['cache:clear'], days: 30 } });
  expect(screen.getByText(SECRET)).toBeTruthy();
  const copy = screen.getByRole('button', { name: /Copy Token/i });
  expect([copy.dataset.copy, document.activeElement]).toEqual([SECRET, copy]);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await screen.findByText('Deploys');
  expect(screen.queryByText(SECRET)).toBeNull();
  expect(document.body.innerHTML).not.toContain(SECRET);
});

it('begins with the permissions that a link asks for', async () => {
  await open([tokenOf()], 'clear');
  expect(await checked()).toEqual(['Clear cache']);
});

it('says at the field what is missing, and sends nothing', async () => {
  const user = await open([tokenOf()], 'clear');
  const within_ = within(await dialog());
  await user.click(within_.getByRole('checkbox', { name: /^Clear cache/ }));
  await user.click(within_.getByRole('button', { name: 'Create token' }));
  await within_.findByText('Choose at least one permission');
  expect(within_.getByText('Required')).toBeTruthy();
  expect(document.activeElement).toBe(within_.getByRole('textbox', { name: 'Name' }));
  expect(api.createToken).not.toHaveBeenCalled();
});

it('counts clearing as part of changing domains', async () => {
  const user = await open([tokenOf()], 'clear');
  const within_ = within(await dialog());
  await user.click(within_.getByRole('checkbox', { name: /^Change, deploy/ }));
  const clear = within_.getByRole<HTMLInputElement>('checkbox', { name: /^Clear cache/ });
  expect([clear.checked, clear.disabled]).toEqual([true, true]);
  expect(within_.queryByRole('radio', { checked: true })).toBeNull();
});

it('says at its field that a name is taken, and other failures above', async () => {
  const user = await open([tokenOf()], 'read');
  const within_ = within(await dialog());
  api.createToken.mockRejectedValueOnce(
    new ApiError(422, undefined, { success: false, name: 'TOKEN_NAME_TAKEN' } as never, []),
  );
  await user.type(within_.getByRole('textbox', { name: 'Name' }), 'Deploys');
  await user.click(within_.getByRole('button', { name: 'Create token' }));
  await within_.findByText('You already have a token with this name');
  api.createToken.mockRejectedValueOnce(
    new ApiError(409, 'TOKENS_FULL', { success: false, code: 'TOKENS_FULL' } as never, ['code.TOKENS_FULL']),
  );
  await user.type(within_.getByRole('textbox', { name: 'Name' }), '2');
  expect(within_.queryByText('You already have a token with this name')).toBeNull();
  await user.click(within_.getByRole('button', { name: 'Create token' }));
  expect((await within_.findByRole('alert')).textContent).toMatch(/^API token limit reached/);
});

it('lists when each ends and where from it was used', async () => {
  await open([
    tokenOf(),
    tokenOf({
      id: 'a1b2c3d4-0000-4000-8000-000000000002',
      name: 'Old',
      expires_at: '2026-01-02T12:00:00.000Z',
      last_used_at: new Date(Date.now() - 3 * 60_000).toISOString(),
      last_used_from: '203.0.113.9',
    }),
  ]);
  const [first = '', second = ''] = (await screen.findAllByRole('listitem')).map((line) => line.textContent ?? '');
  expect(first).toContain('Expires in 23 days');
  expect(first).toContain('Never used');
  expect(second).toContain('Expired Jan 2, 2026');
  expect(second).toContain('Last used 3 minutes ago from 203.0.113.9');
});

it('ends in no more days than it was made for, by a clock that is seconds behind', async () => {
  const days = (ms: number) => new Date(Date.now() + ms).toISOString();
  await open([tokenOf({ expires_at: days(90 * DAY_MS + 5_000) }), tokenOf({ name: 'Old', expires_at: days(5_000) })]);
  const [first, second] = (await screen.findAllByRole('listitem')).map((line) => line.textContent);
  expect(first).toContain('Expires in 90 days');
  expect(second).toContain('Expires within a day');
});

it('revokes after a question, and renames', async () => {
  const user = await open([tokenOf()]);
  api.revokeToken.mockResolvedValue({ success: true });
  api.renameToken.mockResolvedValue({ result: tokenOf() });
  await user.click(await screen.findByRole('button', { name: 'Rename “Deploys”' }));
  const name = within(await dialog()).getByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'CI{Enter}');
  await waitFor(() =>
    expect(api.renameToken).toHaveBeenCalledWith({ params: { id: tokenOf().id }, body: { name: 'CI' } }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Revoke “Deploys”' }));
  const question = await screen.findByRole('alertdialog');
  expect(api.revokeToken).not.toHaveBeenCalled();
  await user.click(within(question).getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(api.revokeToken).toHaveBeenCalledWith({ params: { id: tokenOf().id } }));
  await screen.findByText('Token “Deploys” revoked');
});

/** Makes a token as the form stands, and answers what it can be tried with. */
async function makeAndTry(user: Awaited<ReturnType<typeof open>>): Promise<string> {
  const within_ = within(await dialog());
  await user.type(within_.getByRole('textbox', { name: 'Name' }), 'CI');
  await user.click(within_.getByRole('button', { name: 'Create token' }));
  await screen.findByText(/it is not shown again/);
  return (await screen.findByRole<HTMLButtonElement>('button', { name: /Copy curl/i })).dataset.copy ?? '';
}

it.each([
  ['clear', 'clear-cache/', `{"kind":"urls","values":["https://${sampleRoute().domain_name}/"]}`, 'clears', ''],
  ['prefetch', 'prefetch/', '{"urls":["/"]}', 'prefetches', ' and of its aliases,'],
] as const)(
  'is tried with the call that it was made for (%s), on the domain that led here',
  async (begin, call, body, does, more) => {
    const user = await open([tokenOf()], begin, ROUTE_ID);
    const line = await makeAndTry(user);
    expect(line).toContain(`curl -X POST ${window.location.origin}/api/v1/domain/routes/${ROUTE_ID}/${call} `);
    expect(line).toContain(`-d '${body}'`);
    expect(line).toContain('Bearer $CORDON_TOKEN');
    await screen.findByText(
      new RegExp(`This ${does} the home page of ${sampleRoute().domain_name}${more} and nothing else`),
    );
    expect(api.listRoutes).not.toHaveBeenCalled();
  },
);

it('leads back to the panel that led here', async () => {
  const user = await open([tokenOf()], 'prefetch', ROUTE_ID);
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('link', { name: `Back to the cache of ${sampleRoute().domain_name}` }));
  await screen.findByText('domain page');
  expect(here()).toMatchObject({
    pathname: `/domain/list/${ROUTE_ID}`,
    search: { tab: 'caching', panel: 'prefetch' },
  });
});

it('is tried on a domain that is deployed and has a name where none led here', async () => {
  const ids = ['a1', 'b2', 'c3'].map((end) => `00000000-0000-4000-8000-0000000000${end}`);
  api.listRoutes.mockResolvedValue({
    results: [
      sampleRoute({ id: ids[0], domain_name: '*.example.com' }),
      sampleRoute({ id: ids[1], domain_name: 'draft.example.com', version_live: null }),
      sampleRoute({ id: ids[2], domain_name: 'shop.example.com' }),
    ],
  });
  const user = await open([tokenOf()], 'clear');
  expect(await makeAndTry(user)).toContain(`/domain/routes/${ids[2]}/clear-cache/`);
});

it('says what to put in the line where there is no domain', async () => {
  const user = await open([tokenOf()], 'clear');
  expect(await makeAndTry(user)).toContain('/domain/routes/DOMAIN_ID/clear-cache/');
  await screen.findByText(/Put the ID of a domain in place of DOMAIN_ID/);
});

it('has a group for every scope of the contract', () => {
  const grouped = Object.values(SCOPE_GROUPS).flat() as TokenScope[];
  expect([...grouped].sort()).toEqual([...tokenScope.options].sort());
  expect([presetOf(PRESETS.all), presetOf(['cache:clear']), presetOf(['domains:write'])]).toEqual([
    'all',
    'clear',
    undefined,
  ]);
});

it.each<[string, readonly TokenScope[], Preset, ReturnType<typeof triedCallOf>]>([
  ['what alone it may', ['audit:read'], 'read', 'audit:read'],
  ['a list of domains where it only reads', PRESETS.read, 'read', 'domains:read'],
  ['what changes nothing where it may all', PRESETS.all, 'all', 'domains:read'],
  ['clearing before what else it may read', ['domains:read', 'cache:clear'], 'read', 'clear'],
  ['prefetching where that was asked for', ['cache:clear', 'cache:prefetch'], 'prefetch', 'prefetch'],
  ['clearing where that was asked for', PRESETS.all, 'clear', 'clear'],
  ['what it may where what was asked for was left out', ['cache:clear'], 'prefetch', 'clear'],
  ['clearing where it changes domains and reads nothing', ['domains:write'], 'read', 'clear'],
])('is tried with %s', (_what, scopes, preset, call) => {
  expect(triedCallOf(scopes, preset)).toBe(call);
  expect(curlExample('audit:read', '')).toContain(`curl ${window.location.origin}/api/v1/user/audit/ `);
});

it('says that there was no network, of a new token and of a name, until there is one again', async () => {
  const user = await open([tokenOf()], 'read');
  const said = /^Please check your network/;
  const lost = new ApiError(0, undefined, undefined, ['Please check your network']);
  for (const call of [api.createToken, api.renameToken]) call.mockRejectedValue(lost);
  const form = within(await dialog());
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'CI');
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect(await form.findByText(said)).toBeTruthy();
  networkReturns();
  expect(form.queryByText(said)).toBeNull();
  cleanup();
  await open([tokenOf()]);
  await user.click(await screen.findByRole('button', { name: 'Rename “Deploys”' }));
  await user.type(within(await dialog()).getByRole('textbox', { name: 'Name' }), '2{Enter}');
  expect(await screen.findByText(said)).toBeTruthy();
  networkReturns();
  expect(screen.queryByText(said)).toBeNull();
});
