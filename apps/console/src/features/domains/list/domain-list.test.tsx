// @vitest-environment happy-dom
import { ApiError, SUBSCRIPTIONS_STORAGE_KEY } from '@cordon/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { needCatalogs, setLocale } from '../../../app/intl-store';
import { groupsOptions } from '../../../domain/data/group-queries';
import { domainKeys } from '../../../domain/data/keys';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { toggleColumn } from './column-choice';
import { DomainList, type DomainListParts, type DomainListProps } from './domain-list';

const api = vi.hoisted(() => ({
  listRoutes: vi.fn(),
  listGroups: vi.fn(),
  listDomainTraffic: vi.fn(() => new Promise<unknown>(() => {})),
}));
vi.mock('../../../app/api-client', () => ({
  api: new Proxy(api, { get: (known, name) => Reflect.get(known, name) ?? (() => new Promise(() => {})) }),
  queryClient: {},
}));

const none = () => null;
const parts: DomainListParts = {
  useActions: () => ({ ask: () => {}, dialog: null }),
  useAttackBadge: () => none,
  useShownBatches: () => ({ ids: [], show: () => {}, dismiss: () => {} }),
  ShownBatches: none,
  FindDomainsDialog: none,
  BulkActions: none,
  GroupFilter: none,
  GroupsDialog: none,
};

// What a test of another file has left there is no subscription of this one's.
beforeEach(() => window.localStorage.clear());

it.each([
  ['an account without a domain', {}, [], false],
  ['a search that finds nothing', { q: 'nothing' }, [], true],
  ['one with a domain', {}, [sampleRoute()], true],
])('%s has search, filters and columns where there is something to narrow down', async (_what, search, rows, has) => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: rows, count: rows.length, page: 1, perpage: 10 });
  await renderDomains(<DomainList search={search} onSearchChange={() => {}} parts={parts} />);
  await screen.findByText(/^(Add your first domain|Nothing matches.*|No matches.*|www\.example\.com)$/);
  expect(screen.queryByRole('searchbox') !== null).toBe(has);
  expect(screen.queryByRole('button', { name: 'Columns' }) !== null).toBe(has);
});

it('takes search and filters away together with the skeletons of an account that turns out to be empty', async () => {
  await needCatalogs('health', 'overview');
  const answers: Record<string, (body: unknown) => void> = {};
  for (const name of ['listGroups', 'listRoutes'] as const)
    api[name].mockReturnValue(
      new Promise((resolve) => {
        answers[name] = resolve;
      }),
    );
  // Badges never come.
  const without = { ...parts, useAttackBadge: () => undefined };
  const { client } = await renderDomains(<DomainList search={{}} onSearchChange={() => {}} parts={without} />);
  await screen.findByRole('searchbox');
  // The subscriptions come first, and say that there is no domain.
  window.localStorage.setItem(SUBSCRIPTIONS_STORAGE_KEY, JSON.stringify([{ usage: { domains: 0 } }]));
  answers.listGroups?.({ results: [] });
  await waitFor(() => expect(client.isFetching({ queryKey: groupsOptions.queryKey })).toBe(0));
  expect(screen.getByRole('searchbox')).toBeTruthy();
  expect(screen.getByRole('table')).toBeTruthy();
  answers.listRoutes?.({ results: [], count: 0, page: 1, perpage: 10 });
  await screen.findByText('Add your first domain');
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.queryByRole('table')).toBeNull();
});

it.each([
  [{ changes: 'pending' } as const, 'Everything is live'],
  [{ health: 'attention' } as const, 'No domain needs fixing'],
  [{ changes: 'pending', q: 'shop' } as const, undefined],
])('says what nothing under %j means, with the way back to all domains', async (search, title) => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [], count: 0, page: 1, perpage: 10 });
  const onSearchChange = vi.fn();
  await renderDomains(<DomainList search={search} onSearchChange={onSearchChange} parts={parts} />);
  await screen.findByText(title ?? /^(Nothing matches|No matches)/);
  await userEvent
    .setup({ delay: null })
    .click(screen.getByRole('button', { name: title ? 'Show all domains' : 'Clear filters' }));
  expect(onSearchChange).toHaveBeenCalledWith(
    expect.objectContaining({ changes: undefined, health: undefined, q: undefined }),
  );
});

