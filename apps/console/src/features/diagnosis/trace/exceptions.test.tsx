// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import Exceptions from './exceptions';
import type { LoggedRequest } from './trace-values';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), listBans: vi.fn(), liftBans: vi.fn(), restoreBans: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const rules = [{ name: 'search', when: { conditions: [{ field: 'path', test: 'begins_with', values: ['/s'] }] } }];
const blackrules = { name: 'blackrules', enabled: true, config: { black_rules: rules } };
const draft = { ...sampleConfig(), plugins: [blackrules] };
const route = sampleRoute({ draft, live: draft, version_live: 1, draft_revision: 4 });
const logged = {
  action: 'block',
  plugin: 'blackrules',
  reason: 'rule_matched',
  rule: 'search',
  path: '/search',
  client_address: '198.41.128.7',
} as LoggedRequest;
const narrowest = '“search”: not for 198.41.128.7 at /search';

function Deploying() {
  const [isLive, setLive] = useState(false);
  const shown = { ...route, pending_changes: isLive ? 0 : 1, version_live: isLive ? 2 : 1, draft_revision: 5 };
  return <Exceptions route={shown} logged={logged} onDeploy={() => setLive(true)} onInstant={onInstant} />;
}

beforeEach(async () => {
  vi.resetAllMocks();
  await needCatalogs('diagnosis');
  api.updateRoute.mockResolvedValue({ result: { ...route, draft_revision: 5 } });
});

