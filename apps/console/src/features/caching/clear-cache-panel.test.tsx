// @vitest-environment happy-dom
import { ApiError, type CacheClear, type Task } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../app/api-client';
import { needCatalogs } from '../../app/intl-store';
import { networkReturns } from '../../domain/testing/network-returns';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import { ClearCachePanel } from './clear-cache-panel';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  clearCache: vi.fn(),
  listCacheClears: vi.fn(),
  getCacheClear: vi.fn(),
  listTasks: vi.fn(),
  runTask: vi.fn(),
  cancelTask: vi.fn(),
}));
vi.mock('../../app/api-client', async (real) => ({ ...(await real<typeof import('../../app/api-client')>()), api }));

const route = sampleRoute({ shadow_domains: ['www.example.org'] });
const clearOf = (values: Partial<CacheClear> = {}): CacheClear => ({
  id: '00000000-0000-4000-8000-0000000000c1',
  kind: 'all',
  values: [],
  entries: values.values?.length ?? 0,
  soft: false,
  created_at: '2026-11-27T10:00:00.000Z',
  created_by: 'ann@example.com',
  nodes: [
    { name: 'fra', state: 'cleared', milliseconds: 7.2 },
    { name: 'hkg', state: 'cleared', milliseconds: 11.4 },
  ],
  ...values,
});
const taskOf = (values: Partial<Task> = {}): Task => ({
  id: '00000000-0000-4000-8000-0000000000d1',
  kind: 'clear cache',
  state: 'task_scheduled',
  ...{ clear_kind: 'all', values: [], entries: 0 },
  soft: false,
  domains: 1,
  first_domain: route.domain_name,
  domain_names: [route.domain_name],
  at: '2026-12-01T03:30:00.000Z',
  created_by: 'ann@example.com',
  batch_id: null,
  failed: 0,
  ...values,
});
const subscriptionOf = (tier: 'free' | 'vip') => ({ results: [{ cname: route.subscription_cname, tier }], count: 1 });
const user = userEvent.setup({ delay: null });

beforeEach(async () => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue(subscriptionOf('vip'));
  api.listCacheClears.mockResolvedValue({ results: [], count: 0 });
  api.listTasks.mockResolvedValue({ results: [] });
  await needCatalogs('caching', 'domain');
});