/** Lets what comes late come. */
const come: Record<string, () => void> = {};
function useAttackBadge() {
  const [areKnown, setKnown] = useState(false);
  come.badges = () => setKnown(true);
  return areKnown ? none : undefined;
}

const cacheUsage = (domains: number) =>
  window.localStorage.setItem(SUBSCRIPTIONS_STORAGE_KEY, JSON.stringify([{ usage: { domains } }]));

it.each(['79be86c5f1a24cc0b0d2f6f0a1b2c3d4', ' Request ID: 79BE86C5F1A24CC0B0D2F6F0A1B2C3D4'])(
  'offers to find the request whose ID is searched for, of %j',
  async (q) => {
    await needCatalogs('health', 'overview');
    api.listGroups.mockResolvedValue({ results: [] });
    api.listRoutes.mockResolvedValue({ results: [], count: 0, page: 1, perpage: 10 });
    await renderDomains(<DomainList search={{ q }} onSearchChange={() => {}} parts={parts} />);
    await screen.findByText('This looks like a request ID');
    const link = screen.getByRole('link', { name: 'Find the request' });
    expect(link.getAttribute('href')).toBe('#/domain/list?request=79be86c5f1a24cc0b0d2f6f0a1b2c3d4');
  },
);

it('says nothing good of an account without a domain, whatever its list is narrowed down to', async () => {
  await needCatalogs('health', 'overview');
  cacheUsage(0);
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [], count: 0, page: 1, perpage: 10 });
  await renderDomains(<DomainList search={{ changes: 'pending' }} onSearchChange={() => {}} parts={parts} />);
  await screen.findByText(/^(Nothing matches|No matches)/);
  expect(screen.queryByText('Everything is live')).toBeNull();
});

it.each(['badges', 'groups'])(
  'shows rows, and tools where there were none, once the %s are known, which would move them',
  async (late) => {
    await needCatalogs('health', 'overview');
    // A browser that saw the account empty draws skeletons alone.
    cacheUsage(0);
    api.listGroups.mockReturnValue(
      new Promise((resolve) => {
        come.groups = () => resolve({ results: [] });
      }),
    );
    api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1, page: 1, perpage: 10 });
    const { client } = await renderDomains(
      <DomainList search={{}} onSearchChange={() => {}} parts={{ ...parts, useAttackBadge }} />,
    );
    await act(async () => come[late === 'badges' ? 'groups' : 'badges']?.());
    await waitFor(() => expect(client.getQueriesData({ queryKey: domainKeys.lists() })[0]?.[1]).toBeDefined());
    await act(async () => {});
    expect(screen.queryByText('www.example.com')).toBeNull();
    expect(screen.queryByRole('searchbox')).toBeNull();
    await act(async () => come[late]?.());
    await screen.findByText('www.example.com');
    expect(screen.getByRole('searchbox')).toBeTruthy();
  },
);

it('is sorted by requests from its head, most first, and asks for the first page', async () => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 30, page: 2, perpage: 10 });
  const onSearchChange = vi.fn();
  await renderDomains(<DomainList search={{ page: 2 }} onSearchChange={onSearchChange} parts={parts} />);
  await screen.findByText('www.example.com');
  for (const [name, sort] of [
    ['Requests', '-requests'],
    ['Blocked', '-blocked'],
    // What loses most first.
    ['Hit ratio', 'hit_ratio'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name }));
    expect(onSearchChange).toHaveBeenLastCalledWith({ sort, page: undefined });
  }
});

it('says once that the list could not be read: the filters, whose parts come late, are left out', async () => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockRejectedValue(new Error('no network'));
  api.listRoutes.mockRejectedValue(new Error('no network'));
  await renderDomains(<DomainList search={{ q: 'shop' }} onSearchChange={() => {}} parts={parts} />);
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
  expect(screen.getByRole('searchbox')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
});

