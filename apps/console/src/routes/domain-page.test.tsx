// @vitest-environment happy-dom
import { ApiError, type Health } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { RECENTS_STORAGE_KEY } from '../app/session/session';
import { domainKeys } from '../domain/data/keys';
import { renderDomains } from '../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSuspension } from '../domain/testing/sample-route';
import { DomainPage } from '../features/domains/page/domain-page';
import type { DomainPageSearch } from '../features/domains/page/page-search';
import { useUnsavedChanges } from '../ui/unsaved-changes';
import { domainPageParts } from './domain-page-parts';
// They would come late where other tests are run beside it.
import '../domain/plugins/area-tab';
import '../features/domains/overview/pending-changes';

/** Calls without an answer wait for ever. */
const api = vi.hoisted(() => ({
  getRoute: vi.fn(),
  listRecentRequests: vi.fn(),
  listAttackModes: vi.fn(),
  getTrafficOverview: vi.fn(),
  getAttackRest: vi.fn(),
}));
vi.mock('../app/api-client', () => ({
  api: new Proxy(api, { get: (known, name) => Reflect.get(known, name) ?? (() => new Promise(() => {})) }),
  queryClient: {},
}));
beforeEach(() => {
  window.localStorage.clear();
  api.getRoute.mockReset();
  api.listAttackModes.mockReset().mockResolvedValue({ result: [] });
  api.listRecentRequests.mockReset().mockReturnValue(new Promise(() => {}));
  api.getTrafficOverview.mockReset().mockReturnValue(new Promise(() => {}));
});