it('offers the narrowest first, puts it into the draft, and leads to the deploy', async () => {
  const onDeploy = vi.fn();
  await renderDomains(<Exceptions route={route} logged={logged} onDeploy={onDeploy} onInstant={onInstant} />);
  const ways = await screen.findAllByRole('button');
  expect(ways.map((button) => button.textContent)).toEqual([
    narrowest,
    '“search”: not for 198.41.128.7',
    '“search”: not for /search',
  ]);
  await userEvent.click(ways[0] as HTMLElement);
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe(`In the draft: ${narrowest}. Live once you deploy.`);
  // The button that had it is gone.
  expect(document.activeElement).toBe(said);
  const [{ ifMatch, body }] = api.updateRoute.mock.calls[0] as [{ ifMatch: number; body: typeof draft }];
  expect(ifMatch).toBe(4);
  expect(body).toMatchObject({
    plugins: [
      {
        name: 'blackrules',
        enabled: true,
        config: { black_rules: [{ when: { conditions: [{ field: 'path' }, { not: true, conditions: [{}, {}] }] } }] },
      },
    ],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Review and deploy' }));
  expect(onDeploy).toHaveBeenCalledOnce();
});

it.each<[string, Partial<LoggedRequest>, readonly unknown[]]>([
  ['that origins may read otherwise', { raw_path: '//search' }, ['/search', '/']],
  ['with a parameter', { path: '/search;a=1' }, ['/search;a=1', '/search']],
  ['of which a secret was left out', { path: '/search;REDACTED' }, []],
  ['of which a query that was escaped was left out', { path: '/search?REDACTED' }, []],
  ['that was sent in another way, which is withheld', { raw_path: '-' }, []],
  ['that is no text', { path: '/search\ufffd' }, []],
  ['that is longer than a rule may have', { path: `/search${'a'.repeat(500)}` }, []],
])('offers an exception at a path %s only if that lets the request pass', async (_, more, values) => {
  await renderDomains(
    <Exceptions route={route} logged={{ ...logged, ...more }} onDeploy={vi.fn()} onInstant={onInstant} />,
  );
  const ways = await screen.findAllByRole('button');
  // Of several readings none is for all visitors.
  expect(ways).toHaveLength(values.length > 0 ? 2 : 1);
  await userEvent.click(ways[0] as HTMLElement);
  await screen.findByText(/^In the draft/);
  const [{ body }] = api.updateRoute.mock.calls[0] as [{ body: object }];
  const paths = [
    ...JSON.stringify(body).matchAll(/"field":"path","test":"is","ignore_case":false,"not":false,"values":(\[.*?\])/g),
  ];
  expect(paths.map(([, list]) => JSON.parse(list as string))).toEqual(values.length > 0 ? [values] : []);
});

it('says once it is live that it is', async () => {
  await renderDomains(<Deploying />);
  await userEvent.click(await screen.findByRole('button', { name: narrowest }));
  await screen.findByText(/^In the draft/);
  await userEvent.click(screen.getByRole('button', { name: 'Review and deploy' }));
  expect((await screen.findByRole('status')).textContent).toBe(`Live in version 2: ${narrowest}.`);
  expect(screen.queryByRole('button')).toBeNull();
});

it('turns off a plugin of which nothing would be left', async () => {
  const deny = { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: ['198.41.128.7'] } };
  const blocked = { ...logged, plugin: 'ip-restriction', reason: 'in_deny_list', rule: '198.41.128.7' };
  const of = { ...route, draft: { ...draft, plugins: [deny] } };
  await renderDomains(<Exceptions route={of} logged={blocked} onDeploy={vi.fn()} onInstant={onInstant} />);
  await userEvent.click(await screen.findByRole('button', { name: /^Turn off IP restriction/ }));
  expect(api.updateRoute.mock.calls[0]?.[0].body.plugins).toMatchObject([{ name: 'ip-restriction', enabled: false }]);
});

it('offers a rule before the plugin that stopped it where that knows no exception, and switches on what has it', async () => {
  const of = { ...route, draft: sampleConfig() };
  await renderDomains(
    <Exceptions route={of} logged={{ ...logged, plugin: 'request-limit' }} onDeploy={vi.fn()} onInstant={onInstant} />,
  );
  const ways = await screen.findAllByRole('button');
  expect(ways.map((button) => button.textContent)).toEqual([
    'Custom rule: allow 198.41.128.7 at /search',
    'Custom rule: allow 198.41.128.7',
    'Custom rule: allow /search for all visitors',
  ]);
  expect(screen.getByText('An allow rule also skips Under Attack mode for these requests.')).toBeTruthy();
  await userEvent.click(ways[0] as HTMLElement);
  await screen.findByText('In the draft: Custom rule: allow 198.41.128.7 at /search. Live once you deploy.');
  expect(api.updateRoute.mock.calls[0]?.[0].body.plugins).toMatchObject([
    { name: 'blackrules', enabled: true, config: { black_rules: [{ action: 'allow' }] } },
  ]);
});

it('leads to the allow list of the account, also where nothing else is known', async () => {
  await renderDomains(
    <Exceptions route={route} logged={{ ...logged, plugin: 'challenge' }} onDeploy={vi.fn()} onInstant={onInstant} />,
  );
  const link = await screen.findByRole('link', { name: 'Add 198.41.128.7 to the allow list' });
  const address = new URL(link.getAttribute('href') ?? '', 'http://console.test');
  const search = address.search || address.hash;
  expect(search).toContain('tab=allowed');
  expect(search).toContain('add=true');
  expect(search).toContain('198.41.128.7');
});

const onInstant = vi.fn();
const ban = {
  id: 'the-ban',
  network: '198.41.128.7',
  route_id: route.id,
  domain_name: route.domain_name,
  plugin: 'request-limit',
  reason: 'too_many_requests',
  request_id: 'f'.repeat(32),
  note: '',
  banned_by: 'edge-1',
  banned_at: '2026-05-01T12:00:00.000Z',
  ends_at: '2026-05-01T15:00:00.000Z',
};
const banned = { ...logged, plugin: 'ban', reason: 'banned', rule: '198.41.128.7' };

/** The request that led to a ban, which is over for the trace once it is ended. */
function Limited() {
  const [isBanned, setBanned] = useState(true);
  const limited = { ...logged, plugin: 'request-limit', request_id: ban.request_id };
  const onInstant = () => setBanned(false);
  return <Exceptions route={route} logged={limited} isBanned={isBanned} onDeploy={vi.fn()} onInstant={onInstant} />;
}

/** A trace of what a ban stopped, of which there are these now. */
async function showBanned(bans: readonly Partial<typeof ban>[], count = bans.length) {
  const held = bans.map((one) => ({ ...ban, ...one }));
  api.listBans.mockResolvedValue({ success: true, results: held, count, page: 1, perpage: 100 });
  await renderDomains(<Exceptions route={route} logged={banned} onDeploy={vi.fn()} onInstant={onInstant} />);
}

it('ends all bans that hold the client, and no other, at once, and brings them back', async () => {
  api.liftBans.mockReset().mockResolvedValue({ result: { lifted: 2, restored: 0 } });
  onInstant.mockReset();
  await showBanned([{}, { id: 'wider', network: '198.41.128.0/24' }, { id: 'other', network: '198.41.128.9' }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Unban 198.41.128.7 and 198.41.128.0/24' }));
  expect((await screen.findByRole('status')).textContent).toBe('198.41.128.7 and 198.41.128.0/24 unbanned.');
  expect(api.liftBans.mock.calls).toEqual([[{ body: { ids: ['the-ban', 'wider'] } }]]);
  // What would become of the request now is asked again.
  expect(onInstant).toHaveBeenCalledTimes(1);
});

it('ends the ban that stopped it at once, and brings it back', async () => {
  api.liftBans.mockReset();
  api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  api.restoreBans.mockResolvedValue({ result: { restored: 1, ended: 0, replaced: 0 } });
  await showBanned([{}]);
  const unban = await screen.findByRole('button', { name: 'Unban 198.41.128.7' });
  expect(screen.getByText(/^Request limit · Too many requests · until May 1, 2026/)).toBeTruthy();
  const cause = screen.getByRole('link', { name: 'Trace the request that led to the ban' });
  expect(decodeURIComponent(cause.getAttribute('href') ?? '')).toContain(`request=${ban.request_id}`);
  expect(screen.getByRole('link', { name: 'Add 198.41.128.7 to the allow list' })).toBeTruthy();
  expect(api.listBans.mock.calls[0]?.[0].query).toMatchObject({ route_id: route.id, q: '198.41.128.7' });
  await userEvent.click(unban);
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe('198.41.128.7 unbanned.');
  expect(document.activeElement).toBe(said);
  expect(api.liftBans.mock.calls).toEqual([[{ body: { ids: ['the-ban'] } }]]);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('button', { name: 'Unban 198.41.128.7' });
  expect(api.restoreBans.mock.calls).toEqual([[{ body: { ids: ['the-ban'] } }]]);
});

it('offers, before the exceptions of the request that led to a ban, the end of that ban', async () => {
  api.liftBans.mockReset().mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  api.listBans.mockResolvedValue({ success: true, results: [ban], count: 1, page: 1, perpage: 100 });
  await renderDomains(<Limited />);
  await screen.findByRole('button', { name: 'Unban 198.41.128.7' });
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Unban 198.41.128.7',
    'Custom rule: allow 198.41.128.7 at /search',
    'Custom rule: allow 198.41.128.7',
    'Custom rule: allow /search for all visitors',
  ]);
  // It is this very request.
  expect(screen.queryByRole('link', { name: /led to the ban/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /at \/search$/ }));
  await screen.findByText(/^In the draft/);
  await userEvent.click(screen.getByRole('button', { name: 'Unban 198.41.128.7' }));
  // The trace of now ends elsewhere by this.
  await screen.findByText('198.41.128.7 unbanned.');
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
});

it('says that a ban was changed meanwhile, in place of claiming its end, and offers the one of now', async () => {
  api.liftBans.mockReset().mockResolvedValue({ result: { lifted: 0, restored: 0 } });
  await showBanned([{}]);
  const unban = await screen.findByRole('button', { name: 'Unban 198.41.128.7' });
  const current = { ...ban, id: 'banned-anew' };
  api.listBans.mockResolvedValue({ success: true, results: [current], count: 1, page: 1, perpage: 100 });
  await userEvent.click(unban);
  expect((await screen.findByRole('status')).textContent).toMatch(/^The ban of 198\.41\.128\.7 has changed meanwhile/);
  expect(screen.queryByText('198.41.128.7 unbanned.')).toBeNull();
  api.liftBans.mockResolvedValue({ result: { lifted: 1, restored: 0 } });
  await userEvent.click(screen.getByRole('button', { name: 'Unban 198.41.128.7' }));
  await waitFor(() => expect(api.liftBans.mock.lastCall).toEqual([{ body: { ids: ['banned-anew'] } }]));
});

it('says of a ban of all domains that it ends on all', async () => {
  await showBanned([{ route_id: null, domain_name: null, plugin: null, reason: null, request_id: null }] as never);
  await screen.findByRole('button', { name: 'Unban 198.41.128.7 on all your domains' });
  screen.getByText(/^Manual · until/);
  expect(screen.queryByRole('link', { name: /led to the ban/ })).toBeNull();
});

it.each([
  ['says that a ban is over', 0, 1],
  ['says nothing of a ban that was not found among many', 101, 0],
])('%s', async (_, count, times) => {
  await showBanned([], count);
  await screen.findByRole('link', { name: 'Add 198.41.128.7 to the allow list' });
  await vi.waitFor(() => expect(screen.queryAllByText('198.41.128.7 is no longer banned.')).toHaveLength(times));
  expect(screen.queryByRole('button')).toBeNull();
});

it('stays where the draft was changed meanwhile', async () => {
  api.updateRoute.mockRejectedValue(new ApiError(409, 'STALE_REVISION', undefined, []));
  await renderDomains(<Exceptions route={route} logged={logged} onDeploy={vi.fn()} onInstant={onInstant} />);
  await userEvent.click(await screen.findByRole('button', { name: narrowest }));
  expect(screen.queryByText(/In the draft/)).toBeNull();
  expect(screen.getByRole('button', { name: narrowest })).toBeTruthy();
});

it.each([
  ['the rule is gone', { rule: 'other' }],
  ['the plugin knows none, and none comes before it', { plugin: 'ban' }],
])('is not there where %s', async (_, change) => {
  await renderDomains(
    <Exceptions route={route} logged={{ ...logged, ...change }} onDeploy={vi.fn()} onInstant={onInstant} />,
  );
  await vi.waitFor(() => expect(screen.queryByRole('button')).toBeNull());
});