const REFUSED = { success: false, code: 'TRAFFIC_UNAVAILABLE', message: 'Refused', request_id: '1' } as const;
const AWAY = new ApiError(503, REFUSED.code, REFUSED, [`code.${REFUSED.code}`]);
function SortedList({ sort }: { sort: NonNullable<DomainListProps['search']['sort']> }) {
  const [search, setSearch] = useState<DomainListProps['search']>({ sort });
  return (
    <DomainList
      search={search}
      onSearchChange={(part) => setSearch((before) => ({ ...before, ...part }))}
      parts={parts}
    />
  );
}
const answerByOrder = (isTrafficThere: () => boolean) =>
  api.listRoutes.mockImplementation(async ({ query }: { query: { sort: string } }) => {
    if (query.sort === '-requests' && !isTrafficThere()) throw AWAY;
    return { results: [sampleRoute()], count: 1, page: 1, perpage: 10 };
  });

it.each([
  ['en', 'Traffic data is not available right now. Your sites are not affected. Sorted by name.', 'Retry'],
  ['zh', '流量数据暂时不可用，网站访问不受影响。已按名称排序。', '重试'],
] as const)(
  'shows the names by name, and why, while an order by traffic cannot be had, and that order on Retry (%s)',
  async (locale, why, retry) => {
    await needCatalogs('health', 'overview');
    api.listGroups.mockResolvedValue({ results: [] });
    await setLocale(locale);
    onTestFinished(() => setLocale('en'));
    let isThere = false;
    answerByOrder(() => isThere);
    await renderDomains(<SortedList sort="-requests" />, locale);
    await screen.findByText('www.example.com');
    expect(api.listRoutes.mock.lastCall?.[0].query.sort).toBe('domain_name');
    await screen.findByText(why);
    const sorted = screen
      .getAllByRole('columnheader')
      .filter((head) => head.ariaSort !== null || head.hasAttribute('aria-sort'));
    expect(sorted.find((head) => head.getAttribute('aria-sort') === 'ascending')?.textContent).toMatch(
      locale === 'en' ? /^Domain/ : /^域名/,
    );
    isThere = true;
    await userEvent.click(screen.getByRole('button', { name: retry }));
    await waitFor(() => expect(screen.queryByText(why)).toBeNull());
    expect(screen.getByText('www.example.com')).toBeTruthy();
  },
);