it('shows what the list knows of a domain before it is read: its name, how it is, what is live and its CNAME', async () => {
  api.getRoute.mockReturnValue(new Promise(() => {}));
  const listed = sampleRoute();
  const client = new QueryClient();
  client.setQueryData(domainKeys.list({}), { results: [listed] });
  await renderDomains(
    <QueryClientProvider client={client}>
      <DomainPage id={ROUTE_ID} search={{}} onSearchChange={vi.fn()} parts={domainPageParts} />
    </QueryClientProvider>,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(listed.domain_name_unicode);
  for (const text of ['v7 live', 'Healthy', listed.cname]) expect(screen.getByText(text)).toBeTruthy();
});

it('keeps room in its tabs for how many aliases there are', async () => {
  let answer: (value: object) => void = () => {};
  api.getRoute.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await renderDomains(
    <QueryClientProvider client={new QueryClient()}>
      <DomainPage id={ROUTE_ID} search={{}} onSearchChange={vi.fn()} parts={domainPageParts} />
    </QueryClientProvider>,
  );
  const widthOf = () => screen.getByRole('tab', { name: /^Aliases/ }).querySelector('span')?.style.width;
  const before = widthOf();
  expect(before).toBe('0.5ch');
  answer({ result: sampleRoute({ shadow_domains: ['a.example', 'b.example'] }) });
  await screen.findByRole('tab', { name: 'Aliases 2' });
  expect(widthOf()).toBe(before);
});

it.each(['the list', 'the domains opened last'])(
  'calls a domain that cannot be read by the name known from %s',
  async (source) => {
    api.getRoute.mockRejectedValue(new TypeError('Failed to fetch'));
    const known = sampleRoute({ domain_name_unicode: 'www.known.example' });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (source === 'the list') client.setQueryData(domainKeys.list({}), { results: [known] });
    else {
      const entry = { id: known.id, name: known.domain_name, unicode: known.domain_name_unicode };
      window.localStorage.setItem(RECENTS_STORAGE_KEY, JSON.stringify({ entries: [entry] }));
    }
    await renderDomains(
      <QueryClientProvider client={client}>
        <DomainPage id={ROUTE_ID} search={{}} onSearchChange={vi.fn()} parts={domainPageParts} />
      </QueryClientProvider>,
    );
    await screen.findByRole('button', { name: 'Retry' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('www.known.example');
    expect(document.title).toMatch(/^www\.known\.example/);
  },
);

function Typed() {
  const [text, setText] = useState('');
  useUnsavedChanges(text !== '');
  return <input aria-label="Typed" value={text} onChange={(event) => setText(event.target.value)} />;
}

it('keeps what is typed when the domain is deleted elsewhere, says so, and goes once it is discarded', async () => {
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await renderDomains(
    <QueryClientProvider client={client}>
      <main>
        <DomainPage
          id={ROUTE_ID}
          search={{ tab: 'versions' }}
          onSearchChange={vi.fn()}
          parts={{ ...domainPageParts, TabContent: Typed }}
        />
      </main>
    </QueryClientProvider>,
  );
  const user = userEvent.setup({ delay: null });
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Typed' });
  await user.type(field, '198.41.2.2');
  api.getRoute.mockRejectedValue(new ApiError(404, 'NOT_FOUND', undefined, ['code.NOT_FOUND']));
  const readAgain = () => act(() => client.invalidateQueries({ queryKey: domainKeys.route(ROUTE_ID), exact: true }));
  await readAgain();
  // Said to screen readers beside.
  expect(await screen.findAllByText('This domain has been deleted')).not.toHaveLength(0);
  expect([field.isConnected, field.value]).toEqual([true, '198.41.2.2']);
  screen.getByText('Deleted');
  // Nothing that cannot help is offered.
  for (const name of ['Retry', 'More actions', 'Deploy now']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.getAllByRole('button', { name: 'To your domains' })).not.toHaveLength(0);
  await user.clear(field);
  await readAgain();
  await screen.findByText('The audit log says when, and by whom.');
  expect(field.isConnected).toBe(false);
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading.textContent).toBe(sampleRoute().domain_name_unicode);
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

it('shows a paused domain together with its banner, so that nothing moves when that comes', async () => {
  const paused = { since: '2026-11-20T10:00:00Z', until: null, by: 'lin@example.com' };
  api.getRoute.mockResolvedValue({ result: sampleRoute({ paused, is_paused: true }) });
  const head = () => screen.queryByRole('button', { name: 'More actions' });
  const seen: boolean[] = [];
  const observer = new MutationObserver(() => {
    if (head()) seen.push(screen.queryByText('Protection is paused') !== null);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await renderDomains(
    <DomainPage id={ROUTE_ID} search={{ tab: 'versions' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
  );
  await screen.findByText('Protection is paused');
  observer.disconnect();
  expect(head()).not.toBeNull();
  expect(new Set(seen)).toEqual(new Set([true]));
});

it('shows a domain under attack together with its banner, below the tabs, which it does not move', async () => {
  const mode = {
    route_id: ROUTE_ID,
    domain_name: 'www.example.com',
    started_by: 'lin@example.com',
    started_at: '2026-11-20T10:00:00Z',
    ends_at: '2026-11-20T11:00:00Z',
  };
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  api.listAttackModes.mockImplementation(async () => {
    await new Promise((resolve) => window.setTimeout(resolve, 50));
    return { result: [mode] };
  });
  const head = () => screen.queryByRole('button', { name: 'More actions' });
  const seen: boolean[] = [];
  const observer = new MutationObserver(() => {
    if (head()) seen.push(screen.queryByText(/^Under Attack · /) !== null);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await renderDomains(
    <DomainPage id={ROUTE_ID} search={{ tab: 'versions' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
  );
  await screen.findByText(/^Under Attack · /);
  expect(screen.getByRole('tabpanel').contains(screen.getByText(/^Under Attack · /))).toBe(true);
  observer.disconnect();
  expect(head()).not.toBeNull();
  expect(new Set(seen)).toEqual(new Set([true]));
});

it('says of a tab without a draft that changes need a deploy, and names the draft where there is one', async () => {
  const open = async (pending_changes: number) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ pending_changes }) });
    await renderDomains(
      <DomainPage id={ROUTE_ID} search={{ tab: 'access' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
    );
  };
  await open(0);
  await screen.findByText('Changes need a deploy');
  expect(screen.queryByRole('region', { name: 'Pending changes' })).toBeNull();
  cleanup();
  await open(1);
  await screen.findByRole('region', { name: 'Pending changes' });
  expect(screen.queryByText('Changes need a deploy')).toBeNull();
});

it.each([
  ['the checks', {}, 'Diagnose'],
  ['the trace', { view: 'trace' }, 'Trace a request'],
] as const)('calls the browser’s tab by what is open of the diagnosis: %s', async (_what, view, title) => {
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  const search = { tab: 'diagnosis', ...view } as const;
  await renderDomains(<DomainPage id={ROUTE_ID} search={search} onSearchChange={vi.fn()} parts={domainPageParts} />);
  await waitFor(() => expect(document.title).toMatch(new RegExp(`^${title} · www.example.com`)));
});

it('calls Under Attack mode at work only where protection is not paused', async () => {
  const ends = new Date(Date.now() + 3_600_000).toISOString();
  api.listAttackModes.mockResolvedValue({
    result: [
      { route_id: ROUTE_ID, domain_name: 'www.example.com', started_by: 'lin', started_at: ends, ends_at: ends },
    ],
  });
  const standingOf = async (change: Parameters<typeof sampleRoute>[0]) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ live: sampleConfig(), ...change }) });
    await renderDomains(
      <DomainPage id={ROUTE_ID} search={{ tab: 'protection' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
    );
    const row = await screen.findByRole('article', { name: 'Under Attack mode' });
    await screen.findByText(/^Under Attack · /);
    const said = [
      /On now|Standby/.exec(row.textContent)?.[0],
      screen.queryByText(/^All paused/) !== null,
      screen.queryByRole('button', { name: 'End Under Attack…' }) !== null,
    ];
    cleanup();
    return said;
  };
  expect(await standingOf({})).toEqual(['On now', false, true]);
  const paused = { since: '2026-11-20T10:00:00Z', until: null, by: 'lin@example.com' };
  expect(await standingOf({ paused, is_paused: true })).toEqual(['Standby', true, false]);
});

it('says until when Under Attack mode does not start by itself, where it is set to and was ended', async () => {
  const withMode = (automatic: boolean) => ({
    ...sampleConfig(),
    plugins: [{ name: 'under-attack', enabled: true, config: { mode: 'js', automatic } }],
  });
  api.getAttackRest.mockResolvedValue({ result: { until: new Date(Date.now() + 3_600_000).toISOString() } });
  const rowOf = async (automatic: boolean) => {
    api.getRoute.mockResolvedValue({ result: sampleRoute({ live: withMode(automatic), draft: withMode(automatic) }) });
    await renderDomains(
      <DomainPage id={ROUTE_ID} search={{ tab: 'protection' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
    );
    return within(await screen.findByRole('article', { name: 'Under Attack mode' }));
  };
  const row = await rowOf(true);
  expect(await row.findByText(/^Starts automatically again from .*\d\d:\d\d/)).toBeTruthy();
  expect(row.getByText('Standby')).toBeTruthy();
  fireEvent.click(row.getByRole('button', { name: 'Edit Under Attack mode' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Under Attack mode' }));
  expect(await sheet.findByText(/^Starts automatically again from .*\d\d:\d\d/)).toBeTruthy();
  expect(api.getAttackRest.mock.calls[0]?.[0].query).toEqual({ route_id: ROUTE_ID });
  cleanup();
  expect((await rowOf(false)).getByText(/^When started: /)).toBeTruthy();
  expect(api.getAttackRest).toHaveBeenCalledTimes(1);
});

it('leads from no tab of a suspended domain to the site or to what is refused, and says why', async () => {
  const paused = { since: '2026-11-20T10:00:00Z', until: null, by: 'lin@example.com' };
  const suspension = sampleSuspension();
  const finding = { check: 'service', state: 'error', finding: 'route_suspended', params: {}, advice: null } as const;
  const health: Health = { state: 'error', findings: [{ ...finding, since: null }], looked_at: null };
  api.getRoute.mockResolvedValue({
    result: sampleRoute({ suspension, health, pending_changes: 2, paused, is_paused: true }),
  });
  await renderDomains(
    <DomainPage id={ROUTE_ID} search={{ tab: 'versions' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
  );
  expect(await screen.findByText('Reason: phishing, ticket 7')).toBeTruthy();
  expect(screen.getByText('Suspended')).toBeTruthy();
  const deploy = screen.getByRole<HTMLButtonElement>('button', { name: 'Deploy 2 changes' });
  expect([deploy.disabled, deploy.title]).toEqual([true, 'The provider has suspended this domain']);
  expect(screen.queryByRole('link', { name: 'Open site' })).toBeNull();
  expect(screen.queryByText('v7 live')).toBeNull();
  expect(screen.queryByText('Protection is paused')).toBeNull();
});

it('draws the requests that the address asks for from the start, and the rest only with them', async () => {
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  let answer: (answer: { result: never[] }) => void = () => {};
  api.listRecentRequests.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await renderDomains(
    <DomainPage id={ROUTE_ID} search={{ blocked: true }} onSearchChange={vi.fn()} parts={domainPageParts} />,
  );
  await screen.findByRole('button', { name: 'Remove filter' });
  expect(screen.queryByText(/No problems found/)).toBeNull();
  answer({ result: [] });
  expect(await screen.findByText(/No problems found/)).toBeTruthy();
});

it('keeps the numbers and the chart that could not be read again, and says how old they are', async () => {
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  const totals = { requests: 12, bytes: 1, blocked: 0, challenged: 0, passed: 0 };
  const sums = { ...totals, status_2xx: 12, status_3xx: 0, status_4xx: 0, status_5xx: 0 };
  const times = { from: '2026-11-19T10:00:00Z', to: '2026-11-20T10:00:00Z', bucket_seconds: 900 };
  const parts = { series: [], stopped_by_reason: [], plugins: [], countries: [], top_domains: [] };
  api.getTrafficOverview.mockResolvedValue({
    result: { range: '24h', ...times, totals: sums, previous: sums, ...parts },
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await renderDomains(
    <QueryClientProvider client={client}>
      <DomainPage id={ROUTE_ID} search={{}} onSearchChange={vi.fn()} parts={domainPageParts} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { name: 'Traffic' });
  await screen.findByText('12');
  api.getTrafficOverview.mockRejectedValue(new TypeError('Failed to fetch'));
  await client.refetchQueries({ queryKey: domainKeys.trafficOverview(ROUTE_ID, '24h') });
  expect(await screen.findByText(/^Showing data as of/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Traffic' })).toBeTruthy();
});

let go: (search: DomainPageSearch) => void;
function VersionsPage() {
  const [search, setSearch] = useState<DomainPageSearch>({ tab: 'versions' });
  go = setSearch;
  return <DomainPage id={ROUTE_ID} search={search} onSearchChange={setSearch} parts={domainPageParts} />;
}

it('closes a dialog once its address shows another tab, but not by another page of the same', async () => {
  api.getRoute.mockResolvedValue({ result: sampleRoute() });
  await renderDomains(<VersionsPage />);
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }));
  const question = await screen.findByRole('alertdialog', { name: 'Deactivate www.example.com?' });
  act(() => go({ tab: 'versions', page: 2 }));
  expect(question.hasAttribute('data-open')).toBe(true);
  act(() => go({}));
  await waitFor(() => expect(question.isConnected).toBe(false));
});