it.each([
  ['en', 'Clear cache', 'Cleared on 2 of 2 nodes in 12\u00a0ms'],
  ['zh', '清除缓存', '已清除 2/2 个节点，用时 12\u00a0毫秒'],
] as const)('in %s asks before everything is cleared, and says how fast each node has', async (locale, label, said) => {
  api.clearCache.mockResolvedValue({ clear: clearOf() });
  await renderDomains(<ClearCachePanel route={route} />, locale);
  await user.click(await screen.findByRole('button', { name: label }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(api.clearCache).not.toHaveBeenCalled();
  await user.click(dialog.getByRole('button', { name: label }));
  const what = locale === 'en' ? 'Everything' : '全部';
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(`${said}${what}`));
  expect(api.clearCache).toHaveBeenCalledExactlyOnceWith({ params: { id: ROUTE_ID }, body: { kind: 'all' } });
  expect(screen.getByText('fra').parentElement?.textContent).toMatch(/fra8\u00a0/);
});

it.each([
  ['abort', new ApiError(0, undefined, undefined, [], { cause: new DOMException('', 'TimeoutError') })],
  ['500', new ApiError(500, undefined, undefined, ['Request error'])],
  ['429', new ApiError(429, 'TOO_MANY_REQUESTS', undefined, ['code.TOO_MANY_REQUESTS'])],
])(
  'says in the dialog why everything was not cleared (%s), leaves no older result, and tries again',
  async (_, error) => {
    api.clearCache.mockResolvedValueOnce({ clear: clearOf() });
    const { client } = await renderDomains(<ClearCachePanel route={route} />);
    client.getMutationCache().config = queryClient.getMutationCache().config;
    const ask = async () => user.click(await screen.findByRole('button', { name: 'Clear cache' }));
    const confirm = async () =>
      user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Clear cache' }));
    await ask();
    await confirm();
    expect(await screen.findByText(/^Cleared on 2 of 2/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await ask();
    api.clearCache.mockRejectedValueOnce(error);
    await confirm();
    const said = await within(screen.getByRole('alertdialog')).findByRole('alert');
    expect(said.textContent).not.toBe('');
    expect(screen.queryByText(/^Cleared on/)).toBeNull();
    api.clearCache.mockResolvedValueOnce({ clear: clearOf() });
    await confirm();
    expect(await screen.findByText(/^Cleared on 2 of 2/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(api.clearCache).toHaveBeenCalledTimes(3);
  },
);

it('says beside the text which line is wrong, before it asks and after', async () => {
  await renderDomains(<ClearCachePanel route={route} />);
  await user.click(await screen.findByRole('radio', { name: 'URLs' }));
  const text = screen.getByRole('textbox', { name: 'URLs' });
  await user.click(text);
  await user.paste('/a\n\nhttps://other.example/');
  expect(text.getAttribute('aria-invalid')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear cache' }));
  expect(await screen.findByText('Line 3: Not a name of this domain: other.example')).toBeTruthy();
  expect(api.clearCache).not.toHaveBeenCalled();
  await user.clear(text);
  await user.paste('/a\n\nhttps://www.example.org/b');
  expect(screen.queryByText(/^Line/)).toBeNull();
  api.clearCache.mockRejectedValueOnce(
    new ApiError(
      422,
      'VALIDATION_FAILED',
      { success: false, message: '', request_id: '', 'values.1': 'CACHE_URL_INVALID' },
      ['values.1.CACHE_URL_INVALID'],
    ),
  );
  await user.click(screen.getByRole('checkbox', { name: /^Keep serving/ }));
  await user.click(screen.getByRole('button', { name: 'Clear cache' }));
  expect(await screen.findByText(/^Line 3: Enter a URL/)).toBeTruthy();
  expect(api.clearCache).toHaveBeenCalledWith({
    params: { id: ROUTE_ID },
    body: { kind: 'urls', values: ['/a', 'https://www.example.org/b'], soft: true },
  });
});

describe('that there was no network', () => {
  const offline = new ApiError(0, undefined, undefined, []);
  const said = () => screen.queryByText('Please check your network');
  const fail = async (label: string) => {
    await user.click(screen.getByRole('button', { name: label }));
    expect(await screen.findByText('Please check your network')).toBeTruthy();
  };

  it('is said of a clear until there is one again, or something else is chosen', async () => {
    api.clearCache.mockRejectedValue(offline);
    await renderDomains(<ClearCachePanel route={route} />);
    await user.click(await screen.findByRole('radio', { name: 'Tags' }));
    await user.type(screen.getByRole('textbox', { name: 'Tags' }), 'shop');
    await fail('Clear cache');
    networkReturns();
    expect(said()).toBeNull();
    await fail('Clear cache');
    await user.click(screen.getByRole('checkbox', { name: /^Keep serving/ }));
    expect(said()).toBeNull();
    await fail('Clear cache');
  });

  it('is said of a task until there is one again, or something else is chosen', async () => {
    api.runTask.mockRejectedValue(offline);
    await renderDomains(<ClearCachePanel route={route} />);
    await user.click(await screen.findByRole('radio', { name: 'At a set time' }));
    await fail('Schedule');
    networkReturns();
    expect(said()).toBeNull();
    await fail('Schedule');
    await user.click(screen.getByRole('checkbox', { name: /^Keep serving/ }));
    expect(said()).toBeNull();
  });
});

it('keeps nothing of what was cleared, but what was typed meanwhile', async () => {
  await renderDomains(<ClearCachePanel route={route} />);
  await user.click(await screen.findByRole('radio', { name: 'Tags' }));
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Tags' });
  let answer: (value: { clear: CacheClear }) => void = () => undefined;
  const cleared = async () => {
    answer({ clear: clearOf({ kind: 'tags' }) });
    await screen.findByText(/^Cleared on 2 of 2/);
  };
  api.clearCache.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  await user.type(text, 'shop{Control>}{Enter}{/Control}');
  expect(text.value).toBe('shop');
  await cleared();
  expect(text.value).toBe('');
  expect(text.getAttribute('aria-invalid')).toBeNull();
  await user.type(text, 'front{Control>}{Enter}{/Control}');
  await user.type(text, ' page');
  await cleared();
  expect(text.value).toBe('front page');
});

it('goes on asking about a node that is late', async () => {
  const late = clearOf({ nodes: [{ name: 'hkg', state: 'waiting', milliseconds: null }] });
  api.clearCache.mockResolvedValue({ clear: late });
  api.getCacheClear.mockResolvedValue({ clear: clearOf() });
  await renderDomains(<ClearCachePanel route={route} />);
  await user.click(await screen.findByRole('radio', { name: 'Tags' }));
  await user.type(screen.getByRole('textbox', { name: 'Tags' }), 'shop{Control>}{Enter}{/Control}');
  expect(await screen.findByText('The node has not answered yet')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^Cleared on 2 of 2/), { timeout: 3_000 });
});

it('shows the last clears, and the line for a script that does what is chosen', async () => {
  api.listCacheClears.mockResolvedValue({
    results: [clearOf({ kind: 'urls', values: ['/a', '/b', '/c'], soft: true })],
    count: 1,
  });
  await renderDomains(<ClearCachePanel route={route} />);
  expect(await screen.findByText('URLs: /a, /b, and 1 more (served while refreshed)')).toBeTruthy();
  expect(screen.getByText('Nov 27, 2026, 10:00:00 · ann@example.com')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Prefixes' }));
  await user.type(screen.getByRole('textbox', { name: 'Prefixes' }), "/it's/");
  const code = document.querySelector('pre')?.textContent ?? '';
  expect(code).toContain(`/api/v1/domain/routes/${ROUTE_ID}/clear-cache/`);
  expect(code).toContain('-H "Authorization: Bearer $CORDON_TOKEN"');
  expect(code).toContain(`-d '{"kind":"prefixes","values":["/it'\\''s/"]}'`);
});

it('has no result beside what is chosen or refused after it, and says what it is of', async () => {
  const clear = async (label: string, text: string) => {
    await user.click(screen.getByRole('radio', { name: label }));
    await user.type(screen.getByRole('textbox', { name: label }), text);
    await user.click(screen.getByRole('button', { name: 'Clear cache' }));
  };
  api.clearCache.mockResolvedValue({ clear: clearOf({ kind: 'urls', values: ['/u1'] }) });
  await renderDomains(<ClearCachePanel route={route} />);
  await screen.findByRole('radio', { name: 'URLs' });
  await clear('URLs', '/u1');
  const result = await screen.findByRole('status');
  expect(within(result).getByText('URL: /u1')).toBeTruthy();
  await clear('URLs', 'u2');
  expect(await screen.findByText(/^Line 1/)).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();
  await user.clear(screen.getByRole('textbox', { name: 'URLs' }));
  await clear('URLs', '/u1');
  await screen.findByRole('status');
  await user.click(screen.getByRole('radio', { name: 'Everything' }));
  expect(screen.queryByRole('status')).toBeNull();
});

it.each([
  ['en', 'Prefixes: /a, /b, and 1 more', 'Tags: x and y', '· ci · API token', 'Show all'],
  ['zh', '前缀：/a、/b 等 3 个', '标签：x、y', '· ci · API 令牌', '全部显示'],
] as const)('tells in %s the last clears apart by kind and by who, and shows what is counted', async (...given) => {
  const [locale, prefixes, tags, who, showAll] = given;
  const results = [
    clearOf({ id: 'a', kind: 'prefixes', values: ['/a', '/b', '/c'], created_by: 'ci' }),
    clearOf({ id: 'b', kind: 'tags', values: ['x', 'y'] }),
  ];
  api.listCacheClears.mockResolvedValue({ results, count: 2 });
  await renderDomains(<ClearCachePanel route={route} />, locale);
  const entry = (await screen.findByText(prefixes)).closest('li') as HTMLElement;
  expect(entry.textContent).toContain(who);
  const other = screen.getByText(tags).closest('li') as HTMLElement;
  expect(other.textContent).toMatch(/ann@example\.com$/);
  expect(within(other).queryByRole('button')).toBeNull();
  await user.click(within(entry).getByRole('button', { name: new RegExp(`^${showAll}.*${prefixes}$`) }));
  expect(entry.querySelector('pre')?.textContent).toBe('/a\n/b\n/c');
});

describe('the last clears', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());
  const listOf = (...values: string[]) => ({
    results: values.map((value) => clearOf({ id: value, kind: 'urls', values: [value] })),
    count: values.length,
  });

  it('has those made elsewhere within 15 s, and shows what it has meanwhile', async () => {
    api.listCacheClears.mockResolvedValueOnce(listOf('/mine'));
    await renderDomains(<ClearCachePanel route={route} />);
    const row = await screen.findByText('URL: /mine');
    let answer: (list: ReturnType<typeof listOf>) => void = () => undefined;
    api.listCacheClears.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(15_100);
    expect(api.listCacheClears).toHaveBeenCalledTimes(2);
    expect(row.isConnected).toBe(true);
    answer(listOf('/theirs', '/mine'));
    expect(await screen.findByText('URL: /theirs')).toBeTruthy();
    expect(row.isConnected).toBe(true);
  });

  it('has a scheduled one at its time', async () => {
    const task = taskOf({ at: new Date(Date.now() + 3_000).toISOString() });
    api.listTasks.mockResolvedValueOnce({ results: [task] });
    await renderDomains(<ClearCachePanel route={route} />);
    expect(await screen.findByRole('region', { name: 'Scheduled' })).toBeTruthy();
    api.listCacheClears.mockResolvedValue(listOf('/scheduled'));
    await vi.advanceTimersByTimeAsync(5_500);
    expect(await screen.findByText('URL: /scheduled')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Scheduled' })).toBeNull();
  });
});

it('tells a free account why not, in the words of the specification', async () => {
  api.listSubscriptions.mockResolvedValue(subscriptionOf('free'));
  await renderDomains(<ClearCachePanel route={route} />);
  expect(await screen.findByText(/A free account cannot clear cache\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear cache' })).toBeNull();
});

it('has nothing to clear of a domain that was never live', async () => {
  await renderDomains(<ClearCachePanel route={sampleRoute({ version_live: null })} />);
  expect(await screen.findByText('Nothing is cached before the domain is deployed.')).toBeTruthy();
});

describe('at a time', () => {
  const openLater = async () => {
    await renderDomains(<ClearCachePanel route={route} />);
    await user.click(await screen.findByRole('radio', { name: 'At a set time' }));
    const fill = async (label: string, text: string) => {
      const field = screen.getByRole<HTMLInputElement>('textbox', { name: label });
      await user.clear(field);
      if (text !== '') await user.type(field, text);
      return field;
    };
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    return { fill, tomorrow, schedule: () => user.click(screen.getByRole('button', { name: 'Schedule' })) };
  };

  it('schedules it in the time zone of the account, and says when it runs', async () => {
    const { fill, tomorrow, schedule } = await openLater();
    await fill('Day', tomorrow);
    await fill('Time', '03:30');
    expect(screen.getByText('Within the next 30 days')).toBeTruthy();
    expect(screen.getByText(/^Runs .+, 03:30:00, time zone of the account: UTC$/)).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: /^Keep serving/ }));
    api.runTask.mockResolvedValue({ result: taskOf({ at: `${tomorrow}T03:30:00.000Z` }) });
    api.listTasks.mockResolvedValue({ results: [taskOf()] });
    await schedule();
    const body = {
      ...{ kind: 'clear cache', route_ids: [ROUTE_ID], at: `${tomorrow}T03:30:00.000Z` },
      ...{ clear_kind: 'all', soft: true },
    };
    await waitFor(() =>
      expect(api.runTask).toHaveBeenCalledExactlyOnceWith({ body, idempotencyKey: expect.any(String) }),
    );
    expect(await screen.findByText(/^Scheduled for .+, 03:30:00$/)).toBeTruthy();
    expect(
      await screen.findByRole('button', { name: `Cancel task: Clear cache of ${route.domain_name}` }),
    ).toBeTruthy();
    expect(api.clearCache).not.toHaveBeenCalled();
    // What is pressed next must not clear at once.
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'At a set time' }).checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Time' }).value).toBe('03:30');
    expect(screen.queryByRole('button', { name: 'Clear cache' })).toBeNull();
    expect(document.querySelector('code, pre')?.textContent).toContain('/domain/run/tasks/');
  });

  it.each([
    ['Day', 'soon', 'Enter the day as year-month-day, such as 2026-11-23'],
    ['Day', '2020-01-01', 'Choose a time in the future'],
    ['Day', '2099-01-01', 'Choose a time within the next 30 days'],
    ['Time', '25:00', 'Enter hours and minutes of 24 hours, such as 03:30'],
  ])('says at the field what is wrong with a %s of %s, and sends nothing', async (label, text, said) => {
    const { fill, schedule } = await openLater();
    const field = await fill(label, text);
    expect(screen.getByText(said)).toBeTruthy();
    await schedule();
    expect([field.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field]);
    expect(api.runTask).not.toHaveBeenCalled();
  });

  it('says at the field what the API refuses, until it is changed', async () => {
    const { fill, tomorrow, schedule } = await openLater();
    api.runTask.mockRejectedValue(
      new ApiError(422, 'VALIDATION_FAILED', { success: false, message: '', request_id: '', at: 'TASK_TIME_PAST' }, [
        'at.TASK_TIME_PAST',
      ]),
    );
    await fill('Day', tomorrow);
    await schedule();
    expect(await screen.findByText('Choose a time in the future')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Time' }).getAttribute('aria-invalid')).toBe('true');
    await fill('Time', '04:00');
    expect(screen.queryByText('Choose a time in the future')).toBeNull();
  });

  it('makes one task however often it is pressed, and however late where the answer was lost', async () => {
    const { schedule } = await openLater();
    const keys = () => api.runTask.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey);
    api.runTask.mockRejectedValueOnce(new ApiError(0, undefined, undefined, []));
    await schedule();
    await screen.findByText('Please check your network');
    api.runTask.mockResolvedValue({ result: taskOf() });
    api.listTasks.mockResolvedValue({ results: [taskOf()] });
    await schedule();
    const list = within(await screen.findByRole('region', { name: 'Scheduled' }));
    expect(new Set(keys())).toEqual(new Set([expect.any(String)]));
    expect(keys()).toHaveLength(2);
    await schedule();
    await schedule();
    expect(keys()).toHaveLength(2);
    // Once it is cancelled it is meant anew.
    api.cancelTask.mockResolvedValue({ success: true });
    api.listTasks.mockResolvedValue({ results: [] });
    await user.click(list.getByRole('button', { name: /^Cancel task/ }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Cancel task' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Scheduled' })).toBeNull());
    await schedule();
    await waitFor(() => expect(new Set(keys()).size).toBe(2));
    expect(keys()).toHaveLength(3);
  });

  it.each([
    ['en', 'Prefixes', 'At a set time', 'Schedule', 'Prefixes: /img/ and /css/'],
    ['zh', '前缀', '指定时间', '创建计划任务', '前缀：/img/、/css/'],
  ] as const)('schedules in %s prefixes of the domain, and lists them with the task', async (...given) => {
    const [locale, kind, later, schedule, said] = given;
    await renderDomains(<ClearCachePanel route={route} />, locale);
    await user.click(await screen.findByRole('radio', { name: kind }));
    await user.click(screen.getByRole('radio', { name: later }));
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: kind });
    await user.type(text, '/img/{Enter}/css/');
    const part: Pick<Task, 'clear_kind' | 'values'> = { clear_kind: 'prefixes', values: ['/img/', '/css/'] };
    api.runTask.mockResolvedValue({ result: taskOf({ ...part, entries: 2 }) });
    api.listTasks.mockResolvedValue({ results: [taskOf({ ...part, entries: 2 })] });
    const curl = document.querySelector('code, pre')?.textContent ?? '';
    expect(curl).toContain('/domain/run/tasks/');
    expect(curl).toMatch(new RegExp(`"route_ids":\\["${ROUTE_ID}"\\],"at":"20.+"clear_kind":"prefixes"`));
    await user.click(screen.getByRole('button', { name: schedule }));
    const list = within(await screen.findByRole('region', { name: locale === 'en' ? 'Scheduled' : '计划任务' }));
    expect(list.getByText(said)).toBeTruthy();
    expect(api.runTask).toHaveBeenCalledExactlyOnceWith({
      body: { kind: 'clear cache', route_ids: [ROUTE_ID], at: expect.any(String), ...part },
      idempotencyKey: expect.any(String),
    });
    expect(text.value).toBe('');
    expect(api.clearCache).not.toHaveBeenCalled();
  });

  it('schedules nothing that a clear at once would refuse, and leads to the first fault', async () => {
    await openLater();
    await user.click(screen.getByRole('radio', { name: 'URLs' }));
    const text = screen.getByRole('textbox', { name: 'URLs' });
    await user.type(text, '/a{Enter}https://other.example/');
    await user.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findByText('Line 2: Not a name of this domain: other.example')).toBeTruthy();
    expect(document.activeElement).toBe(text);
    expect(api.runTask).not.toHaveBeenCalled();
    await user.clear(text);
    await user.type(text, '/a');
    const refusal = { success: false, message: '', request_id: '', 'values.0': 'CACHE_URL_PATTERN' } as const;
    api.runTask.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', refusal, ['values.0.CACHE_URL_PATTERN']));
    await user.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findByText(/^Line 1: \* is no wildcard here/)).toBeTruthy();
    // It says nothing of what is typed now.
    await user.type(text, 'b');
    expect(screen.queryByText(/^Line 1/)).toBeNull();
    const many = {
      success: false,
      message: '',
      request_id: '',
      values: 'TOO_MANY',
      params: { values: { maximum: 10_000 } },
    };
    api.runTask.mockRejectedValueOnce(new ApiError(422, 'VALIDATION_FAILED', many as never, ['values.TOO_MANY']));
    await user.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findByText('At most 10,000 are allowed')).toBeTruthy();
    expect(screen.queryByText(/^Line/)).toBeNull();
    api.runTask.mockRejectedValueOnce(new ApiError(409, 'TASKS_FULL', undefined, ['code.TASKS_FULL']));
    await user.click(screen.getByRole('button', { name: 'Schedule' }));
    expect((await screen.findByText(/^Limit of scheduled tasks reached/)).getAttribute('role')).toBe('alert');
  });

  it('counts the values of a task beyond two, and shows those that are known', async () => {
    const values = ['shop', 'front', 'cart'];
    api.listTasks.mockResolvedValue({ results: [taskOf({ clear_kind: 'tags', values, entries: 60, soft: true })] });
    await renderDomains(<ClearCachePanel route={route} />);
    const list = within(await screen.findByRole('region', { name: 'Scheduled' }));
    const part = 'Tags: shop, front, and 58 more (served while refreshed)';
    const what = `Clear cache of ${route.domain_name} · ${part}`;
    expect(list.getByText(part)).toBeTruthy();
    expect(list.queryByText(/cart/)).toBeNull();
    await user.click(list.getByRole('button', { name: /^Show all: / }));
    expect(list.getByText(/cart/).textContent).toBe('shop\nfront\ncart\nand 57 more');
    await user.click(list.getByRole('button', { name: `Cancel task: ${what}` }));
    expect(
      within(await screen.findByRole('alertdialog')).getByText(/and 58 more .+ It is due to run on Dec/),
    ).toBeTruthy();
  });

  it.each([
    ['en', 'Scheduled', /^Cancel task: /, /\. It is due to run on Dec 1, 2026, /],
    ['zh', '计划任务', /^取消任务：/, /。计划于 2026.+执行。/],
  ] as const)('asks in %s before it is cancelled, of a task that is still due', async (...given) => {
    const [locale, region, cancel, due] = given;
    api.listTasks.mockResolvedValue({ results: [taskOf()] });
    await renderDomains(<ClearCachePanel route={route} />, locale);
    const list = within(await screen.findByRole('region', { name: region }));
    await user.click(list.getByRole('button', { name: cancel }));
    expect((await screen.findByRole('alertdialog')).textContent).toMatch(due);
  });

  it('lists what is scheduled of the domain, and cancels it after a question', async () => {
    const names = ['blog.example.com', route.domain_name];
    const others = { domains: 3, first_domain: names[0], domain_names: names };
    api.listTasks.mockResolvedValue({ results: [taskOf({ soft: true, ...others })] });
    api.cancelTask.mockResolvedValue({ success: true });
    await renderDomains(<ClearCachePanel route={route} />);
    const list = within(await screen.findByRole('region', { name: 'Scheduled' }));
    expect(api.listTasks.mock.calls[0]?.[0]).toMatchObject({ query: { route_id: ROUTE_ID } });
    expect(list.getByText('Everything (served while refreshed) · also of 2 other domains')).toBeTruthy();
    expect(list.getByText('Dec 1, 2026, 03:30:00 · ann@example.com')).toBeTruthy();
    await user.click(list.getByRole('button', { name: /^Cancel task/ }));
    expect(api.cancelTask).not.toHaveBeenCalled();
    api.listTasks.mockResolvedValue({ results: [] });
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('It is cancelled for all 3 domains:')).toBeTruthy();
    expect(question.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([...names, 'and 1 more']);
    await user.click(question.getByRole('button', { name: 'Cancel task' }));
    await waitFor(() => expect(api.cancelTask).toHaveBeenCalledWith({ params: { id: taskOf().id } }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Scheduled' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Clear cache' })));
  });
});

it.each([
  ['en', 'Clear cache', 'On all nodes. What is cleared is fetched from your origin again when it is next requested.'],
  ['zh', '清除缓存', '在所有节点上清除。清除的内容在下一次请求时会重新从源站获取。'],
] as const)('says in %s above all choices only what is true of each', async (locale, label, said) => {
  await renderDomains(<ClearCachePanel route={route} />, locale);
  expect((await screen.findByRole('region', { name: label })).textContent).toContain(said);
});