it('keeps each row in its place while health changes, until it is asked to sort again', async () => {
  await needCatalogs('health', 'overview');
  const named = (id: string, change = {}) =>
    sampleRoute({ id, domain_name: `${id}.example`, domain_name_unicode: `${id}.example`, ...change });
  const [first, second, third] = [named('first'), named('second'), named('third')];
  const answer = (...results: unknown[]) =>
    api.listRoutes.mockResolvedValue({ results, count: results.length, page: 1, perpage: 10 });
  const shown = () => screen.getAllByRole('row').flatMap((row) => row.getAttribute('data-row') ?? []);
  api.listGroups.mockResolvedValue({ results: [] });
  answer(first, second);
  const { client } = await renderDomains(<DomainList search={{}} onSearchChange={() => {}} parts={parts} />);
  await screen.findByText('first.example');
  expect(screen.queryByRole('button', { name: 'Sort again' })).toBeNull();
  expect(screen.getByText('Last 24 hours')).toBeTruthy();

  answer(third, named('second', { remarks: 'down' }), first);
  await client.invalidateQueries({ queryKey: domainKeys.lists() });
  const [again] = await screen.findAllByRole('button', { name: 'Sort again' });
  // Beside the columns, in place of what the numbers are of: nothing lies over it.
  expect(again?.closest('[style]')).toBeNull();
  expect(screen.queryByText('Last 24 hours')).toBeNull();
  // Above the rows, not after the last of them.
  expect(again?.compareDocumentPosition(screen.getByRole('table'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(shown()).toEqual(['first', 'second', 'third']);
  expect(screen.getByText('second.example').title).toContain('down');

  await userEvent.setup({ delay: null }).click(again as HTMLElement);
  expect(shown()).toEqual(['third', 'second', 'first']);
  expect(screen.queryByRole('button', { name: 'Sort again' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Columns' })));

  answer(first, second, third);
  await client.invalidateQueries({ queryKey: domainKeys.lists() });
  await screen.findAllByRole('button', { name: 'Sort again' });
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(shown()).toEqual(['first', 'second', 'third']));
});

it.each([
  ['-requests', 1],
  ['blocked', 1],
  ['-hit_ratio', 1],
  ['domain_name', 0],
] as const)('sorted by %s offers to sort again as the numbers change', async (sort, buttons) => {
  await needCatalogs('health', 'overview');
  const [first, second] = ['first', 'second'].map((id) =>
    sampleRoute({ id, domain_name: id, domain_name_unicode: id }),
  );
  const answer = (...results: unknown[]) =>
    api.listRoutes.mockResolvedValue({ results, count: results.length, page: 1, perpage: 10 });
  api.listGroups.mockResolvedValue({ results: [] });
  answer(first, second);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await renderDomains(<DomainList search={{ sort }} onSearchChange={() => {}} parts={parts} />);
    await screen.findByText('first');
    answer(second, first);
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    await screen.findByText('first');
    expect(screen.queryAllByRole('button', { name: 'Sort again' }).slice(0, 1)).toHaveLength(buttons);
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['en', 'hit_ratio', 'Sorted by hit ratio in the last 24 hours'],
  ['en', '-requests', 'Sorted by requests in the last 24 hours'],
  ['en', 'blocked', 'Sorted by blocked requests in the last 24 hours'],
  ['zh', '-hit_ratio', '按近 24 小时的命中率排序'],
  ['zh', 'requests', '按近 24 小时的请求数排序'],
  ['zh', '-blocked', '按近 24 小时的已拦截请求数排序'],
] as const)('says in %s on small screens that it is sorted by %s, and of which time', async (locale, sort, said) => {
  await needCatalogs('health', 'overview');
  await setLocale(locale);
  onTestFinished(() => setLocale('en'));
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1, page: 1, perpage: 10 });
  await renderDomains(<SortedList sort={sort} />, locale);
  expect((await screen.findByText(said)).className).toContain('lg:hidden');
  const day = screen.getByText(locale === 'en' ? 'Last 24 hours' : '近 24 小时');
  expect(day.className).toContain('max-lg:hidden');
  // Beside the columns: what scrolls sideways must not hide it.
  expect(day.parentElement?.querySelector('button')).toBeTruthy();
  cleanup();
  await renderDomains(<SortedList sort="health" />, locale);
  await screen.findByText('www.example.com');
  expect(screen.queryByText(said)).toBeNull();
});

it('says why the rows have no numbers, and asks for them again by Retry', async () => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1, page: 1, perpage: 10 });
  api.listDomainTraffic.mockReset().mockRejectedValueOnce(AWAY).mockResolvedValue({ result: [] });
  await renderDomains(<DomainList search={{}} onSearchChange={() => {}} parts={parts} />);
  const why = 'Traffic data is not available right now. Your sites are not affected.';
  const said = await screen.findAllByText(/^Traffic data/);
  expect(said.map(({ textContent }) => textContent)).toEqual([why, why]);
  // On a phone, which has no tools beside its rows, at the lower edge; else among the tools, above the columns that have no numbers.
  expect(said.at(-1)?.parentElement?.className).toContain('sm:hidden');
  const retry = screen.getByRole('button', { name: 'No traffic data: Retry' });
  expect(retry.compareDocumentPosition(screen.getByRole('table'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(retry.title).toBe(why);
  await userEvent.click(retry);
  await waitFor(() => expect(screen.queryByText(/^Traffic data/)).toBeNull());
  expect(api.listDomainTraffic).toHaveBeenCalledTimes(2);
});

it('keeps the numbers of the rows that stay while those of a row that comes are read', async () => {
  await needCatalogs('health', 'overview');
  const rows = ['a', 'b', 'c'].map((name, at) =>
    sampleRoute({ id: `0190f3a0-0000-7000-8000-00000000000${at}`, domain_name_unicode: `${name}.example` }),
  );
  const page = (...results: unknown[]) => ({ results, count: 2, page: 1, perpage: 10 });
  const numbers = (requests: number, id = '') => ({
    route_id: id,
    ...{ requests, blocked: 0, hit_ratio: null, series: [] },
  });
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue(page(rows[0], rows[1]));
  let answer = (_numbers: unknown) => {};
  api.listDomainTraffic
    .mockReset()
    .mockResolvedValueOnce({ result: [numbers(111, rows[0]?.id), numbers(222, rows[1]?.id)] })
    .mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const { client } = await renderDomains(<DomainList search={{}} onSearchChange={() => {}} parts={parts} />);
  await screen.findByText('222');
  api.listRoutes.mockResolvedValue(page(rows[1], rows[2]));
  await client.invalidateQueries({ queryKey: domainKeys.lists() });
  await screen.findByText('c.example');
  expect(api.listDomainTraffic).toHaveBeenCalledTimes(2);
  const requestsOf = (name: string) => screen.getByText(name).closest('tr');
  expect(requestsOf('b.example')?.textContent).toContain('222');
  // Not known is no dash, which says that there are none.
  expect(requestsOf('c.example')?.querySelectorAll('.skeleton').length).toBeGreaterThan(0);
  answer({ result: [numbers(222, rows[1]?.id), numbers(333, rows[2]?.id)] });
  await screen.findByText('333');
});

function Searched() {
  const [q, setQ] = useState<string>();
  return (
    <>
      <button type="button" onClick={() => setQ('www')}>
        search
      </button>
      <DomainList search={q === undefined ? {} : { q }} onSearchChange={() => {}} parts={parts} />
    </>
  );
}

it('says of rows of a search that do not come that they are awaited, and asks anew by Retry', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  const other = sampleRoute({ domain_name_unicode: 'other.example' });
  api.listRoutes.mockReset().mockResolvedValueOnce({ results: [other], count: 1, page: 1, perpage: 10 });
  api.listRoutes.mockReturnValueOnce(new Promise(() => {}));
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1, page: 1, perpage: 10 });
  await renderDomains(<Searched />);
  await screen.findByText('other.example');
  screen.getByText('search').click();
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(screen.queryByText(/^Still waiting/)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  await screen.findByText('Still waiting for an answer. Your sites are not affected.');
  screen.getByRole('button', { name: 'Retry' }).click();
  await screen.findByText('www.example.com');
  await waitFor(() => expect(screen.queryByText(/^Still waiting/)).toBeNull());
});

it('shows the hit ratio while it is sorted by it, whatever was chosen, and turns the order round from its head', async () => {
  await needCatalogs('health', 'overview');
  api.listGroups.mockResolvedValue({ results: [] });
  api.listRoutes.mockResolvedValue({ results: [sampleRoute()], count: 1, page: 1, perpage: 10 });
  // A choice is kept: this stands last in the file.
  toggleColumn('hit_ratio', ['origin', 'hit_ratio']);
  const onSearchChange = vi.fn();
  const listOf = (sort: DomainListProps['search']['sort']) => (
    <DomainList search={{ sort }} onSearchChange={onSearchChange} parts={parts} />
  );
  await renderDomains(listOf('domain_name'));
  await screen.findByText('www.example.com');
  expect(screen.queryByRole('columnheader', { name: 'Hit ratio' })).toBeNull();
  cleanup();
  await renderDomains(listOf('hit_ratio'));
  await screen.findByText('www.example.com');
  expect(screen.getByRole('columnheader', { name: 'Hit ratio' }).getAttribute('aria-sort')).toBe('ascending');
  expect(screen.queryByRole('columnheader', { name: 'Blocked' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Hit ratio' }));
  expect(onSearchChange).toHaveBeenLastCalledWith({ sort: '-hit_ratio', page: undefined });
  expect(window.localStorage.getItem('domains.columns')).toBe('origin');
});
